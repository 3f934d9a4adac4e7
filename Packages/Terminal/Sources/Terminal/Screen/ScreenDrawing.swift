extension Screen {
  /// Writes one line of text from a place to the right, clipped at the edges.
  ///
  /// Characters take their display width. A wide character that would cross an edge leaves a blank in the half that is
  /// inside; drawing over half of a wide character blanks its other half. Characters of no width (control characters,
  /// newlines, combining marks without a base) are left out, so no text can smuggle an escape sequence in, and of what is
  /// piled on one character as much is kept as any script needs: `Cell.mostScalars`. A start
  /// outside the screen is fine: what lies inside is drawn.
  ///
  /// - Returns: the column after the text, as if nothing had been clipped: where the next piece goes.
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

  /// Copies another screen onto this one with its top left at a place, clipped at the edges.
  ///
  /// A wide character cut by an edge leaves a blank in the half that is inside. The other screen's cursor is not
  /// copied.
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
  /// The width in cells; nothing is inside when it is zero or less.
  public var columns: Int
  /// The height in rows; nothing is inside when it is zero or less.
  public var rows: Int

  /// The rectangle with its top left cell at `column` and `row`.
  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = columns
    self.rows = rows
  }

  /// The part inside a screen of this size, or `nil` when there is none.
  func clipped(columns width: Int, rows height: Int) -> Area? {
    let across = Self.clip(start: column, count: columns, limit: width)
    let down = Self.clip(start: row, count: rows, limit: height)
    guard !across.isEmpty, !down.isEmpty else { return nil }
    return Area(column: across.lowerBound, row: down.lowerBound, columns: across.count, rows: down.count)
  }

  var columnRange: Range<Int> { column..<(column + columns) }
  var rowRange: Range<Int> { row..<(row + rows) }

  /// The numbers of `start ..< start + count` in `0 ..< limit`, without overflow for any arguments.
  private static func clip(start: Int, count: Int, limit: Int) -> Range<Int> {
    guard count > 0, start < limit else { return 0..<0 }
    let (end, overflows) = start.addingReportingOverflow(count)
    let last = overflows ? limit : min(end, limit)
    return last > max(start, 0) ? max(start, 0)..<last : 0..<0
  }
}
