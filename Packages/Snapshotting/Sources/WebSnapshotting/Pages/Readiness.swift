extension WebPage {
  /// Something that has to be so before a page is captured.
  ///
  /// Conditions are waited for one after the other, in their order, after the load event. What was true once need not be so
  /// any more when the picture is taken.
  public enum Readiness: Sendable, Hashable, CustomStringConvertible {
    /// No request is under way, and has not been for a while.
    case networkIdle(for: Duration)
    /// An element fits a CSS selector.
    case selector(String)
    /// A JavaScript expression of the page is true. It is evaluated before each frame; an exception ends the capture.
    case predicate(String)
    /// The fonts of the page have arrived, or have failed to.
    case fonts
    /// So many pictures in a row are the same.
    case stablePictures(Int)

    /// The condition in words.
    public var description: String {
      switch self {
      case .networkIdle(let duration): "no request for \(duration)"
      case .selector(let selector): "an element fits `\(selector)`"
      case .predicate(let predicate): "`\(predicate)` is true"
      case .fonts: "the fonts have arrived"
      case .stablePictures(let count): "\(count) pictures in a row are the same"
      }
    }
  }
}

/// How far a capture has come, for the message when it comes no further.
struct Progress: Sendable, Hashable {
  private(set) var met: [String] = []
  private(set) var awaited = "a tab is open"

  /// Notes that what was waited for is there, and what is waited for now.
  mutating func wait(for next: String) {
    met.append(awaited)
    awaited = next
  }

  /// What to tell when time is up.
  func timeoutMessage(after limit: Duration) -> String {
    "Not met within \(limit): \(awaited)." + (met.isEmpty ? "" : " Met: \(met.joined(separator: "; ")).")
      + " Allow the page more time with `timeout`, or find out what it waits for."
  }
}
