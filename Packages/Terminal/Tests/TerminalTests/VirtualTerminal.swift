@testable import Terminal

/// A terminal in memory that executes the bytes of a repaint and records unknown sequences.
struct VirtualTerminal {
  struct Glyph: Hashable {
    /// The character, "" in the right half of a wide one.
    var character: String
    var style: Style
  }

  private(set) var rows: [[Glyph]]
  private(set) var cursor = Position(column: 0, row: 0)
  private(set) var isCursorVisible = true
  private(set) var style = Style.plain
  private(set) var unknown: [String] = []
  private let columns: Int
  /// After a character in the last column the cursor stays on it, and the next character would wrap.
  private var isWrapPending = false

  init(columns: Int, rows: Int) {
    self.columns = columns
    let blank = Glyph(character: " ", style: .plain)
    self.rows = Array(repeating: Array(repeating: blank, count: columns), count: rows)
  }

  mutating func receive(_ bytes: String) {
    var input = Substring(bytes)
    while let character = input.popFirst() {
      switch character {
      case "\u{1B}": control(&input)
      case "\r": move { $0.column = 0 }
      case "\u{8}": move { $0.column -= 1 }
      default: draw(character)
      }
    }
  }

  private mutating func draw(_ character: Character) {
    let width = character.displayWidth
    guard !isWrapPending, width > 0, cursor.column + width <= columns, rows.indices.contains(cursor.row) else {
      unknown.append("a character at \(cursor): \(character)")
      return
    }
    for column in cursor.column..<cursor.column + width { clear(column) }
    rows[cursor.row][cursor.column] = Glyph(character: String(character), style: style)
    if width == 2 { rows[cursor.row][cursor.column + 1] = Glyph(character: "", style: style) }
    isWrapPending = cursor.column + width == columns
    cursor.column = min(cursor.column + width, columns - 1)
  }

  /// Blanks a cell, and the other half of a wide character with it.
  private mutating func clear(_ column: Int) {
    let row = cursor.row
    if rows[row][column].character.isEmpty { rows[row][column - 1].character = " " }
    if column + 1 < columns, rows[row][column + 1].character.isEmpty { rows[row][column + 1].character = " " }
    rows[row][column] = Glyph(character: " ", style: .plain)
  }

  private mutating func control(_ input: inout Substring) {
    guard input.popFirst() == "[" else { return unknown.append("an escape") }
    var parameters = ""
    while let character = input.popFirst() {
      guard character.isASCII, character.isLetter else {
        parameters.append(character)
        continue
      }
      return carryOut(character, parameters)
    }
    unknown.append("half a sequence")
  }

  private mutating func carryOut(_ final: Character, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(numbers.first ?? 1, 1)
    switch (final, parameters) {
    case ("H", _):
      move { $0 = Position(column: max(numbers.count > 1 ? numbers[1] : 1, 1) - 1, row: count - 1) }
    case ("A", _): move { $0.row -= count }
    case ("B", _): move { $0.row += count }
    case ("C", _): move { $0.column += count }
    case ("D", _): move { $0.column -= count }
    case ("J", "2"): self = with { $0.rows = VirtualTerminal(columns: columns, rows: rows.count).rows }
    case ("K", ""): for column in cursor.column..<columns { clear(column) }
    case ("m", _): render(numbers.isEmpty ? [0] : numbers)
    case ("h", "?25"): isCursorVisible = true
    case ("l", "?25"): isCursorVisible = false
    default: unknown.append("\(parameters)\(final)")
    }
  }

  /// Moves the cursor, which stops at the edges.
  private mutating func move(_ change: (inout Position) -> Void) {
    change(&cursor)
    cursor.column = min(max(cursor.column, 0), columns - 1)
    cursor.row = min(max(cursor.row, 0), rows.count - 1)
    isWrapPending = false
  }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  private mutating func render(_ codes: [Int]) {
    var codes = codes[...]
    while let code = codes.popFirst() {
      switch code {
      case 0: style = .plain
      case 1: style.attributes.insert(.bold)
      case 2: style.attributes.insert(.dim)
      case 3: style.attributes.insert(.italic)
      case 4: style.attributes.insert(.underline)
      case 7: style.attributes.insert(.inverse)
      case 22: style.attributes.subtract([.bold, .dim])
      case 23: style.attributes.remove(.italic)
      case 24: style.attributes.remove(.underline)
      case 27: style.attributes.remove(.inverse)
      case 30...37, 90...97, 39, 38: style.foreground = color(code % 10, code >= 90, &codes)
      case 40...47, 100...107, 49, 48: style.background = color(code % 10, code >= 100, &codes)
      default: unknown.append("\(code)m")
      }
    }
  }

  private mutating func color(_ digit: Int, _ isBright: Bool, _ codes: inout ArraySlice<Int>) -> Color {
    switch (digit, digit == 8 ? codes.popFirst() : nil) {
    case (9, _): return .default
    case (8, 5): return .palette(UInt8(codes.popFirst() ?? 0))
    case (8, 2): return .rgb(component(&codes), component(&codes), component(&codes))
    case (0...7, _): return ANSIColor(rawValue: UInt8(digit + (isBright ? 8 : 0))).map(Color.ansi) ?? .default
    default:
      unknown.append("colour \(digit)")
      return .default
    }
  }

  private func component(_ codes: inout ArraySlice<Int>) -> UInt8 { UInt8(codes.popFirst() ?? 0) }
}

extension Screen {
  /// Returns readable text for what a terminal with these colours shows of this screen, for comparisons.
  func shown(color: ColorCapability = .trueColor) -> [String] {
    lines.map { line in
      line.map { cell in
        let style = GraphicRendition(cell.style, color: color).style
        return VirtualTerminal.Glyph(character: cell.character.map(String.init) ?? "", style: style).description
      }.joined(separator: "|")
    }
  }
}

extension VirtualTerminal {
  /// The visible cells in the same format.
  var shown: [String] { rows.map { $0.map(\.description).joined(separator: "|") } }
}

extension VirtualTerminal.Glyph {
  /// The character and its style; a space without a visible style is any space.
  var description: String {
    let isAnySpace = Cell(character: character.first, style: style, columns: 1).isErased
    guard !isAnySpace, style != .plain else { return character }
    return "\(character)\(style.foreground)/\(style.background)/\(style.attributes.rawValue)"
  }
}
