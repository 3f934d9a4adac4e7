import Coordinators
import CoordinatorsTerminal
import Foundation
import Terminal
import Testing

@Suite("The terminal shell")
struct TerminalShellTests {
  @Test("shows a list with its title, its cells in columns, the tabs and the keys")
  func showsList() throws {
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

  @Test("speaks the language that the app hands in, and has no word of another")
  func language() throws {
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
    "a break of a line in a title, a label or a button parts words, and joins none",
    arguments: ["\n", "\r\n", "\u{2028}"])
  func lineBreaks(mark: String) throws {
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

  @Test("asks for the page in sight once for a key and once for a screen, and draws what is in sight of a long list")
  func pagesAsked() throws {
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

  @Test("moves the focus, and opens what has it")
  func opens() throws {
    var bench = try Bench.tabs()
    try bench.press("down down enter")
    #expect(bench.highlighted == "お茶   2 letters" && bench.sent == [.select("お茶")])
    try bench.press("down down up enter")
    #expect(bench.sent.last == .select("brood"))
  }

  @Test("goes back with the back key, and the core hears of it")
  func goesBack() throws {
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

  @Test("keeps the focus of a screen that others were on top of, and forgets that of one that is gone")
  func keepsFocus() throws {
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

  @Test("selects tabs by number and by the tab key; the selected one pops to its root")
  func selectsTabs() throws {
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

  @Test("draws a modal in front of what it covers, and closes it with the back key")
  func modal() throws {
    var bench = try Bench.tabs()
    try bench.apply(.present(.stack([.screen(.help)]), over: bench.navigation.root.id))
    let text = bench.screen.text
    #expect(text.contains("┌─ ‹ Help ─") && text.contains("│ Nobody knows.") && text.hasPrefix(" Words"))
    #expect(!text.contains("1 Words"), "the tabs are out of reach")
    try bench.press("1 back")
    #expect(bench.navigation.root.modal == nil && bench.shell.navigation == bench.navigation)
    #expect(!bench.screen.text.contains("┌"))
  }

  @Test("fills in a form: types, edits, goes from field to field, sends, and keeps no secret")
  func form() throws {
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

  @Test("types letters in a field that are keys elsewhere")
  func lettersInFields() throws {
    var bench = try Bench.tabs()
    try bench.press("2 'q1r j' enter 'k' enter")
    #expect(bench.sent == [.save(name: "Ayakaq1r j", secret: "k")])
  }

  @Test("scrolls what is longer than the screen, to its end and back")
  func scrolls() throws {
    var bench = try Bench(.stack([.screen(.long)]))
    #expect(bench.lines[2].hasPrefix(" Paragraph 1 ") && !bench.screen.text.contains("Paragraph 30"))
    try bench.press("end")
    #expect(bench.screen.text.contains("Paragraph 30"))
    try bench.press("pageup pageup home")
    #expect(bench.lines[2].hasPrefix(" Paragraph 1 "))
    try bench.press("down down")
    #expect(bench.lines[2].hasPrefix(" Paragraph 2 "))
  }

  @Test("scrolls away from the only thing that can have the focus, and back to it")
  func scrollsAway() throws {
    var bench = try Bench(.stack([.screen(.long)]))
    bench.pages["long"] = Page(
      "Long", (1...30).map { .text("Paragraph \($0)") } + [.button(.init(id: "b", "Press", .send(.press)))])
    try bench.press("end up")
    #expect(bench.highlighted.isEmpty && bench.screen.text.contains("Paragraph 30"))
    try bench.press("up up down down down enter")
    #expect(bench.highlighted == "[ Press ]" && bench.sent == [.press])
  }

  @Test("keeps the focus in sight in a list longer than the screen, and when the window shrinks")
  func longList() throws {
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

  @Test("draws in any size, without a trap, and only what fits")
  func anySize() throws {
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

  @Test("keeps the focus on the same row when the content is refreshed")
  func refreshedContent() throws {
    var bench = try Bench.tabs()
    try bench.press("down")
    bench.pages["words"] = Page("Words", ["new", "brood"].map { .row(.init(id: $0, ListCell($0), .select($0))) })
    #expect(bench.highlighted == "brood")
    bench.pages["words"] = Page("Words", ["new"].map { .row(.init(id: $0, ListCell($0), .select($0))) })
    #expect(bench.highlighted.contains("new"))
    try bench.press("enter")
    #expect(bench.sent == [.select("new")])
  }

  @Test("lets nobody smuggle an escape sequence in")
  func escapeSequences() throws {
    var bench = try Bench(.stack([.screen(.word("\u{1B}[31mred\u{7}\u{9B}2J"))]))
    #expect(!bench.screen.repaint(from: Terminal.Screen(columns: 40, rows: 12), color: .none).contains("[31m\u{7}"))
    #expect(!bench.screen.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9B })
    bench.pages["words"] = nil
  }

  @Test("tells the reader of its keys: suspend, repaint, refresh, quit, interrupt")
  func otherKeys() throws {
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

  @Test("writes at most 5 % of a full repaint when one row of 200 by 50 changes")
  func bytes() throws {
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
    // The worst of a row: all of it is other text.
    bench.pages["words"]?.elements[19] = .row(
      .init(id: "20", ListCell("brood", detail: String(repeating: "dolor sit amet ", count: 20)), .press))
    let row = bench.screen.repaint(from: after, color: .trueColor).utf8.count
    #expect(row > 100 && Double(row) <= 0.05 * Double(all), "\(row) of \(all) bytes")
  }
}
