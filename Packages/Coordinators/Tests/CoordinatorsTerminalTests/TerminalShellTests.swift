import Coordinators
import CoordinatorsTerminal
import Foundation
import Terminal
import Testing

@Suite("The terminal shell")
struct TerminalShellTests {
  @Test("a list shows its title, its cells in columns, the tabs and the key hints")
  func listIsDrawn() throws {
    let bench = try Bench.tabs()
    #expect(
      bench.screen.text == """
         Words

         fiets  5 letters
         brood  5 letters
         お茶   2 letters





         1 Words  2 Settings
         ↑↓ move  Enter open  q quit
        """)
    #expect(bench.highlighted == "fiets  5 letters")
  }

  @Test("every text of the terminal shell comes from the app's texts")
  func everyTextIsTheApps() throws {
    var texts = TerminalTexts()
    (texts.move, texts.open, texts.send, texts.nextField) = ("kies", "open", "verder", "volgend veld")
    (texts.nextTab, texts.back, texts.refresh, texts.quit) = ("volgend tabblad", "terug", "vernieuw", "stop")
    texts.tabTitles = ["words": "Woorden"]
    var bench = try Bench.tabs(columns: 80, texts: texts)
    var page = Page<Place.Action>("Woorden", [.row(.init(id: "fiets", ListCell("fiets"), .select("fiets")))])
    page.isRefreshable = true
    bench.pages["words"] = page
    #expect(
      bench.lines.suffix(2) == [
        " 1 Woorden  2 Settings", " ↑↓ kies  Enter open  Tab volgend tabblad  r vernieuw  q stop",
      ])
    try bench.press("2")
    #expect(bench.lines.last == " ↑↓ kies  Enter verder  Tab volgend veld  Ctrl-C stop")
    try bench.apply(.present(.stack([.screen(.help)]), over: bench.navigation.root.id))
    #expect(bench.lines.last == " ↑↓ kies  Esc terug  q stop")
  }

  @Test(
    "a line break or a tab in a title, a label or a button is drawn as a space",
    arguments: ["\n", "\r\n", "\u{2028}", "\t"])
  func lineBreaksAreDrawnAsSpaces(mark: String) throws {
    var bench = try Bench(.screen(.words))
    let text = "one\(mark)two"
    bench.pages["words"] = Page(
      text,
      [
        .row(.init(id: "r", ListCell(text, detail: text), .press)), .fact(label: text, value: "x"),
        .button(.init(id: "b", text, .refresh)),
      ])
    let lines = bench.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    #expect(lines.prefix(4) == ["one two", "one two  one two", "one two  x", "[ one two ]"])
  }

  @Test("rows with one title are all drawn, and each has its own action")
  func rowsWithOneTitle() throws {
    var bench = try Bench(.screen(.words))
    bench.pages["words"] = Page("Words", ["one", "two", "three"].map { .row("fiets", detail: $0, .select($0)) })
    #expect(bench.lines.filter { $0.contains("fiets") }.count == 3)
    try bench.press("down enter down enter up up enter")
    #expect(bench.sent == [.select("two"), .select("three"), .select("one")])
  }

  @Test("the visible page is requested once for a key and once for a screen, and only visible rows are drawn")
  func visiblePageIsRequestedOnce() throws {
    var bench = try Bench.tabs()
    let rows = (0..<20_000).map { Page<Place.Action>.Element.row(.init(id: "\($0)", ListCell("Row \($0)"), .press)) }
    let page = Page<Place.Action>("Many", rows)
    var asked = 0
    for key in [Key.end, .up, .pageUp, .down] {
      _ = bench.shell.receive(.key(key)) { _ in
        asked += 1
        return page
      }
    }
    #expect(asked == 4)
    let screen = bench.shell.screen { _ in
      asked += 1
      return page
    }
    #expect(asked == 5 && screen.text.contains("Row 19991") && !screen.text.contains("Row 19999"), "\(screen.text)")
  }

  @Test("arrow keys move the focus, and Enter opens the focused row")
  func enterOpensFocusedRow() throws {
    var bench = try Bench.tabs()
    try bench.press("down down enter")
    #expect(bench.highlighted == "お茶   2 letters" && bench.sent == [.select("お茶")])
    try bench.press("down down up enter")
    #expect(bench.sent.last == .select("brood"))
  }

  @Test("the back key pops the screen from the navigation")
  func backKeyPopsScreen() throws {
    for key in ["back", "left", "backspace"] {
      var bench = try Bench.tabs()
      try bench.apply(.push(.screen(.word("fiets")), onto: bench.navigation.root.children[0].id))
      #expect(bench.lines.first == " ‹ fiets" && bench.lines.contains(" Dutch  fiets"))
      try bench.press(key)
      #expect(bench.navigation.front.screen == .words && bench.shell.navigation == bench.navigation)
      try bench.press(key)
      #expect(bench.navigation.front.screen == .words, "there is nothing behind the root")
    }
  }

  @Test("a covered screen keeps its focus, and a removed screen loses it")
  func coveredScreenKeepsFocus() throws {
    var bench = try Bench.tabs()
    let stack = bench.navigation.root.children[0].id
    try bench.press("down")
    try bench.apply(.push(.screen(.words), onto: stack))
    #expect(bench.highlighted == "fiets  5 letters")
    try bench.press("down down back")
    #expect(bench.highlighted == "brood  5 letters")
    try bench.apply(.push(.screen(.words), onto: stack))
    #expect(bench.highlighted == "fiets  5 letters")
  }

  @Test("digits and the Tab key select tabs, and selecting the selected tab pops to its root")
  func keysSelectTabs() throws {
    var bench = try Bench.tabs()
    try bench.press("2")
    #expect(bench.navigation.front.screen == .settings)
    try bench.press("down down down down back 1 tab")
    #expect(bench.navigation.front.screen == .settings)
    try bench.apply(.push(.screen(.help), onto: bench.navigation.root.children[1].id))
    try bench.press("2")
    #expect(bench.navigation.front.screen == .settings && bench.shell.navigation == bench.navigation)
    try bench.press("9")
    #expect(bench.navigation.front.screen == .settings)
  }

  @Test("a modal is drawn in front of the covered screen, and the back key closes it")
  func modalIsDrawnAndClosed() throws {
    var bench = try Bench.tabs()
    try bench.apply(.present(.stack([.screen(.help)]), over: bench.navigation.root.id))
    let text = bench.screen.text
    #expect(text.contains("┌─ ‹ Help ─") && text.contains("│ Nobody knows.") && text.hasPrefix(" Words"))
    #expect(!text.contains("1 Words"), "the tabs are out of reach")
    try bench.press("1 back")
    #expect(bench.navigation.root.modal == nil && bench.shell.navigation == bench.navigation)
    #expect(!bench.screen.text.contains("┌"))
  }

  @Test("a form accepts typing and editing in each field, is submitted, and discards secrets")
  func formIsFilledAndSubmitted() throws {
    var bench = try Bench.tabs()
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

  @Test("a letter that is a command elsewhere is typed into a focused field")
  func lettersAreTypedIntoFields() throws {
    var bench = try Bench.tabs()
    try bench.press("2 'q1r j' enter 'k' enter")
    #expect(bench.sent == [.save(name: "Ayakaq1r j", secret: "k")])
  }

  @Test("a page longer than the screen scrolls to its end and back")
  func longPageScrolls() throws {
    var bench = try Bench(.stack([.screen(.long)]))
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
    var bench = try Bench(.stack([.screen(.long)]))
    bench.pages["long"] = Page(
      "Long", (1...30).map { .text("Paragraph \($0)") } + [.button(.init(id: "b", "Press", .send(.press)))])
    try bench.press("end up")
    #expect(bench.highlighted.isEmpty && bench.screen.text.contains("Paragraph 30"))
    try bench.press("up up down down down enter")
    #expect(bench.highlighted == "[ Press ]" && bench.sent == [.press])
  }

  @Test("the focus stays visible in a long list and when the window shrinks")
  func focusStaysVisible() throws {
    var bench = try Bench(.stack([.screen(.words)]))
    bench.pages["words"] = Page("Words", (1...100).map { .row(.init(id: "\($0)", ListCell("Item \($0)"), .press)) })
    try bench.press((1...49).map { _ in "down" }.joined(separator: " "))
    #expect(bench.highlighted == "Item 50")
    bench.shell.size = TerminalSize(columns: 40, rows: 8)
    #expect(bench.highlighted == "Item 50")
    try bench.press("pagedown")
    #expect(bench.highlighted != "Item 50" && !bench.highlighted.isEmpty)
    try bench.press("end")
    #expect(bench.highlighted == "Item 100")
    try bench.press("home up")
    #expect(bench.highlighted == "Item 1")
  }

  @Test("a page of any size is drawn within the window")
  func anySizeIsDrawn() throws {
    var bench = try Bench.tabs()
    try bench.apply(.present(.stack([.screen(.settings)]), over: bench.navigation.root.id))
    for columns in [0, 1, 2, 3, 5, 12, 13, 24, 30] {
      for rows in [0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 14] {
        bench.shell.size = TerminalSize(columns: columns, rows: rows)
        #expect(bench.screen.columns == columns && bench.screen.rows == rows)
        try bench.press("tab down pagedown up 'é'")
      }
    }
  }

  @Test("the focus stays on the same row when the content is refreshed")
  func focusSurvivesRefresh() throws {
    var bench = try Bench.tabs()
    try bench.press("down")
    bench.pages["words"] = Page("Words", ["new", "brood"].map { .row(.init(id: $0, ListCell($0), .select($0))) })
    #expect(bench.highlighted == "brood")
    bench.pages["words"] = Page("Words", ["new"].map { .row(.init(id: $0, ListCell($0), .select($0))) })
    #expect(bench.highlighted.contains("new"))
    try bench.press("enter")
    #expect(bench.sent == [.select("new")])
  }

  @Test("escape sequences in content are removed")
  func escapeSequencesAreRemoved() throws {
    var bench = try Bench(.stack([.screen(.word("\u{1B}[31mred\u{7}\u{9B}2J"))]))
    #expect(!bench.screen.repaint(from: Terminal.Screen(columns: 40, rows: 12), color: .none).contains("[31m\u{7}"))
    #expect(!bench.screen.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9B })
    bench.pages["words"] = nil
  }

  @Test("the shell reports the keys for suspend, repaint, refresh, quit and interrupt")
  func commandKeysAreReported() throws {
    var bench = try Bench.tabs()
    try bench.press("ctrl-l ctrl-z r q ctrl-c")
    let said = bench.reactions.map { reaction in
      switch reaction {
      case .repaint: "repaint"
      case .suspend: "suspend"
      case .triggered(.refresh, _): "refresh"
      case .quit: "quit"
      case .interrupt: "interrupt"
      default: "?"
      }
    }
    #expect(said == ["repaint", "suspend", "refresh", "quit", "interrupt"])
  }

  @Test("a change of one row of 200 by 50 writes at most 5 % of a full repaint")
  func changedRowWritesFewBytes() throws {
    var bench = try Bench(.stack([.screen(.words)]), columns: 200, rows: 50)
    func page(_ changed: String) -> Page<Place.Action> {
      Page(
        "Words",
        (1...45).map { number in
          let text = String(repeating: "lorem ipsum \(number) ", count: 20)
          return .row(.init(id: "\(number)", ListCell(number == 20 ? changed : "w\(number)", detail: text), .press))
        })
    }
    bench.pages["words"] = page("fiets")
    let before = bench.screen
    bench.pages["words"] = page("brood")
    let after = bench.screen
    let all = after.repaint(from: nil, color: .trueColor).utf8.count
    let changed = after.repaint(from: before, color: .trueColor).utf8.count
    #expect(changed > 0 && Double(changed) <= 0.05 * Double(all), "\(changed) of \(all) bytes")
    // The worst case: the whole text of the row changes.
    bench.pages["words"]?.elements[19] = .row(
      .init(id: "20", ListCell("brood", detail: String(repeating: "dolor sit amet ", count: 20)), .press))
    let row = bench.screen.repaint(from: after, color: .trueColor).utf8.count
    #expect(row > 100 && Double(row) <= 0.05 * Double(all), "\(row) of \(all) bytes")
  }
}
