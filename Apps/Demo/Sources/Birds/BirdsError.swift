internal import Arguments
internal import Foundation
internal import FuturesNetworking
internal import ImageSnapshotting

/// Why the birds could not be shown: what was tried, what came back, and the way out.
struct BirdsError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds, in the order of their exit codes.
  enum Kind: Int32, Sendable, CaseIterable {
    case other = 1
    case unreachable = 10
    case status = 11
    case malformedList = 12
    case incompleteBird = 13
    case picture = 14
    case timedOut = 15
    case cannotSave = 16
    case interrupted = 130

    var summary: String {
      switch self {
      case .other: "something else went wrong"
      case .unreachable: "the server cannot be reached"
      case .status: "the server answered with another status than 200"
      case .malformedList: "the list is not JSON of the expected form"
      case .incompleteBird: "a bird has no name or no picture"
      case .picture: "a picture could not be had or read"
      case .timedOut: "a request took too long"
      case .cannotSave: "a picture could not be written"
      case .interrupted: "Ctrl-C"
      }
    }
  }

  let kind: Kind
  let description: String

  var exitCode: ExitCode { ExitCode(kind.rawValue) }

  /// The exit codes, for help.
  static let exitCodeTable =
    "Exit codes: 0 all went well; 64 the command line is wrong; "
    + Kind.allCases.map { "\($0.rawValue) \($0.summary)" }.joined(separator: "; ") + "."
}

extension BirdsError {
  /// There was no response.
  init(_ error: NetworkError) {
    let kind: Kind =
      switch error.kind {
      case .timedOut: .timedOut
      case .cancelled: .interrupted
      case .cannotConnect, .cannotFindHost, .connectionLost: .unreachable
      default: .other
      }
    self = kind == .interrupted ? .interrupted : BirdsError(kind: kind, description: "\(error)")
  }

  /// Somebody pressed Ctrl-C.
  static let interrupted = BirdsError(kind: .interrupted, description: "Interrupted.")

  static func status(_ status: Int, at url: URL) -> BirdsError {
    BirdsError(
      kind: .status,
      description: "GET \(url.absoluteString): the server answered with status \(status) instead of 200. "
        + (status < 500 ? "Check the address given with --server." : "Look into the server's log, and try again."))
  }

  static func malformedList(at url: URL, reason: String) -> BirdsError {
    BirdsError(
      kind: .malformedList,
      description: "The list at \(url.absoluteString) cannot be read: \(reason). "
        + "It has to be a JSON array of objects with a name and a picture.")
  }

  static func incompleteBird(at url: URL, number: Int, of count: Int, missing: String) -> BirdsError {
    BirdsError(
      kind: .incompleteBird,
      description: "Bird \(number) of \(count) in the list at \(url.absoluteString) has no \(missing). "
        + "Every bird needs one; mend the list.")
  }

  /// The picture of a bird failed for the reason that another error gives.
  static func picture(of bird: Bird, because error: BirdsError) -> BirdsError {
    guard error.kind != .interrupted, error.kind != .timedOut else { return error }
    return BirdsError(kind: .picture, description: "No picture of the \(bird.name): \(error.description)")
  }

  static func unreadablePicture(of bird: Bird, because error: PNGError) -> BirdsError {
    BirdsError(
      kind: .picture,
      description: "No picture of the \(bird.name): what is at \(bird.picture.absoluteString) cannot be shown. \(error)"
    )
  }

  static func cannotSave(_ path: String, reason: String) -> BirdsError {
    BirdsError(
      kind: .cannotSave,
      description: "Cannot write \(path): \(reason). Give a directory that can be written to with --save.")
  }
}
