extension Screen {
  /// Writes one line of text to the right of a position, clipped at the edges.
  ///
  /// A character takes its display width. A wide character across an edge leaves a blank in its inner half. Drawing over
  /// half of a wide character blanks its other half. Characters of width zero (control characters, newlines, combining
  /// marks without a base) are omitted, so the text cannot contain escape sequences. A character keeps at most
  /// `Cell.maximumScalars` scalars, enough for every script. If the start is outside the screen, the part inside is drawn.
  ///
  /// - Returns: The column after the text, before clipping: the start of the next piece.
  @discardableResult
  public mutating func write(_ text: some StringProtocol, at position: Position, style: Style = .plain) -> Int {
    var column = position.column
    let visible = columns > 0 && lines.indices.contains(position.row)
    for character in text {
      let character = character.shortened
      let width = character.displayWidth
      guard width > 0 else { continue }
      let (next, overflows) = column.addingReportingOverflow(width)
      guard !overflows else { return column }
      if visible, column < columns, next > 0 {
        if column >= 0, next <= columns {
          place(Cell(character: character, style: style, columns: Int8(width)), column: column, row: position.row)
        } else {
          place(.blank(style), column: max(column, 0), row: position.row)
        }
      }
      column = next
    }
    return column
  }

  /// Fills a rectangle, clipped at the edges, with a character of one column in a style; a space clears it.
  ///
  /// A character of another width fills with spaces.
  public mutating func fill(_ area: Area, with character: Character = " ", style: Style = .plain) {
    guard let area = area.clipped(columns: columns, rows: rows) else { return }
    let character = character.shortened
    let cell = character.displayWidth == 1 ? Cell(character: character, style: style, columns: 1) : .blank(style)
    for row in area.rowRange {
      for column in area.columnRange { place(cell, column: column, row: row) }
    }
  }

  /// Copies another screen onto this one with its top left corner at a position, clipped at the edges.
  ///
  /// A wide character across an edge leaves a blank in its inner half. The other screen's cursor is not copied.
  public mutating func blit(_ other: Screen, at position: Position) {
    let target = Area(column: position.column, row: position.row, columns: other.columns, rows: other.rows)
    guard let area = target.clipped(columns: columns, rows: rows) else { return }
    for row in area.rowRange {
      let source = other.lines[row - position.row]
      for column in area.columnRange {
        let cell = source[column - position.column]
        if cell.isRightHalf, column > area.column { continue }
        let fits = !cell.isRightHalf && column + Int(cell.columns) <= area.columnRange.upperBound
        place(fits ? cell : .blank(cell.style), column: column, row: row)
      }
    }
  }
}

/// A rectangle of cells.
public struct Area: Hashable, Sendable {
  /// The leftmost column, counted from 0.
  public var column: Int
  /// The topmost row, counted from 0.
  public var row: Int
  /// The width in cells; the area is empty when it is zero or less.
  public var columns: Int
  /// The height in rows; the area is empty when it is zero or less.
  public var rows: Int

  /// Creates an area with its top left cell at `column` and `row`.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = columns
    self.rows = rows
  }

  /// Returns the part inside a screen of this size, or `nil` when it is empty.
  func clipped(columns width: Int, rows height: Int) -> Area? {
    let across = Self.clip(start: column, count: columns, limit: width)
    let down = Self.clip(start: row, count: rows, limit: height)
    guard !across.isEmpty, !down.isEmpty else { return nil }
    return Area(column: across.lowerBound, row: down.lowerBound, columns: across.count, rows: down.count)
  }

  var columnRange: Range<Int> { column..<(column + columns) }
  var rowRange: Range<Int> { row..<(row + rows) }

  /// Returns the intersection of `start ..< start + count` and `0 ..< limit`, without overflow for any arguments.
  private static func clip(start: Int, count: Int, limit: Int) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let (end, overflows) = start.addingReportingOverflow(count)
    return (start..<(overflows ? .max : end)).clamped(to: 0..<limit)
  }
}
