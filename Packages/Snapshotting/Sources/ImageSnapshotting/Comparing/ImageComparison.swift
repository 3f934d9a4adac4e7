/// The required similarity of two images.
///
/// ```swift
/// let comparison = ImageComparison(precision: 0.999, perceptualPrecision: 0.98)
/// if let difference = comparison.difference(from: reference, to: image) {
///   print(difference)  // 12 of 307200 pixels differ …
/// }
/// ```
///
/// A pixel matches if its colour is similar enough. An image matches if enough of its pixels match. Two fully transparent pixels
/// always match.
public struct ImageComparison: Hashable, Sendable {
  /// A measure of the difference between two colours, where identical colours have the distance 0.
  ///
  /// Translucent pixels are compared over white and over black, and the larger distance counts.
  public enum ColorDistance: Hashable, Sendable {
    /// ΔE of CIE94 in CIE Lab, with the white point D65. Below about 2, the difference is invisible.
    case deltaE
    /// The distance in YIQ as pixelmatch and Playwright measure it, where black and white have the distance 100. Their threshold of
    /// 0.1 is a ``ImageComparison/perceptualPrecision`` of 0.9.
    case yiq
  }

  /// The minimum share of pixels that match, from 0 to 1.
  public var precision: Double

  /// The required similarity of colours, from 0 to 1.
  ///
  /// A pixel matches if its colour distance is at most `(1 - perceptualPrecision) * 100`. With ``ColorDistance/deltaE``, 0.98 accepts
  /// invisible differences only.
  public var perceptualPrecision: Double

  /// Whether to ignore differences in antialiased pixels.
  ///
  /// Such a pixel lies between a darker and a lighter side. At least one side is uniform, and the colour of the pixel is about a
  /// mixture of both sides in both images. A line of another hue is not such a pixel.
  public var ignoresAntialiasing: Bool

  public var colorDistance: ColorDistance

  /// The ignored rectangles, for example of a clock.
  public var masks: [Image.Rect]

  /// Creates a comparison.
  ///
  /// Without arguments it is exact.
  public init(
    precision: Double = 1, perceptualPrecision: Double = 1, ignoringAntialiasing: Bool = false,
    colorDistance: ColorDistance = .deltaE, masks: [Image.Rect] = []
  ) {
    self.precision = precision
    self.perceptualPrecision = perceptualPrecision
    ignoresAntialiasing = ignoringAntialiasing
    self.colorDistance = colorDistance
    self.masks = masks
  }

  /// Returns the difference between two images, or `nil` if they match.
  ///
  /// Images of different sizes or colour spaces never match. The scale is not compared. Equal images cost one
  /// comparison of their memory; otherwise the cost grows with the number of different pixels. It may be called from
  /// any thread.
  public func difference(from reference: Image, to new: Image) -> ImageDifference? {
    let isComparable =
      reference.width == new.width && reference.height == new.height && reference.colorSpace == new.colorSpace
    if isComparable && reference.hasSamePixels(as: new) { return nil }
    let marks = PixelMarks(reference, new, self)
    guard !isComparable || marks.changedCount > maximumChanges(of: marks.comparedCount) else { return nil }
    return ImageDifference(reference, new, marks: marks, comparison: self)
  }

  /// A rounding error of the precision does not change it.
  private func maximumChanges(of count: Int) -> Int {
    Int((Self.share(1 - precision) * Double(count) + 1e-6).rounded(.down))
  }

  var maximumDistance: Float { Float(Self.share(1 - perceptualPrecision) * 100) }

  /// A number limited to 0 to 1; 0 for NaN.
  private static func share(_ number: Double) -> Double { number > 0 ? min(number, 1) : 0 }
}
