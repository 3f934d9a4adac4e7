import Coordinators
import Foundation
import Terminal
import Testing

@testable import CoordinatorsTerminal

@MainActor
@Suite("Scroll bar and hints of the terminal shell")
struct NavigationAidTests {
  private static func rows(_ count: Int) -> [Page<Place.Action>.Element] {
    (1...count).map { .row(.init(id: "\($0)", "Row \($0)", .press)) }
  }

  private func margin(_ bench: Bench) -> String {
    let screen = bench.screen
    let column = screen.columns - 1
    return String((2..<9).map { screen[Position(column: column, row: $0)]?.character ?? "?" })
  }

  @Test("a page longer than its window has a scroll bar that shows the window's position")
  func longPageHasScrollBar() throws {
    let bench = try Bench(.stack([.screen(.words)]))
    bench.pages["words"] = Page("Words", Self.rows(7))
    #expect(margin(bench) == "       ", "everything is visible")
    bench.pages["words"] = Page("Words", Self.rows(14))
    #expect(margin(bench) == "███││││")
    try bench.press("end")
    #expect(margin(bench) == "││││███")
  }

  @Test("the key for quitting is shown at every width that fits it", arguments: 8...60)
  func quitKeyIsShownAtEveryWidth(columns: Int) throws {
    let bench = try Bench.tabs(columns: columns)
    #expect(bench.lines.last?.hasSuffix("q quit") == true)
    bench.app.size.columns = columns + 8
    try bench.press("2")
    #expect(bench.lines.last?.hasSuffix("Ctrl-C quit") == true)
  }

  @Test("the key for going back has priority over other keys in a narrow window")
  func backKeyHasPriority() throws {
    let bench = try Bench.tabs(columns: 34)
    #expect(bench.lines.last == " Enter open  ? help  q quit")
    bench.apply(.push(.screen(.word("fiets")), onto: bench.navigation.root.children[0].id))
    #expect(bench.lines.last == " Esc back  ? help  q quit")
  }
}
