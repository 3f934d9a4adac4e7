@_exported public import TextLayout

/// Rows of text in columns, aligned by display width.
///
/// ```swift
/// var table = TextTable([.init("Name"), .init("Size", alignment: .right)])
/// table.rows = [["Puffin", "640×480"], ["鳥", "32×32"]]
/// print(table.lines().joined(separator: "\n"))
/// // Name       Size
/// // Puffin  640×480
/// // 鳥        32×32
/// ```
public struct TextTable: Hashable, Sendable {
  public struct Column: Hashable, Sendable {
    public var title: String
    public var alignment: TextAlignment

    public init(_ title: String, alignment: TextAlignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  public var columns: [Column]
  /// The cells of each row; missing cells at the end are empty, and cells beyond the columns are omitted.
  public var rows: [[String]]

  public init(_ columns: [Column], rows: [[String]] = []) {
    self.columns = columns
    self.rows = rows
  }

  /// Returns the table's lines, with two spaces between columns and no trailing spaces.
  ///
  /// The titles come first, and are omitted when all are empty. With `width` the lines have at most this many columns:
  /// the widest table columns shrink first, and an ellipsis replaces the end of their text. If there is no room for one
  /// character of each column, lines are truncated.
  public func lines(width limit: Int? = nil) -> [String] {
    let texts = (columns.contains { !$0.title.isEmpty } ? [columns.map(\.title)] : []) + rows
    let cells = texts.map { row in columns.indices.map { row.indices.contains($0) ? row[$0].printable : "" } }
    var widths = columns.indices.map { column in cells.map { $0[column].displayWidth }.max() ?? 0 }
    if let limit { widths = Self.shrunk(widths, to: limit - Self.gap.count * max(columns.count - 1, 0)) }
    return cells.map { row in
      let fitted = columns.indices.map { row[$0].fitted(toColumns: widths[$0], alignment: columns[$0].alignment) }
      let line = fitted.joined(separator: Self.gap)
      let trimmed = line.trimmingEnd
      return limit.map { trimmed.truncated(toColumns: $0) } ?? trimmed
    }
  }

  private static let gap = "  "

  /// Returns the widths reduced to a common maximum so that their sum is within the limit; none below one.
  static func shrunk(_ widths: [Int], to limit: Int) -> [Int] {
    guard widths.reduce(0, +) > limit else { return widths }
    var remaining = limit
    var result = widths
    // From the narrowest: a column within its share of the remaining width keeps its width.
    let order = widths.indices.sorted { widths[$0] < widths[$1] }
    for (place, index) in order.enumerated() {
      let share = remaining / (order.count - place)
      result[index] = min(widths[index], max(share, 1))
      remaining -= result[index]
    }
    return result
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    lastIndex { $0 != " " }.map { String(self[...$0]) } ?? ""
  }
}
