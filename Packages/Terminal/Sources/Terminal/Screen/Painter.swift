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

  /// The number of bytes that erase to the end of a line.
  static let eraseCost = 3

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

  /// Erases in the plain style, because terminals disagree about the background of an erased cell.
  mutating func eraseToEndOfLine() {
    reset()
    output += "\u{1B}[K"
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
  ///
  /// The cursor should be placed again after it.
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
