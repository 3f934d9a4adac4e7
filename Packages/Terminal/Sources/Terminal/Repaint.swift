extension Screen {
  /// Returns the bytes that change a terminal from showing `previous` to showing this screen.
  ///
  /// Writes only cells that differ, with a cursor movement before each run of them, and style sequences only where the style
  /// changes. Without a previous screen of the same size, clears the terminal and paints everything. Returns an
  /// empty text when nothing changed.
  ///
  /// The bytes assume a terminal in its plain style and leave it in that style. Afterwards the cursor is at `cursor`, or
  /// hidden. Terminals disagree about the width of some emoji, so the cursor is placed again after each of them. `.none`
  /// removes colours and keeps attributes.
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
  fileprivate mutating func paint(_ line: [Cell], over old: [Cell], row: Int) {
    for column in line.indices where line[column] != old[column] && !line[column].isRightHalf {
      move(to: Position(column: column, row: row))
      draw(line[column])
    }
  }
}

/// The output under construction, with the cursor position and the style after it.
struct Painter {
  var output = ""
  /// The position of the terminal's cursor, `nil` while it is not certain.
  private(set) var cursor: Position?
  /// The character drawn just before the cursor, `nil` after a cursor movement.
  private var last: Character?
  private let columns: Int
  private let color: ColorCapability
  private var rendition = GraphicRendition.plain

  init(columns: Int, color: ColorCapability) {
    self.columns = columns
    self.color = color
  }

  mutating func draw(_ cell: Cell) {
    guard let character = cell.character else { return }
    set(cell.style)
    // Places the cursor between two characters that would join into one, for example the halves of a flag.
    if let here = cursor, let last, last.joins(character) { output += Self.absolute(here) }
    output.append(character)
    last = character
    guard let here = cursor else { return }
    let next = here.column + Int(cell.columns)
    // At the right edge the cursor stays on the last cell.
    let isCertain = next < columns && !character.hasDisputedWidth
    cursor = isCertain ? Position(column: next, row: here.row) : nil
  }

  mutating func clear() {
    output += "\u{1B}[H\u{1B}[2J"
    cursor = Position(column: 0, row: 0)
  }

  mutating func reset() { set(.plain) }

  /// Moves the cursor to a position, if it is not there already.
  mutating func move(to position: Position) {
    guard cursor != position else { return }
    if let cursor, cursor.row == position.row, cursor.column < position.column {
      output += "\u{1B}[\(position.column - cursor.column)C"
    } else {
      output += Self.absolute(position)
    }
    cursor = position
    last = nil
  }

  mutating func showCursor(_ position: Position?, before: Position?, isKnown: Bool) {
    guard let position else {
      if before != nil || !isKnown { output += "\u{1B}[?25l" }
      return
    }
    // Drawing moves the cursor, so `before` is its position only if nothing was drawn.
    let isUntouched = output.isEmpty && before == position
    if !isUntouched { move(to: position) }
    if before == nil { output += "\u{1B}[?25h" }
  }

  private mutating func set(_ style: Style) {
    let next = GraphicRendition(style, color: color)
    output += next.sequence(after: rendition)
    rendition = next
  }

  private static func absolute(_ position: Position) -> String {
    switch (position.row, position.column) {
    case (0, 0): "\u{1B}[H"
    case (_, 0): "\u{1B}[\(position.row + 1)H"
    case (0, _): "\u{1B}[;\(position.column + 1)H"
    default: "\u{1B}[\(position.row + 1);\(position.column + 1)H"
    }
  }
}

extension Character {
  /// Whether terminals disagree about this character's width: a sequence of several drawn scalars, joiners or variation
  /// selectors.
  fileprivate var hasDisputedWidth: Bool {
    unicodeScalars.dropFirst().contains { scalar in
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: (0xFE00...0xFE0F).contains(scalar.value)
      default: true
      }
    }
  }

  /// Returns whether this character and `next` would join into a single character.
  fileprivate func joins(_ next: Character) -> Bool {
    !(isASCII && next.isASCII) && "\(self)\(next)".count == 1
  }
}
