public import Snapshotting

public struct WebError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Later versions may have more kinds.
  public struct Kind: Sendable, Hashable {
    private let name: String

    private init(_ name: String) {
      self.name = name
    }

    public static let noBrowser = Kind("noBrowser")
    /// The browser did not start, or not within its time limit.
    public static let cannotStart = Kind("cannotStart")
    /// The sandbox is unavailable, and the configuration requires it.
    public static let noSandbox = Kind("noSandbox")
    /// The browser ended or sent invalid output during the capture.
    ///
    /// The next capture starts another browser.
    public static let browserEnded = Kind("browserEnded")
    /// The process of the page crashed, for example because it used too much memory.
    public static let pageCrashed = Kind("pageCrashed")
    /// The page or one of its files cannot be loaded, a given response is invalid, or the page has closed its window.
    public static let cannotLoad = Kind("cannotLoad")
    public static let timedOut = Kind("timedOut")
    /// An element, a selector, a size or a time zone is missing or invalid, or a script or a condition threw an error.
    public static let notFound = Kind("notFound")
    public static let cancelled = Kind("cancelled")
    /// The browser refused a command of this library.
    public static let refused = Kind("refused")
  }

  public let kind: Kind
  public let description: String
  /// Files for the diagnosis: an image, the document, the console, or the browser's standard error.
  public let attachments: [SnapshotAttachment]

  /// Creates an error, for tests of code that handles it.
  public init(kind: Kind, description: String, attachments: [SnapshotAttachment] = []) {
    self.kind = kind
    self.description = description
    self.attachments = attachments
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

  func attaching(_ more: [SnapshotAttachment]) -> WebError {
    WebError(kind: kind, description: description, attachments: attachments + more)
  }

  static let browserEnded = WebError(
    kind: .browserEnded, description: "Cannot capture the page: the browser ended. The next capture starts a new one.")

  static let closed = WebError(
    kind: .browserEnded,
    description: "Cannot capture the page: the browser was closed. The next capture starts a new one.")

  static let hanging = WebError(
    kind: .browserEnded,
    description:
      "Cannot capture the page: the browser did not respond and was stopped. The next capture starts a new one.")

  static func invalidOutput(_ reason: String) -> WebError {
    WebError(
      kind: .browserEnded,
      description:
        "Cannot read the browser's output: \(reason). The browser was stopped. The next capture starts a new one.")
  }

  static let cancelled = WebError(
    kind: .cancelled,
    description: "Cannot capture the page: the capture was cancelled. Start it again if you need its result.")

  static let windowClosed = WebError(
    kind: .cannotLoad,
    description: "Cannot capture the page: it closed its window. Remove the call of `window.close()`.")

  static let pageCrashed = WebError(
    kind: .pageCrashed,
    description:
      "Cannot capture the page: its process crashed. Capture it again. If it crashes each time, simplify the page.")

  static func pageCrashed(signal: Int?, pageMemory: Int) -> WebError {
    let cause =
      switch signal {
      case 11:
        "probably because its elements or scripts are nested too deeply. Reduce the nesting to a few hundred levels."
      case 9: "it was killed, probably because it used more than \(pageMemory >> 20) MiB of memory. Simplify the page."
      case 4, 5, 6: "a script used more than 512 MiB, or the browser found an error in itself. Simplify the page."
      default: "the browser reports no cause. Simplify the page."
      }
    return WebError(kind: .pageCrashed, description: "Cannot capture the page: its process crashed: \(cause)")
  }

  static let sandboxForRoot = WebError(
    kind: .noSandbox,
    description:
      "Cannot use the browser's sandbox: the process runs as root. Run it as another user. Or, if you trust all pages, "
      + "turn the sandbox off: set \(Browser.Variables.sandbox)=off."
  )

  static func noResponse(within limit: Duration) -> WebError {
    WebError(
      kind: .timedOut,
      description: "Timed out after \(limit) while waiting for the browser to answer. On a busy machine, increase "
        + "`startTimeout`.")
  }

  static func cannotStart(_ executable: String, because error: WebError, standardError: String) -> WebError {
    if error.kind == .cancelled { return error }
    let attachments =
      standardError.isEmpty ? [] : [SnapshotAttachment(string: standardError, name: "browser-stderr.txt")]
    if standardError.contains("No usable sandbox") || standardError.contains("--no-sandbox") {
      return WebError(
        kind: .noSandbox,
        description: "Cannot use the browser's sandbox: \(executable) finds none on this system. Allow user namespaces "
          + "(`sysctl kernel.unprivileged_userns_clone=1`, or the container's seccomp profile). Or, if you trust all pages, "
          + "set \(Browser.Variables.sandbox)=off.",
        attachments: attachments)
    }
    let lines = standardError.split(separator: "\n").suffix(5).joined(separator: "\n")
    return WebError(
      kind: .cannotStart,
      description: "Cannot start the browser \(executable)"
        + (error.description == WebError.browserEnded.description
          ? ": it ended before it replied." : ". \(error.description)")
        + " Set \(Browser.Variables.browser) to Chromium, Chrome or Edge, or unset it to search for a browser."
        + (lines.isEmpty ? "" : " Standard error:\n\(lines)"),
      attachments: attachments)
  }
}
