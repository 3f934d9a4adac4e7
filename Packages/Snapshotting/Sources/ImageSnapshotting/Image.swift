internal import Foundation

/// An image: rows of pixels with eight bits of red, green, blue and alpha in sRGB, not premultiplied.
///
/// ```swift
/// let chart = try Image(png: Data(contentsOf: file))
/// chart[0, 0]                                          // the pixel at the top left
/// chart.masked([Image.Rect(x: 8, y: 8, width: 32, height: 32)])
/// ```
///
/// An image has at least one pixel. Two images are equal if their size, scale and pixels are equal.
public struct Image: Sendable {
  public let width: Int

  public let height: Int

  /// The number of pixels in a point, rounded to thousandths: 2 for an image of a Retina display.
  public let scale: Double

  /// Red, green, blue and alpha of each pixel, row by row from the top left.
  public let pixels: [UInt8]

  /// The environment that made the image: names and values such as `browser` and its version.
  ///
  /// A PNG file keeps it as text. If two images do not match, the report begins with the values that differ.
  ///
  /// ```swift
  /// image.environment = ["renderer": "Skia 142", "fonts": "DejaVu Sans 2.37"]
  /// ```
  ///
  /// A name must not contain `:`, and line feeds become spaces.
  public var environment: [String: String] = [:]

  /// The maximum number of pixels of a side.
  public static let largestSide = 1_000_000

  /// The maximum number of pixels of an image, whose size in bytes has 31 bits.
  public static let largestArea = 1 << 29 - 1

  /// Creates an image of pixels.
  ///
  /// - Returns: `nil` unless both sides are positive and at most ``largestSide``, the area is at most ``largestArea``,
  ///   and each pixel has four bytes.
  public init?(width: Int, height: Int, pixels: [UInt8], scale: Double = 1) {
    guard Self.isPossible(width: width, height: height), pixels.count == width * height * 4 else { return nil }
    self.init(trusted: width, height, pixels, scale: scale)
  }

  /// Creates an image of one colour.
  ///
  /// - Returns: `nil` for the sizes that ``init(width:height:pixels:scale:)`` refuses.
  public init?(width: Int, height: Int, filledWith pixel: Pixel, scale: Double = 1) {
    guard Self.isPossible(width: width, height: height) else { return nil }
    self.init(
      trusted: width, height, makePixels(width * height) { fill(UnsafeMutableRawBufferPointer($0), with: pixel) },
      scale: scale)
  }

