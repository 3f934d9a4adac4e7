public import Terminal

/// A terminal in memory that executes the output of a program: characters, styles, cursor movements and both screens.
///
/// ```swift
/// var reader = ScreenReader(columns: 80, rows: 24)
/// reader.receive(output)
/// #expect(reader.lines[0] == "Words" && reader.unknown == [])
/// ```
///
/// It knows the control sequences that `Terminal` writes. It does not scroll: a line feed in the last row stays there.
public struct ScreenReader: Sendable {
  public private(set) var screen: Screen
  public private(set) var cursor = Position(column: 0, row: 0)
  public private(set) var isFullScreen = false
  /// Whether the alternate screen has been active at any time.
  public private(set) var hasBeenFullScreen = false
  public private(set) var isCursorVisible = true
  /// Whether the program has begun a synchronized update and not ended it.
  public private(set) var isDrawing = false
  /// The control sequences that it does not know, without `ESC [`; they are ignored.
  public private(set) var unknown: [String] = []
  /// The main screen and its cursor while the alternate screen is active.
  private var main: (screen: Screen, cursor: Position)
  private var style = Style.plain
  /// An incomplete control sequence.
  private var rest = ""

  /// Creates an empty main screen.
  public init(columns: Int, rows: Int) {
    screen = Screen(columns: columns, rows: rows)
    main = (screen, cursor)
  }

  /// The rows as text, without trailing spaces.
  public var lines: [String] { screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  public var rows: [[Cell]] { screen.lines }

  /// Executes output; it may end within a control sequence.
  public mutating func receive(_ text: String) {
    var input = Substring(rest + text)
    rest = ""
    while let character = input.first {
      if character == "\u{1B}" {
        guard let end = input.dropFirst(2).firstIndex(where: { $0.isLetter }) else {
          rest = String(input)
          return
        }
        execute(String(input[input.index(input.startIndex, offsetBy: 2)...end]))
        input = input[input.index(after: end)...]
        continue
      }
      input.removeFirst()
      switch character {
      case "\r": cursor.column = 0
      case "\u{8}": cursor.column = max(cursor.column - 1, 0)
      case "\n": cursor.row = min(cursor.row + 1, screen.rows - 1)
      case "\r\n": cursor = Position(column: 0, row: min(cursor.row + 1, screen.rows - 1))
      default: cursor.column = screen.write(String(character), at: cursor, style: style)
      }
    }
  }

  private mutating func execute(_ sequence: String) {
    let parameters = String(sequence.dropLast())
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(numbers.first ?? 1, 1)
    switch (sequence.last, parameters) {
    case ("H", _): cursor = Position(column: max(numbers.count > 1 ? numbers[1] : 1, 1) - 1, row: count - 1)
    case ("A", _): cursor.row -= count
    case ("B", _): cursor.row += count
    case ("C", _): cursor.column += count
    case ("D", _): cursor.column -= count
    case ("J", "2"): screen = Screen(columns: screen.columns, rows: screen.rows)
    case ("m", _): apply(numbers.isEmpty ? [0] : numbers)
    case ("h", "?1049"):
      // A program that resumes twice in succession enables it twice, which changes nothing in a terminal.
      if !isFullScreen { main = (screen, cursor) }
      (isFullScreen, hasBeenFullScreen) = (true, true)
    case ("l", "?1049"): (isFullScreen, screen, cursor) = (false, main.screen, main.cursor)
    case ("h", "?25"): isCursorVisible = true
    case ("l", "?25"): isCursorVisible = false
    case ("h", "?2026"): isDrawing = true
    case ("l", "?2026"): isDrawing = false
    case ("h", "?2004"), ("l", "?2004"): break
    default: unknown.append(sequence)
    }
    cursor.row = min(max(cursor.row, 0), screen.rows - 1)
    cursor.column = min(max(cursor.column, 0), screen.columns - 1)
  }

  private mutating func apply(_ codes: [Int]) {
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
      case 30...39, 90...97: style.foreground = color(code % 10, code >= 90, &codes)
      case 40...49, 100...107: style.background = color(code % 10, code >= 100, &codes)
      default: unknown.append("\(code)m")
      }
    }
  }

  private func color(_ digit: Int, _ isBright: Bool, _ codes: inout ArraySlice<Int>) -> Color {
    func next() -> UInt8 { UInt8(clamping: codes.popFirst() ?? 0) }
    if digit == 9 { return .default }
    guard digit == 8 else { return ANSIColor(rawValue: UInt8(digit + (isBright ? 8 : 0))).map(Color.ansi) ?? .default }
    return codes.popFirst() == 5 ? .palette(next()) : .rgb(next(), next(), next())
  }
}
