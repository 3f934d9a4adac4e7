import Foundation

/// A minimal terminal emulator for the demo's output, with its characters and highlights.
struct DemoScreenReader {
  private struct Cell {
    var character: Character = " "
    var isInverse = false
    /// The right half of a wide character.
    var isTail = false
  }

  private var cells: [[Cell]]
  private var row = 0
  private var column = 0
  private var isInverse = false
  private var isBold = false
  private var rest = ""
  /// The unknown control sequences, which tests expect to be empty.
  private(set) var unknown: [String] = []
  /// Whether the alternate screen is active.
  private(set) var isFullScreen = false
  /// Whether the alternate screen has ever been active.
  private(set) var hasBeenFullScreen = false
  /// Whether a synchronized update is incomplete.
  private(set) var isDrawing = false

  init(columns: Int, rows: Int) {
    cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
  }

  /// The rows as text, without trailing spaces.
  var lines: [String] {
    cells.map { row in
      let text = String(row.filter { !$0.isTail }.map(\.character))
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// The highlighted text, without bold titles.
  var highlighted: String {
    cells.dropFirst().map { row in String(row.filter { $0.isInverse && !$0.isTail }.map(\.character)) }.joined()
  }

  /// The focus: the highlighted text, or the position of the caret.
  var focus: String { highlighted.isEmpty ? "the caret at \(row), \(column)" : highlighted }

  mutating func receive(_ text: String) {
    var input = Substring(rest + text)
    rest = ""
    while let character = input.first {
      if character == "\u{1B}" {
        guard let sequence = Self.sequence(input) else {
          rest = String(input)
          return
        }
        input = input.dropFirst(sequence.count)
        execute(String(sequence.dropFirst(2)))
        continue
      }
      input.removeFirst()
      switch character {
      case "\r": column = 0
      case "\u{8}": column = max(column - 1, 0)
      case "\n", "\r\n": row = min(row + 1, cells.count - 1)
      default: draw(character)
      }
    }
  }

  /// The control sequence at the start, or `nil` if it is incomplete.
  private static func sequence(_ input: Substring) -> Substring? {
    guard let end = input.dropFirst(2).firstIndex(where: { $0.isLetter }) else { return nil }
    return input[...end]
  }

  private mutating func draw(_ character: Character) {
    guard cells.indices.contains(row), cells[row].indices.contains(column) else { return }
    let isWide = character.unicodeScalars.contains {
      (0x1100...0x115F).contains($0.value) || (0x2E80...0xA4CF).contains($0.value)
        || (0xAC00...0xD7A3).contains($0.value) || (0xFF00...0xFF60).contains($0.value)
        || (0x1F300...0x1FAFF).contains($0.value)
    }
    cells[row][column] = Cell(character: character, isInverse: isInverse && !isBold)
    if isWide, column + 1 < cells[row].count {
      cells[row][column + 1] = Cell(isInverse: isInverse && !isBold, isTail: true)
    }
    column = min(column + (isWide ? 2 : 1), cells[row].count)
  }

  private mutating func execute(_ sequence: String) {
    let parameters = String(sequence.dropLast())
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let count = max(numbers.first ?? 1, 1)
    switch (sequence.last, parameters) {
    case ("H", _): (row, column) = (count - 1, max(numbers.count > 1 ? numbers[1] : 1, 1) - 1)
    case ("A", _): row -= count
    case ("B", _): row += count
    case ("C", _): column += count
    case ("D", _): column -= count
    case ("J", "2"): for index in cells.indices { cells[index] = cells[index].map { _ in Cell() } }
    case ("K", ""): for index in column..<cells[row].count { cells[row][index] = Cell() }
    case ("m", _):
      for number in numbers.isEmpty ? [0] : numbers {
        if number == 7 { isInverse = true }
        if number == 0 || number == 27 { isInverse = false }
        if number == 1 { isBold = true }
        if number == 0 || number == 22 { isBold = false }
      }
    case ("h", "?1049"): (isFullScreen, hasBeenFullScreen) = (true, true)
    case ("l", "?1049"): isFullScreen = false
    case ("h", "?2026"): isDrawing = true
    case ("l", "?2026"): isDrawing = false
    case ("h", "?25"), ("l", "?25"), ("h", "?2004"), ("l", "?2004"): break
    default: unknown.append(sequence)
    }
    row = min(max(row, 0), cells.count - 1)
    column = min(max(column, 0), cells[row].count - 1)
  }
}
