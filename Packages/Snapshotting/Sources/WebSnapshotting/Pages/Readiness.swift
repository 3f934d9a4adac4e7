extension WebPage {
  /// Something that has to be so before a page is captured.
  ///
  /// Conditions are waited for one after the other, in their order, after the load event. What was true once need not be so
  /// any more when the picture is taken.
  public enum Readiness: Sendable, Hashable, CustomStringConvertible {
    /// No request of the page and its frames is under way, and has not been for a while; those of workers are not looked at.
    case networkIdle(for: Duration)
    /// An element of the document, or of an open shadow tree in it, fits a CSS selector.
    case selector(String)
    /// A JavaScript expression of the page is true, or a promise of what is. It is evaluated before each frame; an exception
    /// ends the capture.
    case predicate(String)
    /// The fonts of the page have arrived, or have failed to.
    case fonts
    /// So many pictures in a row are the same.
    case stablePictures(Int)

    /// The condition in words.
    public var description: String {
      switch self {
      case .networkIdle(let duration): "no requests for \(duration)"
      case .selector(let selector): "an element that matches `\(selector)`"
      case .predicate(let predicate): "the condition `\(predicate)`"
      case .fonts: "the fonts"
      case .stablePictures(let count): "\(count) equal pictures in a row"
      }
    }
  }
}

/// How far a capture has come, for the message when it comes no further.
struct Progress: Sendable, Hashable {
  private(set) var met: [String] = []
  private(set) var awaited = "a browser tab"
  /// What is waited for before what is awaited can be, since the page is on its way to another document.
  var interruption: String?
  /// How many times the page went to another document meanwhile.
  private(set) var navigations = 0

  /// Notes that what was waited for is there, and what is waited for now.
  mutating func wait(for next: String) {
    met.append(awaited)
    awaited = next
  }

  /// Notes that the page has gone to another document, where all is waited for again.
  mutating func noteNavigation() {
    navigations += 1
    met = []
  }

  /// What to tell when time is up.
  func timeoutMessage(after limit: Duration) -> String {
    "Cannot capture the page: timed out after \(limit) while waiting for \(interruption ?? awaited)."
      + (met.isEmpty ? "" : " Completed: \(met.joined(separator: "; ")).")
      + (navigations > 0
        ? " The page keeps navigating: it went to another document \(navigations) time\(navigations == 1 ? "" : "s")."
        : "")
      + " Allow the page more time, or find out why it is not ready."
  }
}
