internal import Foundation

/// An image: rows of pixels with eight bits of red, green, blue and alpha, not premultiplied.
///
/// ```swift
/// let chart = try Image(png: Data(contentsOf: file))
/// chart[0, 0]                                          // the pixel at the top left
/// chart.cropped(to: Image.Rect(x: 8, y: 8, width: 32, height: 32))
/// ```
///
/// An image is a value that shares its pixels with its copies, and has at least one pixel. Two images are equal if their size, scale,
/// colour space and pixels are equal. An ``ImageComparison`` is less strict.
public struct Image: Sendable {
  public let width: Int

  public let height: Int

  /// The number of pixels in a point, rounded to thousandths: 2 for an image of a Retina display.
  public let scale: Double

  public let colorSpace: ColorSpace

  /// Red, green, blue and alpha of each pixel, row by row from the top left.
  public let pixels: [UInt8]

  /// The decoded file without metadata, which saves the compression.
  let file: Data?

  /// The maximum number of pixels of a side.
  public static let largestSide = 1_000_000

  /// The maximum number of pixels of an image.
  ///
  /// Its size in bytes has 31 bits.
  public static let largestArea = 1 << 29 - 1

  /// Creates an image of pixels.
  ///
  /// - Returns: `nil` unless both sides are positive and at most ``largestSide``, the area is at most ``largestArea``,
  ///   and each pixel has four bytes.
  public init?(width: Int, height: Int, pixels: [UInt8], scale: Double = 1, colorSpace: ColorSpace = .sRGB) {
    guard Self.isPossible(width: width, height: height), pixels.count == width * height * 4 else { return nil }
    self.init(trusted: width, height, pixels, scale: scale, colorSpace: colorSpace, file: nil)
  }

  /// Creates an image of one colour.
  ///
  /// - Returns: `nil` unless both sides are positive, at most ``largestSide`` and of at most ``largestArea`` together.
  public init?(width: Int, height: Int, filledWith pixel: Pixel, scale: Double = 1) {
    guard Self.isPossible(width: width, height: height) else { return nil }
    let pixels = makePixels(width * height) { bytes in fill(bytes, with: pixel) }
    self.init(trusted: width, height, pixels, scale: scale, colorSpace: .sRGB, file: nil)
  }

  /// The pixel in a column and a row, counted from zero at the top left; `nil` outside of the image.
  public subscript(x: Int, y: Int) -> Pixel? {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
    let offset = (y * width + x) * 4
    return Pixel(
      red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2], alpha: pixels[offset + 3])
  }

  public var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  static func isPossible(width: Int, height: Int) -> Bool {
    (1...largestSide).contains(width) && (1...largestSide).contains(height) && width * height <= largestArea
  }

  init(trusted width: Int, _ height: Int, _ pixels: [UInt8], scale: Double, colorSpace: ColorSpace, file: Data?) {
    self.width = width
    self.height = height
    self.pixels = pixels
    self.scale = Self.thousandths(of: scale)
    self.colorSpace = colorSpace
    self.file = file
  }

  func with(width: Int, height: Int, pixels: [UInt8]) -> Image {
    Image(trusted: width, height, pixels, scale: scale, colorSpace: colorSpace, file: nil)
  }

  /// The precision of a PNG file, which stores pixels for each metre.
  private static func thousandths(of scale: Double) -> Double {
    scale.isFinite ? (min(max(scale, 0.001), 1_000) * 1_000).rounded() / 1_000 : 1
  }
}

extension Image: Hashable {
  public static func == (one: Image, other: Image) -> Bool {
    one.width == other.width && one.height == other.height && one.scale == other.scale
      && one.colorSpace == other.colorSpace && one.hasSamePixels(as: other)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    pixels.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  func hasSamePixels(as other: Image) -> Bool {
    guard pixels.count == other.pixels.count else { return false }
    return pixels.withUnsafeBytes { one in
      other.pixels.withUnsafeBytes { other in
        guard let one = one.baseAddress, let other = other.baseAddress else { return true }
        return one == other || memcmp(one, other, pixels.count) == 0
      }
    }
  }
}

extension Image: CustomStringConvertible {
  /// The size: `640×480`, and `@2x` after it when the scale is not one.
  public var description: String {
    scale == 1 ? "\(width)×\(height)" : "\(width)×\(height)@\(scale == scale.rounded() ? "\(Int(scale))" : "\(scale)")x"
  }
}

/// Each copy doubles the filled part.
func fill(_ bytes: UnsafeMutableBufferPointer<UInt8>, with pixel: Image.Pixel) {
  guard bytes.count >= 4, let start = bytes.baseAddress else { return }
  pixel.store(in: bytes, at: 0)
  var done = 4
  while done < bytes.count {
    let count = min(done, bytes.count - done)
    memcpy(start + done, start, count)
    done += count
  }
}

func makePixels(_ count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count * 4) { buffer, initialized in
    fill(UnsafeMutableBufferPointer(rebasing: buffer.prefix(count * 4)))
    initialized = count * 4
  }
}
