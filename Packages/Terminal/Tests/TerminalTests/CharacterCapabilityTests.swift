import Testing

@testable import Terminal

@Suite("Characters that an output shows")
struct CharacterCapabilityTests {
  @Test(
    "are ASCII's where the locale names no UTF-8, and all where it does or says nothing",
    arguments: [
      ([:], .unicode), (["LC_ALL": "C"], .ascii), (["LC_ALL": "POSIX", "LANG": "nl_NL.UTF-8"], .ascii),
      (["LC_ALL": "", "LANG": "nl_NL.UTF-8"], .unicode), (["LC_CTYPE": "UTF-8"], .unicode),
      (["LC_CTYPE": "C", "LANG": "en_US.utf8"], .ascii), (["LANG": "C.UTF-8"], .unicode),
      (["LANG": "nl_NL@euro"], .ascii), (["LC_MESSAGES": "C"], .unicode),
    ] as [([String: String], CharacterCapability)])
  func locale(environment: [String: String], expected: CharacterCapability) {
    #expect(CharacterCapability(environment: environment) == expected)
  }

  @Test("a screen keeps its places, its styles and what ASCII has; the rest becomes what looks like it")
  func limited() {
    var screen = Screen(columns: 16, rows: 3)
    screen.write("┌─ ‹ Café ─┐ ↑↓…", at: Position(column: 0, row: 0), style: .bold)
    screen.write("お茶, ß • “x”", at: Position(column: 0, row: 1))
    screen.cursor = Position(column: 1, row: 2)
    let plain = screen.limited(to: .ascii)
    #expect(plain.text == "+- < Cafe -+ ^v.\n????, ? * \"x\"\n")
    #expect(plain[Position(column: 0, row: 0)]?.style == .bold && plain.cursor == screen.cursor)
    #expect(screen.limited(to: .unicode) == screen)
  }

  @Test("the bar of a scroll bar stays distinct from its track in ASCII")
  func scrollBar() {
    var screen = Screen(columns: 2, rows: 1)
    screen.write("█│", at: Position(column: 0, row: 0))
    #expect(screen.limited(to: .ascii).text == "#|")
  }

  @Test("a sign that is struck through does not become the one that it denies")
  func denied() {
    var screen = Screen(columns: 16, rows: 1)
    screen.write("a ≠ b ≮ c =\u{338} ñ", at: Position(column: 0, row: 0))
    #expect(screen.limited(to: .ascii).text == "a ? b ? c ? n")
  }

  @Test("whatever is drawn, no byte of it is another", arguments: 0..<100)
  func anything(seed: Int) {
    var random = Seeded(seed)
    var screen = Screen(columns: random.number(1...24), rows: random.number(1...5))
    random.draw(on: &screen, steps: 6)
    let plain = screen.limited(to: .ascii)
    #expect(plain.repaint(from: nil, color: .trueColor).utf8.allSatisfy { $0 < 0x80 }, "seed \(seed)")
    for row in 0..<screen.rows {
      for column in 0..<screen.columns {
        let place = Position(column: column, row: row)
        #expect(plain[place]?.columns == 1 && plain[place]?.style == screen[place]?.style, "seed \(seed)")
        if let character = screen[place]?.character, character.isASCII {
          #expect(plain[place]?.character == character, "seed \(seed)")
        }
      }
    }
  }
}
