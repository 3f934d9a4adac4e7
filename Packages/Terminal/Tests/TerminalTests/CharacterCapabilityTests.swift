import Testing

@testable import Terminal

@Suite("Character capability")
struct CharacterCapabilityTests {
  @Test(
    "A locale without UTF-8 means ASCII, and a UTF-8 locale or no locale means Unicode",
    arguments: [
      ([:], .unicode), (["LC_ALL": "C"], .ascii), (["LC_ALL": "POSIX", "LANG": "nl_NL.UTF-8"], .ascii),
      (["LC_ALL": "", "LANG": "nl_NL.UTF-8"], .unicode), (["LC_CTYPE": "UTF-8"], .unicode),
      (["LC_CTYPE": "C", "LANG": "en_US.utf8"], .ascii), (["LANG": "C.UTF-8"], .unicode),
      (["LANG": "nl_NL@euro"], .ascii), (["LC_MESSAGES": "C"], .unicode),
    ] as [([String: String], CharacterCapability)])
  func localeDecidesCapability(environment: [String: String], expected: CharacterCapability) {
    #expect(CharacterCapability(environment: environment) == expected)
  }

  @Test("A screen limited to ASCII keeps positions and styles and replaces other characters by similar ones")
  func screenLimitedToASCII() {
    var screen = Screen(columns: 16, rows: 3)
    screen.write("┌─ ‹ Café ─┐ ↑↓…", at: Position(column: 0, row: 0), style: .bold)
    screen.write("お茶, ß • “x”", at: Position(column: 0, row: 1))
    screen.cursor = Position(column: 1, row: 2)
    let plain = screen.limited(to: .ascii)
    #expect(plain.text == "+- < Cafe -+ ^v.\n????, ? * \"x\"\n")
    #expect(plain[Position(column: 0, row: 0)]?.style == .bold && plain.cursor == screen.cursor)
    #expect(screen.limited(to: .unicode) == screen)
  }

  @Test("The thumb of a scroll bar stays distinct from its track in ASCII")
  func scrollBarStaysVisibleInASCII() {
    var screen = Screen(columns: 2, rows: 1)
    screen.write("█│", at: Position(column: 0, row: 0))
    #expect(screen.limited(to: .ascii).text == "#|")
  }

  @Test("A negated sign does not become its positive counterpart in ASCII")
  func negatedSignBecomesQuestionMark() {
    var screen = Screen(columns: 16, rows: 1)
    screen.write("a ≠ b ≮ c =\u{338} ñ", at: Position(column: 0, row: 0))
    #expect(screen.limited(to: .ascii).text == "a ? b ? c ? n")
  }

  @Test("Any screen limited to ASCII contains only ASCII characters", arguments: 0..<100)
  func limitedScreensContainOnlyASCII(seed: Int) {
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
