extension Image {
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
