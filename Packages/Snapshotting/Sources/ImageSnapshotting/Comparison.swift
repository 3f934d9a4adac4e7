internal import Foundation

/// The required similarity of two images.
///
/// ```swift
/// let comparison = ImageComparison(precision: 0.999, perceptualPrecision: 0.98)
/// if let difference = comparison.difference(from: reference, to: image) {
///   print(difference)  // 12 of 307200 pixels differ …
/// }
/// ```
///
/// An image matches if enough of its pixels match. Two fully transparent pixels always match.
public struct ImageComparison: Hashable, Sendable {
  /// The minimum share of pixels that match, from 0 to 1.
  public var precision: Double

  /// The required similarity of colours, from 0 to 1.
  ///
  /// A pixel matches if its ΔE (CIE94, with the white point D65) is at most `(1 - perceptualPrecision) * 100`. Below about 2, the
  /// difference is invisible: 0.98 accepts invisible differences only.
  public var perceptualPrecision: Double

  /// Whether to ignore differences in antialiased pixels.
  ///
  /// Such a pixel lies between a darker and a lighter side, one of them uniform, and is about a mixture of both sides in both images.
  public var ignoresAntialiasing: Bool

  /// The ignored rectangles, for example of a clock.
  public var masks: [Image.Rect]

  /// Creates a comparison, which is exact without arguments.
  public init(
    precision: Double = 1, perceptualPrecision: Double = 1, ignoringAntialiasing: Bool = false,
    masks: [Image.Rect] = []
  ) {
    self.precision = precision
    self.perceptualPrecision = perceptualPrecision
    ignoresAntialiasing = ignoringAntialiasing
    self.masks = masks
  }

  /// Returns the difference between two images, or `nil` if they match.
  ///
  /// Images of different sizes never match. The scale and the environment are not compared.
  public func difference(from reference: Image, to new: Image) -> ImageDifference? {
    let isSameSize = reference.width == new.width && reference.height == new.height
    if isSameSize && reference.hasSamePixels(as: new) { return nil }
    let marks = PixelMarks(reference, new, self)
    // A rounding error of the precision does not change the number.
    let maximum = Int((Self.share(1 - precision) * Double(marks.comparedCount) + 1e-6).rounded(.down))
    guard !isSameSize || marks.changedCount > maximum else { return nil }
    return ImageDifference(reference, new, marks: marks, comparison: self)
  }

  /// Returns why an image cannot be compared in this way, and what to do; `nil` if it can.
  func problem(with image: Image) -> String? {
    guard [precision, perceptualPrecision].allSatisfy((0...1).contains) else {
      return
        "Cannot compare images: a precision of \(precision) or \(perceptualPrecision) is not from 0 to 1. Correct it."
    }
    if let mask = masks.first(where: { $0.intersection(image.bounds).isEmpty }) {
      return "Cannot mask \(mask): it has no pixel of the image (\(image)). Correct or remove the mask."
    }
    guard masks.isEmpty || PixelMarks(image, image, self).comparedCount > 0 else {
      return "Cannot compare images: the masks cover all pixels of the image. Use smaller masks."
    }
    return nil
  }

  var maximumDistance: Float { Float(Self.share(1 - perceptualPrecision) * 100) }

  private static func share(_ number: Double) -> Double { number > 0 ? min(number, 1) : 0 }
}

// The settings are text, so that they can be read in the document of a pending snapshot.
extension ImageComparison {
  /// The settings that differ from an exact comparison, by their names.
  package var settings: [String: String] {
    var settings: [String: String] = [:]
    if precision != 1 { settings["precision"] = "\(precision)" }
    if perceptualPrecision != 1 { settings["perceptualPrecision"] = "\(perceptualPrecision)" }
    if ignoresAntialiasing { settings["ignoringAntialiasing"] = "true" }
    if !masks.isEmpty {
      settings["masks"] = masks.map { "\($0.x) \($0.y) \($0.width) \($0.height)" }.joined(separator: ", ")
    }
    return settings
  }

