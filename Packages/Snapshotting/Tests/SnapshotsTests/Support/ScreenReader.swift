import Terminal

/// A minimal terminal emulator for the output of the command, with its styles.
struct ScreenReader {
  private(set) var screen: Screen
  /// Whether the alternate screen is active.
  private(set) var isFullScreen = false
  private(set) var isCursorVisible = true
  /// The unknown control sequences, which tests expect to be empty.
  private(set) var unknown: [String] = []
  private var place = Position(column: 0, row: 0)
  /// The main screen and its cursor while the alternate screen is active.
  private var main: (screen: Screen, place: Position)
  private var style = Style.plain
  /// An incomplete control sequence.
  private var rest = ""

  init(columns: Int, rows: Int) {
    screen = Screen(columns: columns, rows: rows)
    main = (screen, place)
  }

  /// The rows as text, without trailing spaces.
  var lines: [String] { screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  /// All cells of the screen.
  var cells: [Cell] {
    (0..<screen.rows).flatMap { row in
      (0..<screen.columns).compactMap { screen[Position(column: $0, row: row)] }
    }
  }

  mutating func receive(_ text: String) {
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
      case "\r": place.column = 0
      case "\n": place.row = min(place.row + 1, screen.rows - 1)
      case "\r\n": place = Position(column: 0, row: min(place.row + 1, screen.rows - 1))
      default: place.column = screen.write(String(character), at: place, style: style)
      }
    }
  }

  private mutating func execute(_ sequence: String) {
    let parameters = String(sequence.dropLast())
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(numbers.first ?? 1, 1)
    switch (sequence.last, parameters) {
    case ("H", _): place = Position(column: max(numbers.count > 1 ? numbers[1] : 1, 1) - 1, row: count - 1)
    case ("A", _): place.row = max(0, place.row - count)
    case ("B", _): place.row = min(screen.rows - 1, place.row + count)
    case ("C", _): place.column += count
    case ("D", _): place.column = max(0, place.column - count)
    case ("J", "2"): screen = Screen(columns: screen.columns, rows: screen.rows)
    case ("K", ""):
      screen.fill(Area(column: place.column, row: place.row, columns: screen.columns - place.column, rows: 1))
    case ("m", _): apply(numbers.isEmpty ? [0] : numbers)
    case ("h", "?1049"): (isFullScreen, main) = (true, (screen, place))
    case ("l", "?1049"): (isFullScreen, screen, place) = (false, main.screen, main.place)
    case ("h", "?25"): isCursorVisible = true
    case ("l", "?25"): isCursorVisible = false
    case ("h", "?2004"), ("l", "?2004"): break
    default: unknown.append(sequence)
    }
  }

  private mutating func apply(_ codes: [Int]) {
    var codes = codes[...]
    while let code = codes.popFirst() {
      switch code {
      case 0: style = .plain
      case 1: style.attributes.insert(.bold)
      case 2: style.attributes.insert(.dim)
      case 7: style.attributes.insert(.inverse)
      case 22: style.attributes.subtract([.bold, .dim])
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
