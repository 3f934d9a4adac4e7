import Coordinators
import CoordinatorsTerminal
import Foundation
import Terminal
import Testing

@Suite("Scroll bar, search key and hints of the terminal shell")
struct NavigationAidTests {
  private static func rows(_ count: Int) -> [Page<Place.Action>.Element] {
    (1...count).map { .row(.init(id: "\($0)", ListCell("Row \($0)"), .press)) }
  }

  private func margin(_ bench: Bench) -> String {
    let screen = bench.screen
    let column = screen.columns - 1
    return String((2..<9).map { screen[Position(column: column, row: $0)]?.character ?? "?" })
  }

  @Test("a page longer than its window has a scroll bar that shows the window's position")
  func longPageHasScrollBar() throws {
    var bench = try Bench(.stack([.screen(.words)]))
    bench.pages["words"] = Page("Words", Self.rows(7))
    #expect(margin(bench) == "       ", "everything is visible")
    bench.pages["words"] = Page("Words", Self.rows(14))
    #expect(margin(bench) == "███││││")
    try bench.press("pagedown")
    #expect(margin(bench) == "│███│││" || margin(bench) == "││███││" || margin(bench) == "│││███│")
    try bench.press("end")
    #expect(margin(bench) == "││││███")
    // The bar touches an end of the window only at the same end of the page.
    bench.pages["words"] = Page("Words", Self.rows(1_000))
    try bench.press("home pagedown")
    #expect(margin(bench) == "│█│││││")
    try bench.press("end pageup")
    #expect(margin(bench) == "│││││█│")
  }

  @Test("the scroll bar of a modal is inside its box")
  func modalHasScrollBarInItsBox() throws {
    var bench = try Bench(.stack([.screen(.settings)]), rows: 16)
    bench.pages["words"] = Page("Words", Self.rows(30))
    try bench.apply(.present(.stack([.screen(.words)]), over: bench.navigation.root.id))
    #expect(bench.lines.contains { $0.hasSuffix("█│") } && bench.lines.contains { $0.hasSuffix("││") })
  }

  @Test("the slash key presses the page's search button or focuses its search field")
  func slashKeySearches() throws {
    var bench = try Bench(.stack([.screen(.words)]))
    let search = Page<Place.Action>.Button(id: "s", "Search", .send(.select("search")), isSearch: true)
    bench.pages["words"] = Page("Words", Self.rows(30) + [.button(search)])
    #expect(bench.lines.last == " ↑↓ move  Enter open  / search  q quit")
    try bench.press("/")
    #expect(bench.sent == [.select("search")])
    let fields = [PageField("text", "Find", kind: .search)]
    bench.pages["words"] = Page(
      "Words",
      Self.rows(30) + [.form(.init(id: "f", submit: "Search", fields: fields) { .select($0["text"]) })])
    try bench.press("home / '/a' enter")
    #expect(bench.sent.last == .select("/a"))
    bench.pages["words"] = Page("Words", Self.rows(3))
    try bench.press("/")
    #expect(bench.sent.count == 2)
  }

  @Test("the values of facts and the details of rows share one column of a page")
  func factsAndDetailsShareOneColumn() throws {
    var bench = try Bench(.stack([.screen(.words)]))
    bench.pages["words"] = Page(
      "Story",
      [
        .fact(label: "Date", value: "Friday"), .row(.init(id: "f", ListCell("From", detail: "Gary"), .press)),
        .row(.init(id: "r", ListCell("Recipient", detail: "Ayaka"), .press)),
        .row(.init(id: "m", ListCell("All messages of this story"), .press)),
      ])
    #expect(
      bench.lines[2...5] == [
        " Date       Friday", " From       Gary", " Recipient  Ayaka", " All messages of this story",
      ])
  }

  @Test("the key for quitting is shown at every width that fits it", arguments: 8...60)
  func quitKeyIsShownAtEveryWidth(columns: Int) throws {
    var bench = try Bench.tabs(columns: columns)
    #expect(bench.lines.last?.hasSuffix("q quit") == true)
    bench.shell.size.columns = columns + 8
    try bench.press("2")
    #expect(bench.lines.last?.hasSuffix("Ctrl-C quit") == true)
  }

  @Test("the key for going back has priority over other keys in a narrow window")
  func backKeyHasPriority() throws {
    var bench = try Bench.tabs(columns: 34)
    #expect(bench.lines.last == " ↑↓ move  Enter open  q quit")
    try bench.apply(.push(.screen(.word("fiets")), onto: bench.navigation.root.children[0].id))
    #expect(bench.lines.last == " ↑↓ move  Esc back  q quit")
  }
}
