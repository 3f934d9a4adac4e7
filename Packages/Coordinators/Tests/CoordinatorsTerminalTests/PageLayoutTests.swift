import Coordinators
import Terminal
import TestSupport
import Testing

@testable import CoordinatorsTerminal
/// A page with every kind of element and field.
private let everything = Page<Place.Action>(
  "Everything",
  [
    .text("Body", role: .body), .text("Alert", role: .alert), .row("Row", detail: "detail", .press),
    .row("שלום", .press),
    .image(PageImage("/a.png", description: "An image")),
    .table(PageTable("Table", columns: ["A", .number("B")], rows: [["a", "1"], ["b"]])),
    .form(
      .init(
        id: "f", submit: "Send",
        fields: [
          PageField("text", "Text", isRequired: true), PageField("lines", "Lines", kind: .multiline, hint: "A hint"),
          PageField("number", "Number", kind: .number(in: 1...9)),
          PageField("choice", "Choice", kind: .choice([.init("a", "A"), .init("b", "B")])),
          PageField("none", "None", kind: .choice([])), PageField("on", "On", kind: .checkbox, error: "An error"),
          PageField("secret", "Secret", kind: .secret),
        ]
      ) { .select($0["text"]) }),
    .fact(label: "Fact", value: "value"), .button(.init(id: "b", "Button", .send(.help))),
  ])

@MainActor
@Suite("Pages in a terminal")
struct PageLayoutTests {
  private func text(_ page: Page<Place.Action>, columns: Int, rows: Int = 24) throws -> [String] {
    let bench = try Bench(.stack([.screen(.words)]), columns: columns, rows: rows)
    bench.pages["words"] = page
    return bench.lines
  }

  @Test("any keys on a page with every kind of element are handled at any size")
  func anyKeysAtAnySize() throws {
    let keys: [InputEvent] =
      ["a", "1", "é", " ", "?", "/", "j", "k"].map { .key(.character($0)) }
      + ["a", "e", "w", "u", "k", "r"].map { .key(.control($0)) } + [.key(.alt("b")), .key(.alt("f"))]
      + [Key.up, .down, .left, .right, .enter, .tab, .pageUp, .pageDown, .home, .end, .backspace, .delete].map {
        .key(KeyPress($0))
      } + [.key(KeyPress(.function(1))), .paste("one\ntwo\tthree"), .key(KeyPress(.tab, .shift))]
    let size = Generator<(Int, Int)>.zip(.int(in: 0...120), .int(in: 0...40))
    let steps = Generator<InputEvent>.element(of: keys).array(count: 0...30)
    for isModal in [false, true] {
      try checkProperty("no trap", count: 20, size, steps) { size, steps in
        let bench = try Bench(.stack([.screen(.words)]))
        bench.pages["words"] = everything
        if isModal { bench.apply(.present(.stack([.screen(.words)]), over: bench.navigation.root.id)) }
        bench.app.size = TerminalSize(columns: size.0, rows: size.1)
        for step in steps {
          bench.app.receive(step)
          if let cursor = bench.screen.cursor, cursor.column >= size.0 || cursor.row >= size.1 { return false }
        }
        return bench.screen.columns == size.0
      }
    }
  }

  @Test("images have their description, and tables have columns")
  func imagesAndTablesAreDrawn() throws {
    let table = PageTable(
      "Ingredients", columns: ["Name", .number("Grams")],
      rows: [["Flour", "250"], ["Salt", "5", "ignored"], ["Water"]])
    let lines = try text(
      Page(
        "Soup",
        [
          .image(PageImage("/a.png", description: "A bowl")), .image(PageImage("/b.png", description: "")),
          .table(table),
        ]),
      columns: 40)
    #expect(
      lines[2...8] == [
        " [A bowl]", "", " Ingredients", " Name   Grams", " Flour    250", " Salt       5", " Water",
      ])
  }

  @Test("elements of different kinds are separated by one empty line, and each is drawn once")
  func elementsAreSeparated() throws {
    let page = Page<Place.Action>(
      "Soup",
      [
        .row("Tomatoes", .press), .row("Garlic", .press), .text("Serve it."), .button(.init(id: "b", "Edit", .refresh)),
        .row("Source", .press), .fact(label: "Time", value: "1 h"), .fact(label: "For", value: "4"),
      ])
    #expect(
      try text(page, columns: 40)[2...11] == [
        " › Tomatoes", " › Garlic", "", " Serve it.", "", " [ Edit ]", "", " › Source", " Time  1 h", " For   4",
      ])
  }

  @Test("labels stand above their fields in a narrow window, and text is at most 90 columns wide")
  func narrowAndWideWindows() throws {
    let form = Page<Place.Action>.Form(
      id: "f", submit: "Save", fields: [PageField("servings", "Number of servings", value: "4")]
    ) { _ in .press }
    let narrow = try text(Page("Soup", [.form(form)]), columns: 20, rows: 10)
    #expect(narrow.contains(" Number of servings") && narrow.contains { $0.hasPrefix(" 4") })
    let wide = try text(Page("Soup", [.text(String(repeating: "word ", count: 60))]), columns: 200, rows: 50)
    #expect(wide.dropFirst().allSatisfy { $0.count <= 92 })
  }

  @Test("a modal is at most 80 columns wide, centred, and as high as its page")
  func modalIsLimited() throws {
    let bench = try Bench(.screen(.words), columns: 200, rows: 50)
    bench.apply(.present(.stack([.screen(.help)]), over: bench.navigation.root.id))
    let top = try #require(bench.lines.first { $0.contains("┌") })
    #expect(top.prefix { $0 != "┌" }.count == 60 && top.count == 140)
    #expect(bench.lines.count { $0.contains("│") } == 6)
  }

  @Test("a title and its detail from right to left keep their places on a terminal with bidirectional text")
  func partsOfALineKeepTheirPlaces() throws {
    let lines = try text(
      Page(
        "Words",
        [
          .row("מים", detail: "לחם", .press), .row("fiets", detail: "bicycle", .press),
          .fact(label: "שפה", value: "עברית"),
          .table(PageTable("", columns: ["", .number("")], rows: [["לחם", "25"]])),
        ]),
      columns: 40)
    // A character with the direction of Latin letters separates the parts.
    #expect(lines[2].hasPrefix(" › מים   \u{2800}לחם") && lines[4].hasPrefix(" שפה \u{2800}עברית"))
    #expect(lines[6].hasPrefix(" לחם\u{2800}  25"))
    #expect(lines[3].hasPrefix(" › fiets  bicycle"))
  }

  @Test("without room for all titles, only the selected tab has its title")
  func tabsFitNarrowWindow() throws {
    let bench = try Bench.tabs(columns: 16)
    #expect(bench.lines.contains(" 1 Words  2"))
    try bench.press("2")
    #expect(bench.lines.contains(" 1  2 Settings"))
  }
}
