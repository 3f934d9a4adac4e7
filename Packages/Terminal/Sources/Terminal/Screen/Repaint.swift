extension Screen {
  /// The bytes that make a terminal which shows `previous` show this screen.
  ///
  /// Only cells that differ are written; the cursor takes the shortest way between them and a style is spelt out only
  /// where it changes. Without a previous screen, or with one of another size, everything is cleared and painted.
  /// Nothing is written when nothing changed.
  ///
  /// The bytes assume that the terminal is in its plain style when they arrive and leave it so; after them the cursor is
  /// at `cursor`, or hidden. They do not count on the terminal to agree with `displayWidth`
  /// about sequences whose width terminals disagree on: the cursor is placed anew after each. `.none` drops colours
  /// and keeps attributes.
  ///
  /// Pure. Linear in the number of cells; rows that share storage with the previous screen's cost nothing.
  public func repaint(from previous: Screen?, color: ColorCapability) -> String {
    var painter = Painter(columns: columns, color: color)
    let known = previous.flatMap { $0.columns == columns && $0.rows == rows ? $0 : nil }
    let old = known ?? Screen(columns: columns, rows: rows)
    if known == nil { painter.clear() }
    for row in 0..<rows where lines[row] != old.lines[row] {
      painter.paint(lines[row], over: old.lines[row], row: row)
    }
    painter.reset()
    painter.showCursor(visibleCursor, before: known?.visibleCursor, isKnown: known != nil)
    return painter.output
  }

  private var visibleCursor: Position? {
    cursor.flatMap { self[$0] == nil ? nil : $0 }
  }
}

extension Painter {
  /// Paints what differs in a row.
  mutating func paint(_ line: [Cell], over old: [Cell], row: Int) {
    let tail = erasableTail(line, over: old)
    var column = 0
    while column < tail {
      guard line[column] != old[column] else {
        column += 1
        continue
      }
      bridge(to: column, row: row, line: line)
      draw(line[column])
      column += max(Int(line[column].columns), 1)
    }
    guard tail < line.count else { return }
    bridge(to: tail, row: row, line: line)
    eraseToEndOfLine()
  }

  /// The first column from which erasing to the end of the line is shorter than drawing what changed there; the
  /// line's length when it is not.
  private func erasableTail(_ line: [Cell], over old: [Cell]) -> Int {
    let blank = line.lastIndex { !$0.isErased }.map { $0 + 1 } ?? 0
    guard let first = (blank..<line.count).first(where: { line[$0] != old[$0] }) else { return line.count }
    let changed = (first..<line.count).count { line[$0] != old[$0] }
    return changed > Self.eraseCost ? first : line.count
  }

  /// Brings the cursor to a cell of the row, over the unchanged cells between where drawing them again is the
  /// shorter way.
  private mutating func bridge(to column: Int, row: Int, line: [Cell]) {
    let move = cursorMove(to: Position(column: column, row: row))
    if let here = cursor, here.row == row, here.column < column {
      let between = line[here.column..<column]
      var redrawn = self
      redrawn.output = ""
      for cell in between where redrawn.output.utf8.count < move.utf8.count { redrawn.draw(cell) }
      let arrived = redrawn.cursor == Position(column: column, row: row)
      if arrived, redrawn.output.utf8.count < move.utf8.count {
        let drawn = redrawn.output
        swap(&redrawn.output, &output)  // Not a copy: the output grows in place.
        self = redrawn
        output += drawn
        return
      }
    }
    jump(move, to: Position(column: column, row: row))
  }
}
