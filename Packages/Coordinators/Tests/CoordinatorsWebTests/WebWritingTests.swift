import Coordinators
import CoordinatorsWeb
import Foundation
import Testing

@Suite("HTML of the web shell")
struct WebWritingTests {
  @Test(
    "every link and button has a visible text",
    arguments: ["", " \t\u{A0}", "\u{200B}\u{2060}", "\u{202E}", "\u{2800}"])
  func linksAndButtonsHaveVisibleText(text: String) throws {
    let desk = try Desk(.stack([.screen(.words)]), texts: .dutch)
    let page = Page<Place.Action>(
      text, [.row(.init(id: "r", ListCell(text), .select("r"))), .button(.init(id: "b", text, .refresh))])
    let html = desk.shell.response(page: page).body
    #expect(html.contains("rows/r\">Zonder titel</a>") && html.contains("<button>Zonder titel</button>"), "\(html)")
    #expect(html.contains("<title>Zonder titel</title>") && html.contains(">Zonder titel</h1>"))
  }

  @Test("each of several rows, forms or buttons with one identity is written, and has its own action")
  func duplicatesHaveTheirOwnActions() throws {
    let desk = try Desk.tabs()
    let page = Page<Place.Action>(
      "Twice",
      (1...2).flatMap { number -> [Page<Place.Action>.Element] in
        [
          .row(.init(id: "r", ListCell("row \(number)"), .select("row \(number)"))),
          .form(.init(id: "f", submit: "Save", fields: []) { _ in .select("form \(number)") }),
          .button(.init(id: "b", "button \(number)", .send(.select("button \(number)")))),
        ]
      })
    let html = desk.shell.response(page: page).body
    let node = try #require(desk.shell.navigation?.front.id)
    var actions: [Place.Action] = []
    for (kind, method) in [("rows/r", WebRequest.Method.get), ("forms/f", .post), ("buttons/b", .post)] {
      for number in ["", "~202"] {
        let path = "/screens/\(node.rawValue)/\(kind)\(number)"
        #expect(html.contains("\"\(path)\""))
        if case .trigger(.send(let action), _) = desk.shell.command(WebRequest(method, path), on: page) {
          actions.append(action)
        }
      }
    }
    #expect(actions == ["row 1", "row 2", "form 1", "form 2", "button 1", "button 2"].map { .select($0) })
  }

