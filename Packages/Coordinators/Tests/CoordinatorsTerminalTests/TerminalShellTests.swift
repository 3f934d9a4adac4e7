import Coordinators
import Foundation
import Terminal
import Testing

@testable import CoordinatorsTerminal

@MainActor
@Suite("The terminal shell")
struct TerminalShellTests {
  @Test("a list shows its title, its cells in columns, the tabs and the key hints")
  func listIsDrawn() throws {
    let bench = try Bench.tabs()
    #expect(
      bench.screen.text == """
         Words

         › fiets  5 letters
         › brood  5 letters
         › お茶   2 letters





         1 Words  2 Settings
         Enter open  ↑↓ move  ? help  q quit
        """)
    #expect(bench.highlighted == "› fiets  5 letters")
  }

  @Test("every text of the terminal shell comes from the app's texts")
  func everyTextIsTheApps() throws {
    var texts = TerminalTexts()
    (texts.move, texts.open, texts.next, texts.nextField) = ("kies", "open", "verder", "volgend veld")
    (texts.help, texts.press, texts.tab) = ("hulp", "druk", "tabblad")
    (texts.nextTab, texts.back, texts.refresh, texts.quit) = ("volgend tabblad", "terug", "vernieuw", "stop")
    texts.tabTitles = ["words": "Woorden"]
    let bench = try Bench.tabs(columns: 80, texts: texts)
    var page = Page<Place.Action>("Woorden", [.row(.init(id: "fiets", "fiets", .select("fiets")))])
    page.isRefreshable = true
    bench.pages["words"] = page
    #expect(
      bench.lines.suffix(2) == [
        " 1 Woorden  2 Settings", " Enter open  ↑↓ kies  Tab volgend tabblad  r vernieuw  ? hulp  q stop",
      ])
    try bench.press("2")
    #expect(bench.lines.last == " Enter verder  ↑↓ kies  Tab volgend veld  Alt-1…2 tabblad  F1 hulp  Ctrl-C stop")
    bench.apply(.present(.stack([.screen(.help)]), over: bench.navigation.root.id))
    #expect(bench.lines.last == " Enter druk  ↑↓ kies  Esc terug  ? hulp  q stop")
  }

  @Test(
    "a line break or a tab in a title, a label or a button is drawn as a space",
    arguments: ["\n", "\r\n", "\u{2028}", "\t"])
  func lineBreaksAreDrawnAsSpaces(mark: String) throws {
    let bench = try Bench(.screen(.words))
    let text = "one\(mark)two"
    bench.pages["words"] = Page(
      text,
      [
        .row(.init(id: "r", text, detail: text, .press)), .fact(label: text, value: "x"),
        .button(.init(id: "b", text, .refresh)),
      ])
    let lines = bench.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    #expect(lines.prefix(4) == ["one two", "› one two  one two", "one two  x", "[ one two ]"])
  }

  @Test("rows with one title are all drawn, and each has its own action")
  func rowsWithOneTitle() throws {
    let bench = try Bench(.screen(.words))
    bench.pages["words"] = Page("Words", ["one", "two", "three"].map { .row("fiets", detail: $0, .select($0)) })
    #expect(bench.lines.filter { $0.contains("fiets") }.count == 3)
    try bench.press("down enter down enter up up enter")
    #expect(bench.sent == [.select("two"), .select("three"), .select("one")])
  }

  @Test("the back key pops the screen from the navigation")
  func backKeyPopsScreen() throws {
    for key in ["back", "left", "backspace"] {
      let bench = try Bench.tabs()
      bench.apply(.push(.screen(.word("fiets")), onto: bench.navigation.root.children[0].id))
      #expect(bench.lines.first == " ‹ fiets" && bench.lines.contains(" Dutch  fiets"))
      try bench.press(key)
      #expect(bench.navigation.front.screen == .words)
      try bench.press(key)
      #expect(bench.navigation.front.screen == .words, "there is nothing behind the root")
    }
  }

  @Test("a covered screen keeps its focus, and a removed screen loses it")
  func coveredScreenKeepsFocus() throws {
    let bench = try Bench.tabs()
    let stack = bench.navigation.root.children[0].id
    try bench.press("down")
    bench.apply(.push(.screen(.words), onto: stack))
    #expect(bench.highlighted == "› fiets  5 letters")
    try bench.press("down down back")
    #expect(bench.highlighted == "› brood  5 letters")
    bench.apply(.push(.screen(.words), onto: stack))
    #expect(bench.highlighted == "› fiets  5 letters")
  }

  @Test("digits and the Tab key select tabs, and selecting the selected tab pops to its root")
  func keysSelectTabs() throws {
    let bench = try Bench.tabs()
    try bench.press("2")
    #expect(bench.navigation.front.screen == .settings)
    try bench.press("down down down down back 1 tab")
    #expect(bench.navigation.front.screen == .settings)
    bench.apply(.push(.screen(.help), onto: bench.navigation.root.children[1].id))
    try bench.press("2")
    #expect(bench.navigation.front.screen == .settings)
    try bench.press("9")
    #expect(bench.navigation.front.screen == .settings)
  }

  @Test("a modal is drawn in front of the covered screen, and the back key closes it")
  func modalIsDrawnAndClosed() throws {
    let bench = try Bench.tabs()
    bench.apply(.present(.stack([.screen(.help)]), over: bench.navigation.root.id))
    let text = bench.screen.text
    #expect(text.contains("┌─ × Help ─") && text.contains("│ Nobody knows.") && text.hasPrefix(" Words"))
    #expect(!text.contains("1 Words"), "the tabs are out of reach")
    try bench.press("1 back")
    #expect(bench.navigation.root.modal == nil)
    #expect(!bench.screen.text.contains("┌"))
  }

  @Test("a form accepts typing and editing in each field, is submitted, and discards secrets")
  func formIsFilledAndSubmitted() throws {
    let bench = try Bench.tabs()
    try bench.press("2 '!' left backspace end")
    #expect(bench.lines.contains { $0.hasPrefix(" Name    Ayak!") })
    try bench.press("tab 'tulp'")
    #expect(bench.lines.contains { $0.hasPrefix(" Secret  ••••") } && !bench.screen.text.contains("tulp"))
    #expect(bench.screen.cursor == Position(column: 13, row: 3))
    try bench.press("enter")
    #expect(bench.sent == [.save(name: "Ayak!", secret: "tulp")])
    try bench.press("down enter")
    #expect(bench.sent.last == .save(name: "Ayak!", secret: ""))
  }

  @Test("a page longer than the screen scrolls to its end and back")
  func longPageScrolls() throws {
    let bench = try Bench(.stack([.screen(.long)]))
    #expect(bench.lines[2].hasPrefix(" Paragraph 1 ") && !bench.screen.text.contains("Paragraph 30"))
    try bench.press("end")
    #expect(bench.screen.text.contains("Paragraph 30"))
    try bench.press("pageup pageup home")
    #expect(bench.lines[2].hasPrefix(" Paragraph 1 "))
    try bench.press("down down")
    #expect(bench.lines[2].hasPrefix(" Paragraph 2 "))
  }

  @Test("a page scrolls away from its only focusable element and back to it")
  func pageScrollsAwayFromFocus() throws {
    let bench = try Bench(.stack([.screen(.long)]))
    bench.pages["long"] = Page(
      "Long", (1...30).map { .text("Paragraph \($0)") } + [.button(.init(id: "b", "Press", .send(.press)))])
    try bench.press("end up")
    #expect(bench.highlighted.isEmpty && bench.screen.text.contains("Paragraph 30"))
    try bench.press("up up down down down enter")
    #expect(bench.highlighted == "[ Press ]" && bench.sent == [.press])
  }

  @Test("the focus stays visible in a long list and when the window shrinks")
  func focusStaysVisible() throws {
    let bench = try Bench(.stack([.screen(.words)]))
    bench.pages["words"] = Page("Words", (1...100).map { .row(.init(id: "\($0)", "Item \($0)", .press)) })
    try bench.press((1...49).map { _ in "down" }.joined(separator: " "))
    #expect(bench.highlighted == "› Item 50")
    bench.app.size = TerminalSize(columns: 40, rows: 8)
    #expect(bench.highlighted == "› Item 50")
    try bench.press("pagedown")
    #expect(bench.highlighted != "› Item 50" && !bench.highlighted.isEmpty)
    try bench.press("end")
    #expect(bench.highlighted == "› Item 100")
    try bench.press("home up")
    #expect(bench.highlighted == "› Item 1")
  }

  @Test("the focus stays on the same row when the content is refreshed")
  func focusSurvivesRefresh() throws {
    let bench = try Bench.tabs()
    try bench.press("down")
    bench.pages["words"] = Page("Words", ["new", "brood"].map { .row(.init(id: $0, $0, .select($0))) })
    #expect(bench.highlighted == "› brood")
    bench.pages["words"] = Page("Words", ["new"].map { .row(.init(id: $0, $0, .select($0))) })
    #expect(bench.highlighted.contains("new"))
    try bench.press("enter")
    #expect(bench.sent == [.select("new")])
  }

  @Test("escape sequences in content are removed")
  func escapeSequencesAreRemoved() throws {
    let bench = try Bench(.stack([.screen(.word("\u{1B}[31mred\u{7}\u{9B}2J"))]))
    #expect(!bench.screen.repaint(from: Terminal.Screen(columns: 40, rows: 12), color: .none).contains("[31m\u{7}"))
    #expect(!bench.screen.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9B })
  }
}
