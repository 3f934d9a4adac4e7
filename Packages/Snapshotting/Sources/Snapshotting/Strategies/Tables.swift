/// A column of a table.
public struct SnapshotColumn<Row>: Sendable {
  /// The title.
  public let title: String
  /// Returns the text of a row in this column.
  public let text: @Sendable (Row) -> String

  /// Creates a column.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - value: Returns the value of a row, which is shown by its description; `nil` is shown as an empty cell.
  ///
  /// ```swift
  /// SnapshotColumn("Name") { (bird: Bird) in bird.name }
  /// ```
  public init<Cell>(_ title: String, _ value: @escaping @Sendable (Row) -> Cell?) {
    self.title = title
    text = { row in value(row).map { String(describing: $0) } ?? "" }
  }
}

extension Snapshotting where Value: Sequence & SendableMetatype, Format == String {
  /// Shows rows as a table with aligned columns.
  ///
  /// - Parameter columns: The columns, from left to right.
  ///
  /// ```
  /// Name    Length
  /// ------  ------
  /// Puffin  28
  /// Swift   17
  /// ```
  ///
  /// Widths are counted in characters. A line end in a cell is shown as `⏎`; no line ends in a space.
  public static func table(_ columns: [SnapshotColumn<Value.Element>]) -> Snapshotting {
    SimplySnapshotting.lines.pullback { rows in
      let cells = rows.map { row in columns.map { oneLine($0.text(row)) } }
      let titles = columns.map { oneLine($0.title) }
      let widths = titles.indices.map { column in ([titles] + cells).map { $0[column].count }.max() ?? 0 }
      let rules = widths.map { String(repeating: "-", count: $0) }
      return ([titles, rules] + cells).map { line(of: $0, widths) }.joined(separator: "\n")
    }
  }
}

private func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? "⏎" : $0 }) }

private func line(of cells: [String], _ widths: [Int]) -> String {
  let padded = zip(cells, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
  let line = padded.joined(separator: "  ")
  return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
}
