import Testing

@testable import Terminal

@Suite("Screen")
struct ScreenTests {
  private func screen(_ columns: Int, _ rows: Int = 1, _ text: String = "", at column: Int = 0) -> Screen {
    var screen = Screen(columns: columns, rows: rows)
    screen.write(text, at: Position(column: column, row: 0))
    return screen
  }

  @Test("The text of a screen contains the written characters without trailing spaces")
  func screenTextOmitsTrailingSpaces() {
    var screen = screen(10, 3, "birds")
    screen.write("鳥🐧", at: Position(column: 2, row: 2))
    #expect(screen.text == "birds\n\n  鳥🐧")
  }

  @Test(
    "Writing is clipped at the edges",
    arguments: [
      (0, "abcdefgh", "abcde"), (3, "abc", "   ab"), (-2, "abcd", "cd"), (9, "abc", ""), (-9, "abc", ""),
      (Int.max, "abc", ""), (Int.min, "abc", ""),
    ])
  func writingIsClipped(column: Int, text: String, shown: String) {
    #expect(screen(5, 1, text, at: column).text == shown)
  }

  @Test("A wide character across an edge becomes a blank", arguments: [(4, ""), (-1, "")])
  func wideCharacterAtEdgeBecomesBlank(column: Int, shown: String) {
    var screen = screen(5)
    screen.write("鳥", at: Position(column: column, row: 0), style: .inverse)
    #expect(screen.text == shown)
    let edge = Position(column: max(column, 0), row: 0)
    #expect(screen[edge] == Cell(character: " ", style: .inverse, columns: 1))
  }

  @Test("Control characters and lone combining marks are not drawn")
  func controlCharactersAreNotDrawn() {
    #expect(screen(20, 1, "a\u{1B}[31mb\nc\r\nd\u{9B}e\u{200B}f").text == "a[31mbcdef")
    #expect(screen(20, 1, "\u{301}a").text == "a")
  }

  @Test("Writing returns the position after the text, also when it was clipped")
  func writingReturnsNextPosition() {
    var screen = screen(4)
    #expect(screen.write("a鳥", at: Position(column: 0, row: 0)) == 3)
    #expect(screen.write("abcdef", at: Position(column: 2, row: 0)) == 8)
    #expect(screen.write("ab", at: Position(column: 0, row: 7)) == 2)
  }

  @Test("Filling is clipped and splits wide characters at its edges")
  func fillingIsClipped() {
    var screen = screen(6, 2, "鳥鳥鳥")
    screen.fill(Area(column: 1, row: 0, columns: 2, rows: 1), with: "#")
    #expect(screen.text == " ## 鳥\n")
    screen.fill(Area(column: -5, row: -5, columns: Int.max, rows: Int.max), with: "鳥")
    #expect(screen.text == "\n")
    screen.fill(Area(column: 2, row: 0, columns: Int.max, rows: 9), with: ".")
    #expect(screen.text == "  ....\n  ....")
    screen.fill(Area(column: 0, row: 0, columns: -1, rows: 1), with: "!")
    #expect(screen.text == "  ....\n  ....")
  }

  @Test(
    "Copying a screen onto another clips it and blanks wide characters at its edges",
    arguments: [(1, "~鳥a~"), (-1, " a~~~"), (4, "~~~~ "), (3, "~~~鳥"), (9, "~~~~~")])
  func copyingIsClipped(column: Int, shown: String) {
    var screen = screen(5, 1, "~~~~~")
    screen.blit(self.screen(3, 1, "鳥a"), at: Position(column: column, row: 0))
    #expect((0..<5).compactMap { screen[Position(column: $0, row: 0)]?.character }.map(String.init).joined() == shown)
  }

  @Test("A cell stores one character with a limited number of combining marks")
  func combiningMarksOfCellAreLimited() {
    let marks = String(repeating: "\u{301}", count: 200_000)
    var screen = screen(4)
    screen.write("e\(marks)x", at: Position(column: 0, row: 0))
    #expect(screen.text.unicodeScalars.count == Cell.maximumScalars + 1 && screen.text.hasSuffix("x"))
    screen.fill(Area(column: 0, row: 0, columns: 4, rows: 1), with: Character("e\(marks)"))
    #expect(screen.text.unicodeScalars.count == 4 * Cell.maximumScalars)
    let family = "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿"
    screen.write(family, at: Position(column: 0, row: 0))
    #expect(screen.text == family)
  }

  @Test("Sizes are clamped, and positions outside of the screen have no cell")
  func sizesAreClamped() {
    #expect(Screen(columns: -1, rows: 2).columns == 0)
    #expect(Screen(columns: .max, rows: .max).rows == Screen.maximumSide)
    #expect(screen(2)[Position(column: 2, row: 0)] == nil)
    #expect(screen(2)[Position(column: 0, row: -1)] == nil)
  }

  @Test("Wide characters keep both halves after any drawing", arguments: 0..<200)
  func wideCharactersKeepBothHalves(seed: Int) {
    var random = Seeded(seed)
    var screen = Screen(columns: random.number(0...12), rows: random.number(0...4))
    random.draw(on: &screen, steps: 12)
    for line in screen.lines {
      #expect(line.count == screen.columns)
      for (column, cell) in line.enumerated() {
        let next = column + 1 < line.count ? line[column + 1] : nil
        #expect(cell.isLeftHalf == (next?.isRightHalf ?? false), "seed \(seed)")
        if cell.isLeftHalf { #expect(next?.style == cell.style, "seed \(seed)") }
        #expect(cell.isRightHalf == (cell.character == nil), "seed \(seed)")
      }
    }
  }

  @Test("Styled text contains the styles of the screen, and no style without colours")
  func styledTextContainsStyles() {
    var screen = screen(8, 2)
    screen.write("a", at: Position(column: 1, row: 0), style: Style(foreground: .red))
    #expect(screen.styledText(color: .ansi16) == " \u{1B}[31ma\u{1B}[m\n")
    #expect(screen.styledText(color: .none) == " a\n")
  }
}
