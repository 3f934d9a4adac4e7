/// How alike two pictures have to be.
///
/// ```swift
/// let comparison = ImageComparison(precision: 0.999, perceptualPrecision: 0.98)
/// if let difference = comparison.difference(from: reference, to: picture) {
///   print(difference)  // 12 of 307200 pixels differ …
/// }
/// ```
///
/// A pixel matches when its colour is near enough, and a picture when enough of its pixels do. Pixels of which both are
/// wholly transparent match, whatever their colours.
public struct ImageComparison: Hashable, Sendable {
  /// The least share of pixels that have to match, from 0 to 1.
  public var precision: Double

  /// How near a colour has to be to match, from 0 to 1: a pixel matches when its ΔE is at most `(1 - perceptualPrecision) * 100`.
  ///
  /// ΔE is that of CIE94 in CIE Lab, with the white of D65; about 2 is what an attentive eye can just see, so 0.98 is as exact
  /// as the eye. 1 is to the bit. Translucent pixels are seen over white and over black, and the greater ΔE counts.
  public var perceptualPrecision: Double

  /// Whether pixels that differ only because an edge is smoothed differently match.
  ///
  /// A pixel is taken for one of a smoothed edge when it lies between a darker and a lighter side, of which one at least is
  /// plain, and its colour is about a mixture of theirs in both pictures: a line of another hue counts, and one of a grey
  /// between a dark and a light area does not.
  public var ignoresAntialiasing: Bool

  /// What is not compared: regions that show a time, say, or an advertisement.
  ///
  /// They do not count as pixels either.
  public var masks: [Image.Rect]

  /// A way to compare; to the bit, unless something else is said.
  ///
  /// - Parameters:
  ///   - precision: The least share of pixels that have to match, from 0 to 1.
  ///   - perceptualPrecision: How near a colour has to be to match, from 0 to 1; 0.98 is as exact as the eye.
  ///   - ignoresAntialiasing: Whether pixels match that differ only because an edge is smoothed differently.
  ///   - masks: What is not compared.
  public init(
    precision: Double = 1, perceptualPrecision: Double = 1, ignoresAntialiasing: Bool = false, masks: [Image.Rect] = []
  ) {
    self.precision = precision
    self.perceptualPrecision = perceptualPrecision
    self.ignoresAntialiasing = ignoresAntialiasing
    self.masks = masks
  }

  /// What is different between two pictures, or `nil` when they match.
  ///
  /// Pictures of different sizes or colour spaces never match. The scale is not compared, since many programs do not write
  /// it. Equal pictures take as long as it takes to read them from memory; otherwise only pixels that differ cost more than
  /// that. It may be called from any thread.
  ///
  /// - Parameters:
  ///   - reference: How it should be.
  ///   - new: How it is.
  public func difference(from reference: Image, to new: Image) -> ImageDifference? {
    let isComparable =
      reference.width == new.width && reference.height == new.height && reference.colorSpace == new.colorSpace
    if isComparable && reference.hasSamePixels(as: new) { return nil }
    let marks = PixelMarks(reference, new, self)
    guard !isComparable || marks.changedCount > mostChanged(of: marks.comparedCount) else { return nil }
    return ImageDifference(reference, new, marks: marks, comparison: self)
  }

  /// The most pixels that may differ; a rounding error of the precision costs no pixel.
  private func mostChanged(of count: Int) -> Int {
    Int((Self.share(1 - precision) * Double(count) + 1e-6).rounded(.down))
  }

  /// The greatest ΔE of pixels that match.
  var mostDeltaE: Float { Float(Self.share(1 - perceptualPrecision) * 100) }

  /// A number brought into 0 to 1; what is no number is 0.
  private static func share(_ number: Double) -> Double { number > 0 ? min(number, 1) : 0 }
}
