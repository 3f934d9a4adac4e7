extension Image {
  /// A pixel: eight bits of red, green, blue and alpha, not premultiplied.
  public struct Pixel: Hashable, Sendable {
    /// The amount of red.
    public var red: UInt8
    /// The amount of green.
    public var green: UInt8
    /// The amount of blue.
    public var blue: UInt8
    /// The opacity: 0 is transparent, 255 is opaque.
    public var alpha: UInt8

    /// Creates a pixel.
    ///
    /// - Parameters:
    ///   - red: The amount of red.
    ///   - green: The amount of green.
    ///   - blue: The amount of blue.
    ///   - alpha: The opacity.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    /// Opaque black.
    public static let black = Pixel(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = Pixel(red: 255, green: 255, blue: 255)
    /// Transparent black.
    public static let clear = Pixel(red: 0, green: 0, blue: 0, alpha: 0)

    func store(in bytes: UnsafeMutableBufferPointer<UInt8>, at offset: Int) {
      bytes[offset] = red
      bytes[offset + 1] = green
      bytes[offset + 2] = blue
      bytes[offset + 3] = alpha
    }
  }

  /// A rectangle of whole pixels, with the origin at the top left.
  public struct Rect: Hashable, Sendable, CustomStringConvertible {
    /// The first column.
    public var x: Int
    /// The first row.
    public var y: Int
    /// The number of columns.
    ///
    /// The rectangle is empty if it is not positive.
    public var width: Int
    /// The number of rows.
    ///
    /// The rectangle is empty if it is not positive.
    public var height: Int

    /// Creates a rectangle, which may be empty or outside of a picture.
    ///
    /// - Parameters:
    ///   - x: The first column.
    ///   - y: The first row.
    ///   - width: The number of columns.
    ///   - height: The number of rows.
    public init(x: Int, y: Int, width: Int, height: Int) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    /// Whether the rectangle has no pixels.
    public var isEmpty: Bool { width <= 0 || height <= 0 }

    /// Returns the common part of two rectangles, which may be empty.
    ///
    /// - Parameter other: The other rectangle.
    public func intersection(_ other: Rect) -> Rect {
      let (columns, rows) = (columns.clamped(to: other.columns), rows.clamped(to: other.rows))
      return Rect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    /// The size and the place: `10×4 at (12, 30)`.
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
