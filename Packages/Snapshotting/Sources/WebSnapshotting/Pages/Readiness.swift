extension WebPage {
  /// A condition that must hold before a page is captured.
  ///
  /// The conditions are waited for in order, after the load event. An earlier condition may have stopped holding at the end.
  public enum Readiness: Sendable, Hashable, CustomStringConvertible {
    /// The page and its frames have no request in flight, and had none for a duration. Requests of workers do not count.
    case networkIdle(for: Duration)
    /// An element of the document, or of an open shadow tree in it, matches a CSS selector.
    case selector(String)
    /// A JavaScript expression is true, or a promise of true. It is evaluated before each frame. An exception ends the capture.
    case predicate(String)
    /// The fonts of the page are loaded or have failed.
    case fonts
    /// A number of images in a row are equal. A number below one means one.
    ///
    /// An image of a page with scripts always waits for two equal images, unless ``WebPage/animates`` is true.
    case stableImages(Int)

    public var description: String {
      switch self {
      case .networkIdle(let duration): "no requests for \(duration)"
      case .selector(let selector): "an element that matches `\(selector)`"
      case .predicate(let predicate): "the condition `\(predicate)`"
      case .fonts: "the fonts"
      case .stableImages(let count): "\(count) equal images in a row"
      }
    }
  }
}
