import Terminal
import TerminalTesting
import Testing

@Suite("A terminal in memory") struct ScreenReaderTests {
  private var reader = ScreenReader(columns: 20, rows: 4)

  @Test("output is placed at the cursor, with its style")
  mutating func placement() {
    reader.receive("Puffin\r\n\u{1B}[7mAuk\u{1B}[m\u{1B}[4;3HTern\u{8}")
    #expect(reader.lines == ["Puffin", "Auk", "", "  Tern"])
    #expect(reader.rows[1].filter { $0.style.attributes == .inverse }.compactMap(\.character) == ["A", "u", "k"])
    #expect(reader.cursor == Position(column: 5, row: 3))
    #expect(reader.unknown == [])
  }

  @Test("a control sequence may arrive in pieces, and an unknown one is listed")
  mutating func pieces() {
    for piece in ["Puffin\u{1B}", "[", "2", "J", "\u{1B}[5", "X"] { reader.receive(piece) }
    #expect(reader.lines == ["", "", "", ""])
    #expect(reader.unknown == ["5X"])
  }

  @Test("the main screen returns after the alternate screen, also if a program enables that screen twice")
  mutating func alternateScreen() {
    reader.receive("$ ls\r\n\u{1B}[?1049hStories")
    #expect(reader.isFullScreen)
    reader.receive("\u{1B}[?1049h\u{1B}[H\u{1B}[2JStories\u{1B}[?1049lfiles")
    #expect(reader.lines == ["$ ls", "files", "", ""])
    #expect(!reader.isFullScreen && reader.hasBeenFullScreen)
  }
}
