import TestSupport

@testable import Terminal

/// Repeatable random numbers, and the few choices the properties need.
struct Seeded: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(_ seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func one<Element>(of elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }

  mutating func text(_ length: ClosedRange<Int>, of characters: [String] = Seeded.characters) -> String {
    (0..<number(length)).map { _ in one(of: characters) }.joined()
  }

  /// Characters of each width, and characters that join with their neighbours.
  static let characters = [
    "a", "b", "z", " ", " ", " ", "é", "e\u{301}", "鳥", "Ａ", "한", "🐧", "👩‍🚀", "🇫🇷", "🇫", "❤\u{FE0F}", "\u{600}",
    "क\u{94D}", "ष", "\u{1B}", "\n", "\u{301}", "▀",
  ]

  mutating func style() -> Style {
    let colors: [Color] = [.default, .default, .red, .ansi(.brightBlue), .palette(200), .rgb(1, 2, 3)]
    return Style(
      foreground: one(of: colors), background: one(of: colors),
      attributes: Attributes(rawValue: UInt8(number(0...3) == 0 ? number(0...31) : 0)))
  }

  /// Draws random texts and areas, some of them beyond the edges.
  mutating func draw(on screen: inout Screen, steps: Int) {
    for _ in 0..<steps {
      let column = number(-4...screen.columns + 2)
      let row = number(-2...screen.rows + 1)
      switch number(0...5) {
      case 0:
        let area = Area(column: column, row: row, columns: number(-1...6), rows: number(-1...3))
        screen.fill(area, with: one(of: [" ", "#", "鳥"]), style: style())
      case 1:
        var other = Screen(columns: number(0...6), rows: number(0...3))
        other.write(text(0...6), at: Position(column: 0, row: 0), style: style())
        screen.blit(other, at: Position(column: column, row: row))
      default:
        screen.write(text(0...12), at: Position(column: column, row: row), style: style())
      }
    }
    screen.cursor = number(0...2) == 0 ? Position(column: number(0...screen.columns), row: 0) : nil
  }
}
