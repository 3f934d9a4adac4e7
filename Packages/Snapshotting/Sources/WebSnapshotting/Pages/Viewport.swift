extension WebPage {
  /// The size of a page's window.
  public struct Viewport: Sendable, Hashable {
    /// The width in CSS pixels.
    public var width: Int
    /// The height in CSS pixels.
    public var height: Int
    /// How many pixels of the picture a CSS pixel has in each direction.
    public var scale: Double

    /// The longest side of a picture that is taken, in pixels.
    public static let longestSide = 16_384

    /// Creates a size.
    ///
    /// - Parameters:
    ///   - width: The width in CSS pixels.
    ///   - height: The height in CSS pixels.
    ///   - scale: How many pixels of the picture a CSS pixel has in each direction.
    ///
    /// One that cannot be (less than 1 pixel, or more than ``longestSide``) is an error of the capture.
    public init(width: Int = 640, height: Int = 480, scale: Double = 1) {
      self.width = width
      self.height = height
      self.scale = scale
    }

    /// - Throws: ``WebError`` when no picture can have this size.
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

  /// What a page is told about the person's preference.
  public enum Appearance: Sendable, Hashable {
    /// Dark letters on a light ground.
    case light
    /// Light letters on a dark ground.
    case dark
  }

  /// What is in a picture of a page.
  public enum Area: Sendable, Hashable {
    /// What the window shows.
    case viewport
    /// The whole page, as far down and right as it goes. What is loaded lazily is loaded.
    case fullPage
    /// The first element that fits a CSS selector, also where the window does not reach.
    ///
    /// Shadow trees and frames are looked into when the document has none. What scrolls around the element is scrolled to
    /// show it; what is cut off all the same is not in the picture. An element that does not show is an error.
    case element(String)
  }
}
