extension Image {
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

    /// Creates a rectangle, which may be empty or outside of an image.
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
