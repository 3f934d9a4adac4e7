public import Snapshotting

/// A failed capture of a web page.
public struct WebError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Kind: Sendable, Hashable {
    case noBrowser
    /// The browser did not start, or not within its time limit.
    case cannotStart
    /// The browser ended during the capture.
    ///
    /// The next capture starts another browser.
    case browserEnded
    /// The process of the page crashed, for example because it used too much memory.
    case pageCrashed
    /// The page cannot be loaded, or has closed its window.
    case cannotLoad
    case timedOut
    /// An element, a mask, a selector, a size, a timeout, a cookie, a time zone or a locale is missing or invalid, or a script
    /// or a condition threw an error.
    case notFound
    case cancelled
    /// The browser refused a command of this library.
    case refused
  }

  public let kind: Kind
  public let description: String
  /// Files for the diagnosis: an image and the console.
  public var attachments: [SnapshotAttachment]

  /// Creates an error, for tests of code that handles it.
  public init(kind: Kind, description: String, attachments: [SnapshotAttachment] = []) {
    self.kind = kind
    self.description = description
    self.attachments = attachments
  }
}

/// A command that the browser refused, with its code.
struct RefusedCommand: Error, Hashable, CustomStringConvertible {
  let command: Command
  let code: Int
  let message: String

  var description: String {
    "Cannot run the browser command \(command.method): \(message) (\(code)). Use a recent version of Chromium, Chrome or Edge."
  }
}

extension WebError {
  init(_ error: any Error) {
    switch error {
    case let error as WebError: self = error
    case is CancellationError: self = .cancelled
    default: self.init(kind: .refused, description: "\(error)")
    }
  }

  static func notFound(_ description: String) -> WebError { WebError(kind: .notFound, description: description) }

  static func noElement(_ action: String) -> WebError {
    .notFound(
      "Cannot \(action): no element of the page matches. Check the selector, or wait for the element with `readiness`.")
  }

  static func cannotLoad(_ description: String) -> WebError { WebError(kind: .cannotLoad, description: description) }

  static func cannotStart(_ description: String) -> WebError { WebError(kind: .cannotStart, description: description) }

  static let browserEnded = WebError(
    kind: .browserEnded, description: "Cannot capture the page: the browser ended. The next capture starts a new one.")

  static let cancelled = WebError(
    kind: .cancelled,
    description: "Cannot capture the page: the capture was cancelled. Start it again if you need its result.")

  static let windowClosed = WebError.cannotLoad(
    "Cannot capture the page: it closed its window. Remove the call of `window.close()`.")

  static let pageCrashed = WebError(
    kind: .pageCrashed,
    description: "Cannot capture the page: its process crashed. Often a script used more than 512 MiB, or elements are "
      + "nested thousands of levels deep. Simplify the page.")

  static func navigation(to address: String, failedBecause reason: String) -> WebError {
    .cannotLoad(
      "Cannot load \(address.withoutPassword): \(reason). Check the address, or give the page network access or a response for it. "
        + "A file must exist.")
  }
}
