extension Screen {
  /// Returns the bytes that change a terminal from showing `previous` to showing this screen.
  ///
  /// Writes only cells that differ, with a cursor movement before each run of them, and style sequences only where the style
  /// changes. Without a previous screen of the same size, clears the terminal and paints everything. Returns an
  /// empty text when nothing changed.
  ///
  /// The bytes assume a terminal in its plain style and leave it in that style. Afterwards the cursor is at `cursor`, or
  /// hidden. The result does not depend on the terminal's width of disputed sequences: the cursor is placed again after
  /// each of them. `.none` removes colours and keeps attributes.
  ///
  /// Pure. Linear in the number of cells; rows that share storage with the previous screen take constant time.
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
  /// Paints the cells of a row that differ.
  mutating func paint(_ line: [Cell], over old: [Cell], row: Int) {
    let tail = erasableTail(line, over: old)
    var column = 0
    while column < tail {
      let position = Position(column: column, row: row)
      // Up to three unchanged cells before a changed one are shorter than a cursor movement.
      let isBridge = cursor == position && line[column...].prefix(4) != old[column...].prefix(4)
      guard isBridge || line[column] != old[column] else {
        column += 1
        continue
      }
      move(to: position)
      draw(line[column])
      column += max(Int(line[column].columns), 1)
    }
    guard tail < line.count else { return }
    move(to: Position(column: tail, row: row))
    eraseToEndOfLine()
  }

  /// Returns the column to erase from, when erasing to the end of the line is shorter than drawing the changed cells
  /// there; otherwise the line's length.
  private func erasableTail(_ line: [Cell], over old: [Cell]) -> Int {
    let blank = line.lastIndex { !$0.isErased }.map { $0 + 1 } ?? 0
    guard let first = (blank..<line.count).first(where: { line[$0] != old[$0] }) else { return line.count }
    let changed = (first..<line.count).count { line[$0] != old[$0] }
    return changed > Self.eraseCost ? first : line.count
  }
}
