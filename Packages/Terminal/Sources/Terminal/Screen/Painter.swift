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
    // At the right edge the cursor stays on the last cell, and terminals disagree about a relative move from there.
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

  mutating func jump(_ move: String, to position: Position) {
    output += move
    cursor = position
    if !move.isEmpty { last = nil }
  }

  mutating func showCursor(_ position: Position?, before: Position?, isKnown: Bool) {
    guard let position else {
      if before != nil || !isKnown { output += "\u{1B}[?25l" }
      return
    }
    // Drawing moves the cursor, so `before` is its position only if nothing was drawn.
    let isUntouched = output.isEmpty && before == position
    if !isUntouched { jump(cursorMove(to: position), to: position) }
    if before == nil { output += "\u{1B}[?25h" }
  }

  /// Returns the shortest sequence that moves the cursor to `target`; empty when it is already at this position.
  func cursorMove(to target: Position) -> String {
    var best = Self.absolute(target)
    guard let cursor, cursor != target else { return cursor == target ? "" : best }
    if cursor.row == target.row {
      if target.column > cursor.column { Self.shorter(&best, Self.csi(target.column - cursor.column, "C")) }
      if target.column < cursor.column {
        Self.shorter(&best, Self.csi(cursor.column - target.column, "D"))
        Self.shorter(&best, target.column == 0 ? "\r" : best)
        if cursor.column - target.column < 4 {
          Self.shorter(&best, String(repeating: "\u{8}", count: cursor.column - target.column))
        }
      }
    } else if cursor.column == target.column {
      let distance = target.row - cursor.row
      Self.shorter(&best, Self.csi(abs(distance), distance > 0 ? "B" : "A"))
    }
    return best
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

  private static func csi(_ count: Int, _ letter: String) -> String {
    count == 1 ? "\u{1B}[\(letter)" : "\u{1B}[\(count)\(letter)"
  }

  private static func shorter(_ best: inout String, _ candidate: String) {
    if candidate.utf8.count < best.utf8.count { best = candidate }
  }
}