  /// The pixel in a column and a row, counted from zero at the top left; `nil` outside of the image.
  public subscript(x: Int, y: Int) -> Pixel? {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return nil }
    let offset = (y * width + x) * 4
    return Pixel(
      red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2], alpha: pixels[offset + 3])
  }

  public var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

  /// Whether all pixels are equal.
  public var isOneColor: Bool {
    // Each pixel equals the next one.
    pixels.withUnsafeBytes { bytes in
      bytes.baseAddress.map { memcmp($0, $0 + 4, bytes.count - 4) == 0 } ?? true
    }
  }

  /// Returns the image with rectangles of one colour, which are clipped to the image.
  public func masked(_ rects: some Sequence<Rect>, with pixel: Pixel = .black) -> Image {
    var result = pixels
    result.withUnsafeMutableBytes { bytes in
      for part in rects.map({ $0.intersection(bounds) }) {
        for start in part.rows.map({ ($0 * width + part.x) * 4 }) {
          fill(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + part.width * 4]), with: pixel)
        }
      }
    }
    return with(width: width, height: height, pixels: result)
  }

  /// Returns the image in another size, in which each pixel is the average of the visible pixels that it covers.
  ///
  /// - Returns: `nil` for the sizes that ``init(width:height:pixels:scale:)`` refuses.
  public func resized(width newWidth: Int, height newHeight: Int) -> Image? {
    guard Self.isPossible(width: newWidth, height: newHeight) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(newWidth * newHeight * 4)
    for y in 0..<newHeight {
      let top = y * height / newHeight
      let rows = top..<max((y + 1) * height / newHeight, top + 1)
      for x in 0..<newWidth {
        let left = x * width / newWidth
        result += average(left..<max((x + 1) * width / newWidth, left + 1), rows)
      }
    }
    return with(width: newWidth, height: newHeight, pixels: result)
  }

  private func average(_ columns: Range<Int>, _ rows: Range<Int>) -> [UInt8] {
    var (red, green, blue, alpha) = (0, 0, 0, 0)
    for y in rows {
      for x in columns {
        let index = 4 * (y * width + x)
        let weight = Int(pixels[index + 3])
        red += Int(pixels[index]) * weight
        green += Int(pixels[index + 1]) * weight
        blue += Int(pixels[index + 2]) * weight
        alpha += weight
      }
    }
    guard alpha > 0 else { return [0, 0, 0, 0] }
    return [red / alpha, green / alpha, blue / alpha, alpha / (columns.count * rows.count)].map { UInt8($0) }
  }

  static func isPossible(width: Int, height: Int) -> Bool {
    (1...largestSide).contains(width) && (1...largestSide).contains(height) && width * height <= largestArea
  }

  init(trusted width: Int, _ height: Int, _ pixels: [UInt8], scale: Double) {
    self.width = width
    self.height = height
    self.pixels = pixels
    // The precision of a PNG file, which stores pixels for each metre.
    self.scale = scale.isFinite ? (min(max(scale, 0.001), 1_000) * 1_000).rounded() / 1_000 : 1
  }

  private func with(width: Int, height: Int, pixels: [UInt8]) -> Image {
    var image = Image(trusted: width, height, pixels, scale: scale)
    image.environment = environment
    return image
  }
}

extension Image: Hashable {
  public static func == (one: Image, other: Image) -> Bool {
    one.width == other.width && one.height == other.height && one.scale == other.scale
      && one.hasSamePixels(as: other)
  }

  public func hash(into hasher: inout Hasher) {
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

extension Image {
  /// A pixel: eight bits of red, green, blue and alpha, not premultiplied.
  public struct Pixel: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    /// The opacity: 0 is transparent, 255 is opaque.
    public var alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    public static let black = Pixel(red: 0, green: 0, blue: 0)
    public static let white = Pixel(red: 255, green: 255, blue: 255)
    public static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)
  }

  /// A rectangle of whole pixels, with the origin at the top left.
  public struct Rect: Hashable, Sendable, CustomStringConvertible {
    public var x: Int
    public var y: Int
    /// The rectangle is empty if it is not positive.
    public var width: Int
    public var height: Int

    /// Creates a rectangle, which may be empty or outside of an image.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    public var isEmpty: Bool { width <= 0 || height <= 0 }

    public func intersection(_ other: Rect) -> Rect {
      let (columns, rows) = (columns.clamped(to: other.columns), rows.clamped(to: other.rows))
      return Rect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    public var description: String { "\(width)×\(height) at (\(x), \(y))" }

    var columns: Range<Int> { x..<Self.end(x, width) }
    var rows: Range<Int> { y..<Self.end(y, height) }

    /// The end of a side, limited to the range of integers.
    private static func end(_ start: Int, _ count: Int) -> Int {
      let (end, overflows) = start.addingReportingOverflow(max(count, 0))
      return overflows ? .max : end
    }
  }
}

func makePixels(_ count: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count * 4) { buffer, initialized in
    fill(UnsafeMutableBufferPointer(rebasing: buffer.prefix(count * 4)))
    initialized = count * 4
  }
}

private func fill(_ bytes: UnsafeMutableRawBufferPointer, with pixel: Image.Pixel) {
  let word = [pixel.alpha, pixel.blue, pixel.green, pixel.red].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
  bytes.initializeMemory(as: UInt32.self, repeating: word.littleEndian)
}
