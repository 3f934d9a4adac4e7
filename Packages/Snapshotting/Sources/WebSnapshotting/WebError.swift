public import Snapshotting

/// Why a web page could not be captured: what was tried, what came back, and the way out.
public struct WebError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it is.
  ///
  /// More kinds may come: compare with the ones that you know.
  public struct Kind: Sendable, Hashable {
    private let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// There is no browser on this system, or not the one that was asked for.
    public static let noBrowser = Kind("noBrowser")
    /// The browser did not start, or not in time.
    public static let cannotStart = Kind("cannotStart")
    /// The browser cannot confine pages here, and was not told to do without.
    public static let noSandbox = Kind("noSandbox")
    /// The browser ended, or talked nonsense, while it was needed.
    ///
    /// The next capture starts a new one.
    public static let browserEnded = Kind("browserEnded")
    /// The page took its process down, by using up its memory, say.
    public static let pageCrashed = Kind("pageCrashed")
    /// The page, or a file that it is made of, could not be loaded.
    public static let cannotLoad = Kind("cannotLoad")
    /// The page was not ready in time.
    public static let timedOut = Kind("timedOut")
    /// Something that was asked for is not in the page, or cannot be: an element, a size, a condition.
    public static let notFound = Kind("notFound")
    /// The capture was given up by whoever asked for it.
    public static let cancelled = Kind("cancelled")
    /// The browser refused a command that this library gave.
    public static let refused = Kind("refused")
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// What happened, and what to do.
  public let description: String
  /// What was there when it happened: a picture, the document, the console, what the browser wrote.
  public let attachments: [SnapshotAttachment]

  /// Creates an error, for tests of what handles it.
  ///
  /// - Parameters:
  ///   - kind: What kind of failure it is.
  ///   - description: What happened, and what to do.
  ///   - attachments: What was there when it happened.
  public init(kind: Kind, description: String, attachments: [SnapshotAttachment] = []) {
    self.kind = kind
    self.description = description
    self.attachments = attachments
  }
}

extension WebError {
  static let browserEnded = WebError(
    kind: .browserEnded, description: "Cannot capture the page: the browser ended. The next capture starts a new one.")

  static let cancelled = WebError(kind: .cancelled, description: "The capture was cancelled.")

  static func nonsense(_ what: String) -> WebError {
    WebError(
      kind: .browserEnded,
      description:
        "Cannot read the browser's output: \(what). The browser was stopped. The next capture starts a new one.")
  }

  /// Any error as one of these.
  init(_ error: any Error) {
    switch error {
    case let error as WebError: self = error
    case is CancellationError: self = .cancelled
    default: self.init(kind: .refused, description: "\(error)")
    }
  }

  /// The same error, with more to look at.
  func attaching(_ more: [SnapshotAttachment]) -> WebError {
    WebError(kind: kind, description: description, attachments: attachments + more)
  }
}