  /// Creates a comparison from its settings, and ignores those that it cannot read.
  package init(settings: [String: String]) {
    self.init(
      precision: settings["precision"].flatMap(Double.init) ?? 1,
      perceptualPrecision: settings["perceptualPrecision"].flatMap(Double.init) ?? 1,
      ignoringAntialiasing: settings["ignoringAntialiasing"] == "true",
      masks: (settings["masks"] ?? "").split(separator: ",").compactMap { text in
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 4 else { return nil }
        return Image.Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
      })
  }
}

/// The result of the comparison for each pixel in the common area of two images.
///
/// Tests run without optimisation, and images have millions of pixels. Therefore the loops use raw memory, and `memcmp` skips equal
/// pixels.
struct PixelMarks {
  static let same: UInt8 = 0
  static let changed: UInt8 = 1
  static let antialiased: UInt8 = 2
  static let masked: UInt8 = 3

  let width: Int
  let height: Int
  private(set) var marks: [UInt8]
  private(set) var changedCount = 0
  private(set) var antialiasedCount = 0
  private(set) var comparedCount: Int
  /// The first changed pixel with the largest distance, and the square of the distance.
  private(set) var worst: (squared: Float, x: Int, y: Int)?

  init(_ reference: Image, _ new: Image, _ comparison: ImageComparison) {
    width = min(reference.width, new.width)
    height = min(reference.height, new.height)
    marks = [UInt8](repeating: Self.same, count: width * height)
    comparedCount = width * height
    for mask in comparison.masks { cover(mask) }
    reference.pixels.withUnsafeBytes { one in
      new.pixels.withUnsafeBytes { other in
        linearLight.withUnsafeBufferPointer { light in
          guard let one = one.baseAddress, let other = other.baseAddress, let light = light.baseAddress else { return }
          let pair = PixelPair(
            reference: PixelPlane(start: one, width: reference.width),
            new: PixelPlane(start: other, width: new.width), width: width, height: height)
          for y in 0..<height { compareRow(y, of: pair, DeltaE(light: light), comparison) }
        }
      }
    }
  }

  private mutating func cover(_ mask: Image.Rect) {
    let inside = mask.intersection(Image.Rect(x: 0, y: 0, width: width, height: height))
    for y in inside.rows {
      for index in y * width + inside.x..<y * width + inside.x + inside.width where marks[index] != Self.masked {
        marks[index] = Self.masked
        comparedCount -= 1
      }
    }
  }

  private mutating func compareRow(_ y: Int, of pair: PixelPair, _ deltaE: DeltaE, _ comparison: ImageComparison) {
    let (one, other) = (pair.reference.row(y), pair.new.row(y))
    guard memcmp(one, other, width * 4) != 0 else { return }
    let most = comparison.maximumDistance * comparison.maximumDistance
    let ignoresAntialiasing = comparison.ignoresAntialiasing
    // Neighbouring pixels often have the same change.
    var (first, second, squared) = (UInt32(0), UInt32(0), Float(0))
    var x = 0
    while x < width {
      // Most pixels of a row are equal.
      if x &+ 16 <= width, memcmp(one + x &* 4, other + x &* 4, 64) == 0 {
        x &+= 16
        continue
      }
      let end = min(x &+ 16, width)
      while x < end {
        let (old, new) = (one.pixel(x), other.pixel(x))
        if old != new, (old | new) >= 0x100_0000, marks[y &* width &+ x] != Self.masked {
          if old != first || new != second {
            (first, second, squared) = (old, new, deltaE.squared(old, new))
          }
          if squared > most || most == 0 {
            if ignoresAntialiasing, pair.isAntialiased(x, y) {
              marks[y &* width &+ x] = Self.antialiased
              antialiasedCount &+= 1
            } else {
              marks[y &* width &+ x] = Self.changed
              changedCount &+= 1
              if squared > worst?.squared ?? -1 { worst = (squared, x, y) }
            }
          }
        }
        x &+= 1
      }
    }
  }
}
