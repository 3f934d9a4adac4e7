internal import Arguments
internal import Foundation
internal import FuturesNetworking
internal import ImageSnapshotting
internal import Loopback

/// The reason why the birds cannot be shown, and what to do about it.
struct BirdsError: Error, Sendable, Equatable, CustomStringConvertible {
  let kind: ExitReason
  let description: String

  var exitCode: ExitCode { kind.exitCode }

  static let exitCodeTable = ExitReason.table(
    .unreachable, .status, .malformedList, .incompleteBird, .picture, .timedOut, .cannotListen)
}

extension BirdsError {
  /// Creates an error for a request without a response.
  init(_ error: NetworkError) {
    let kind: ExitReason =
      switch error.kind {
      case .timedOut: .timedOut
      case .cancelled: .interrupted
      case .cannotConnect, .cannotFindHost, .tooManyOpenFiles, .secureConnectionFailed, .connectionLost, .notHTTP:
        .unreachable
      // For a picture, `picture(of:because:)` replaces the kind.
      case .tooLarge: .malformedList
      // A redirect loop is an unexpected response of the server.
      case .tooManyRedirects: .status
      default: .other
      }
    self = kind == .interrupted ? .interrupted : BirdsError(kind: kind, description: "\(error)")
  }

  /// Creates an error for an embedded server that cannot start or cannot accept connections.
  init(_ error: LoopbackError) {
    self.init(kind: .cannotListen, description: error.description)
  }

  static let interrupted = BirdsError(kind: .interrupted, description: "Interrupted.")

  /// The server responded with another status.
  ///
  /// - Parameter origin: The place of the address, for example an option.
  static func status(_ status: Int, at url: URL, from origin: String) -> BirdsError {
    BirdsError(
      kind: .status,
      description: "\(attempt)\(url.withoutSecrets): the server answered with status \(status) instead of 200. "
        + (status < 500 ? "Check the address \(origin)." : "Look at the server's log, or try again."))
  }

  static func malformedList(at url: URL, reason: String) -> BirdsError {
    BirdsError(
      kind: .malformedList,
      description: "Cannot read the list at \(url.withoutSecrets): \(reason). "
        + "The list must be a JSON array of objects with a name and a picture.")
  }

  static func incompleteBird(at url: URL, number: Int, of count: Int, missing: String) -> BirdsError {
    BirdsError(
      kind: .incompleteBird,
      description: "Cannot read the list at \(url.withoutSecrets): bird \(number) of \(count) has no valid \(missing). "
        + "Correct the list.")
  }

  /// The picture of a bird could not be loaded.
  static func picture(of bird: Bird, because error: BirdsError) -> BirdsError {
    guard error.kind != .interrupted, error.kind != .timedOut else { return error }
    let cause = error.description
    // One sentence for both failures.
    let text = cause.hasPrefix(attempt) ? " from \(cause.dropFirst(attempt.count))" : ". \(cause)"
    return BirdsError(kind: .picture, description: "Cannot load the picture of the \(bird.name)\(text)")
  }

  private static let attempt = "Cannot GET "

  static func unreadablePicture(of bird: Bird, because error: PNGError) -> BirdsError {
    let problem =
      switch error.kind {
      case .notPNG: "is not a PNG file"
      case .truncated: "is a truncated PNG file"
      case .tooLarge: "has too many pixels"
      default: "is a damaged PNG file"
      }
    return BirdsError(
      kind: .picture,
      description: "Cannot load the picture of the \(bird.name): \(bird.picture.withoutSecrets) \(problem). "
        + "Correct the file on the server.")
  }

  /// The embedded server cannot read one of its files.
  static func noBundledFile(_ error: any Error) -> BirdsError {
    let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code
    let reason = code.map { String(cString: strerror($0.rawValue)) } ?? error.localizedDescription
    let nextStep = code == .EMFILE ? "Raise the limit with 'ulimit -n'." : "Build the demo again."
    return BirdsError(kind: .cannotListen, description: "Cannot read the bundled birds: \(reason). \(nextStep)")
  }

  static func cannotSave(_ path: String, because failure: OutputFile.Failure) -> BirdsError {
    let nextStep =
      failure.isFullDisk ? "Free disk space, or use --save with another folder." : "Use --save with a writable folder."
    return BirdsError(kind: .cannotSave, description: "Cannot write \(path): \(failure.reason). \(nextStep)")
  }
}
