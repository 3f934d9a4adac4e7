extension WebPage {
  /// The size of a page's window.
  public struct Viewport: Sendable, Hashable {
    /// The width in CSS pixels.
    public var width: Int
    /// The height in CSS pixels.
    public var height: Int
    /// The number of pixels in a CSS pixel in each direction.
    public var scale: Double

    /// The maximum length of a side of an image in pixels.
    public static let longestSide = 16_384

    /// Creates a size.
    ///
    /// A side of less than 1 pixel or more than ``longestSide`` is an error of the capture.
    public init(width: Int = 640, height: Int = 480, scale: Double = 1) {
      self.width = width
      self.height = height
      self.scale = scale
    }

    func check() throws(WebError) {
      let sides = 1...Self.longestSide
      guard sides.contains(width), sides.contains(height), (0.1...10).contains(scale),
        Double(max(width, height)) * scale <= Double(Self.longestSide)
      else {
        throw WebError(
          kind: .notFound,
          description: "Cannot use a viewport of \(width)×\(height) CSS pixels at scale \(scale). "
            + "A side must be 1 to \(Self.longestSide) pixels, also after scaling, and the scale 0.1 to 10.")
      }
    }
  }

  public enum Appearance: Sendable, Hashable {
    case light
    case dark
  }

  public enum Area: Sendable, Hashable {
    case viewport
    /// The whole page. Lazy images and frames are loaded.
    case fullPage
    /// The first element that matches a CSS selector, also outside of the window.
    ///
    /// Shadow trees and frames are searched if the document has no such element. Scroll containers are scrolled to show the element. The
    /// image has its visible part. An invisible element is an error.
    case element(String)
  }
}