  @Test("fields declare their kind of autofill")
  func fieldsDeclareAutofill() throws {
    let desk = try Desk.tabs()
    let fields = [PageField("none", "None")] + PageField.Autofill.allCases.map { PageField("\($0)", "", autofill: $0) }
    let form = Page<Place.Action>.Form(id: "f", submit: "Save", fields: fields) { _ in .select("f") }
    let html = desk.shell.response(page: Page("Form", [.form(form)])).body
    let words = html.matches(of: #/autocomplete="([^"]*)"/#).map { String($0.1) }
    #expect(words == ["username", "current-password", "new-password"])
  }

  @Test("characters that HTML forbids and characters that change the text direction are removed")
  func forbiddenCharactersAreRemoved() throws {
    // Swift does not support literals of these scalars.
    let forbidden = [0xFFFE, 0x1FFFF, 0xFDD0].compactMap { Unicode.Scalar($0 as UInt32).map(String.init) }
    let text = "a\u{202E}b\u{2067}c\(forbidden[0])d\(forbidden[1])e\(forbidden[2])f\u{200F}g\u{FFFD}"
    let desk = try Desk.tabs()
    let html = desk.shell.response(page: Page("Text", [.text(text)])).body
    #expect(html.contains("<p>abcdef\u{200F}g\u{FFFD}</p>"), "\(html)")
  }

  @Test("only text in another language than the app's has a language attribute")
  func foreignTextHasLanguageAttribute() throws {
    let desk = try Desk.tabs()
    var page = Page<Place.Action>(
      "fiets",
      [
        .text("Ik ga met de fiets.", language: "nl"), .text("I go by bike."),
        .text("Zinnen", role: .heading, language: "nl"), .fact(label: "Dutch", value: "de fiets", language: "nl"),
        .fact(label: "English", value: "bicycle"),
        .row(.init(id: "r", ListCell("brood", detail: "bread"), .select("r"))),
      ])
    page.titleLanguage = "nl"
    if case .row(var row)? = page.elements.last {
      row.cell.titleLanguage = "nl"
      page.elements[5] = .row(row)
    }
    let html = desk.shell.response(page: page).body
    for part in [
      "<html lang=\"en\">", "<title lang=\"nl\">fiets</title>", "<h1 id=\"title\" lang=\"nl\">fiets</h1>",
      "<p lang=\"nl\">Ik ga met de fiets.</p>", "<p>I go by bike.</p>", "<h2 lang=\"nl\">Zinnen</h2>",
      "<dt>Dutch</dt><dd lang=\"nl\">de fiets</dd>", "<dt>English</dt><dd>bicycle</dd>",
      "rows/r\" lang=\"nl\">brood</a> <small>bread</small>",
    ] { #expect(html.contains(part), "\(part) in \(html)") }
    #expect(html.components(separatedBy: " lang=").count == 8)
  }

  @Test("a language is escaped as an attribute, and the text for a missing title has no language")
  func languageIsEscaped() throws {
    let desk = try Desk.tabs()
    var page = Page<Place.Action>(" ", [.text("x", language: "nl\"><script>")])
    page.titleLanguage = "nl"
    let html = desk.shell.response(page: page).body
    #expect(html.contains("<p lang=\"nl&quot;&gt;&lt;script&gt;\">x</p>") && !html.contains("<script"))
    #expect(html.contains("<title>Untitled</title>") && html.contains("<h1 id=\"title\">Untitled</h1>"))
  }

  @Test("the first alert has the focus and describes the invalid fields")
  func firstAlertHasFocus() throws {
    let desk = try Desk.tabs()
    let fields = [PageField("name", "Name", isInvalid: true), PageField("secret", "Secret", kind: .secret)]
    let form = Page<Place.Action>.Form(id: "f", submit: "Save", fields: fields) { _ in .select("f") }
    let page = Page("Form", [.text("No.", role: .alert), .text("And no.", role: .alert), .form(form)])
    let html = desk.shell.response(page: page).body
    #expect(html.contains("<p role=\"alert\" id=\"alert\" tabindex=\"-1\" autofocus>No.</p><p role=\"alert\">And"))
    #expect(html.contains("value=\"\" aria-invalid=\"true\" aria-describedby=\"alert\"><"), "\(html)")
    #expect(html.components(separatedBy: "aria-invalid=").count == 2)
  }

  @Test("buttons below a list are written above it, and other elements stay in their order")
  func buttonsAreWrittenAboveList() throws {
    let desk = try Desk.tabs()
    func button(_ id: String) -> Page<Place.Action>.Element { .button(.init(id: id, id, .refresh)) }
    func row(_ id: String) -> Page<Place.Action>.Element { .row(.init(id: id, ListCell(id), .select(id))) }
    let elements = [.text("note"), button("b1"), row("r1"), row("r2"), button("b2"), button("b3"), row("r3")]
    let page = Page("Order", elements)
    let html = desk.shell.response(page: page).body
    let order = html.matches(of: #/>(note|[br][1-3])</#).map { String($0.1) }
    #expect(order == ["note", "b1", "b2", "b3", "r1", "r2", "r3"])
  }

  @Test("the refresh button is in the header, before the content")
  func refreshButtonIsInHeader() throws {
    let desk = try Desk(.stack([.screen(.words)]))
    var page = Page<Place.Action>("Words", [.text("Text.")])
    #expect(!desk.shell.response(page: page).body.contains("<header>"))
    page.isRefreshable = true
    #expect(desk.shell.response(page: page).body.contains(#/<header><form.*/refresh".*<\/header><main>/#))
  }
}
