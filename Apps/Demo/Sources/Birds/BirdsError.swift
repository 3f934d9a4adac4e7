internal import Arguments
internal import Foundation
internal import FuturesNetworking
internal import ImageSnapshotting

/// Why the birds could not be shown: what was tried, what came back, and the way out.
struct BirdsError: Error, Sendable, Equatable, CustomStringConvertible {
  let kind: ExitReason
  let description: String

  var exitCode: ExitCode { kind.exitCode }

  /// The exit codes, for help.
  static let exitCodeTable = ExitReason.table(
    .unreachable, .status, .malformedList, .incompleteBird, .picture, .timedOut, .cannotListen)
}

extension BirdsError {
  /// There was no response.
  init(_ error: NetworkError) {
    let kind: ExitReason =
      switch error.kind {
      case .timedOut: .timedOut
      case .cancelled: .interrupted
      case .cannotConnect, .cannotFindHost, .connectionLost: .unreachable
      // Whatever it is, it is no list; of a picture it is told as one that could not be had.
      case .tooLarge: .malformedList
      // One redirect after the other is an answer, and none that was expected.
      case .other where error.underlying?.code == .httpTooManyRedirects: .status
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
