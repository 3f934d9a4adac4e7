import TerminalTesting
import Testing

@testable import Terminal

@Suite("Repaint")
struct RepaintTests {
  @Test("A terminal that shows the old screen shows the new screen after a repaint", arguments: 0..<400)
  func repaintShowsNewScreen(seed: Int) {
    var random = Seeded(seed)
    let color = random.one(of: ColorCapability.allCases)
    var screen = Screen(columns: random.number(1...24), rows: random.number(1...5))
    var terminal = ScreenReader(columns: screen.columns, rows: screen.rows)
    var previous: Screen?
    for _ in 0..<6 {
      random.draw(on: &screen, steps: random.number(0...4))
      terminal.receive(screen.repaint(from: previous, color: color))
      #expect(terminal.screen.shown(color: .trueColor) == screen.shown(color: color), "seed \(seed)")
      #expect(terminal.unknown == [], "seed \(seed)")
      let shown = screen.cursor.flatMap { screen[$0] == nil ? nil : $0 }
      #expect(terminal.isCursorVisible == (shown != nil), "seed \(seed)")
      if let shown { #expect(terminal.cursor == shown, "seed \(seed)") }
      previous = screen
    }
  }

  @Test("Repainting an unchanged screen writes no bytes", arguments: 0..<50)
  func unchangedScreenWritesNothing(seed: Int) {
    var random = Seeded(seed)
    var screen = Screen(columns: 20, rows: 4)
    random.draw(on: &screen, steps: 6)
    #expect(screen.repaint(from: screen, color: .trueColor) == "")
  }

  @Test("The cursor is positioned again after a character of disputed width")
  func cursorIsPositionedAfterDisputedWidth() {
    let before = Screen(columns: 10, rows: 1)
    var after = before
    after.write("👩‍🚀x", at: Position(column: 0, row: 0))
    #expect(after.repaint(from: before, color: .none) == "\u{1B}[H👩‍🚀\u{1B}[;3Hx")
  }

  @Test("A repaint to another size draws the whole screen")
  func anotherSizeIsDrawnCompletely() {
    var after = Screen(columns: 3, rows: 1)
    after.write("abc", at: Position(column: 0, row: 0))
    #expect(after.repaint(from: Screen(columns: 4, rows: 1), color: .none) == "\u{1B}[H\u{1B}[2Jabc\u{1B}[?25l")
  }
}

extension Screen {
  /// Returns the cells that a terminal with these colours shows; a space without a visible style is any space.
  fileprivate func shown(color: ColorCapability) -> [[Cell]] {
    lines.map { line in
      line.map { cell in
        let style = GraphicRendition(cell.style, color: color).style
        let shown = Cell(character: cell.character, style: style, columns: cell.columns)
        return shown.isErased ? .blank() : shown
      }
    }
  }
}
