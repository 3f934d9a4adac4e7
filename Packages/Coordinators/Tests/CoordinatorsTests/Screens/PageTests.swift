import Coordinators
import Testing

@Suite("Pages")
struct PageTests {
  @Test("a list has a row for each item, and a note without items")
  func listHasRowForEachItem() {
    let words = [("fiets", "bicycle"), ("ijs", "ice")]
    let page = Page<String>.list("Words", words) { .init(id: $0.0, $0.0, detail: $0.1, language: "nl", $0.1) }
    #expect(page.title == "Words" && page.elements.count == 2 && page.row("nobody") == nil)
    #expect(page.row("ijs")?.detail == "ice" && page.row("ijs")?.action == "ice")
    let empty = Page<String>.list("Words", [String](), placeholder: "No words yet.") { .init($0, $0) }
    guard case .text("No words yet.", role: .note, language: nil)? = empty.elements.first else {
      return #expect(Bool(false), "\(empty)")
    }
  }

  @Test("distinct identities of duplicates have a number, and collide with no other identity")
  func duplicatesAreNumbered() {
    let titles = ["a", "a", "a 2", "b", "a", "a 2", ""] + Array(repeating: "c", count: 1_000)
    let page = Page<Int>("", titles.enumerated().map { .row($1, $0) }).distinct
    let ids = page.elements.compactMap { if case .row(let row) = $0 { row.id } else { nil } }
    #expect(ids.prefix(7) == ["a", "a 2", "a 2 2", "b", "a 3", "a 2 3", ""] && ids.last == "c 1000")
    #expect(Set(ids).count == titles.count && page.row("a 3")?.action == 4)
  }
}

@Suite("Forms")
struct FormTests {
  private let form = Page<String>.Form(
    id: "f", submit: "Send",
    fields: [
      PageField("name", "Name", isRequired: true), PageField("note", "Note", kind: .multiline, value: "two"),
      PageField("servings", "Servings", kind: .number(in: 1...20)),
      PageField("course", "Course", kind: .choice([.init("main", "Main course")])),
      PageField("public", "Public", kind: .checkbox, value: "on"),
    ]
  ) {
    "\($0["name"])/\($0["note"])/\($0.number("servings") ?? 0)/\($0["course"])/\($0.isOn("public"))/\($0["other"])"
  }

  @Test("a form passes the values of its fields, and the initial value of each missing field")
  func formPassesFieldValues() {
    #expect(form.action(for: ["name": "one", "other": "smuggled"]) == "one/two/0.0//true/")
    #expect(form.action(for: ["note": "", "servings": "2.5", "public": ""]) == "//2.5//false/")
  }

  @Test("line breaks and tabs become spaces in one line, and one character in several lines")
  func lineBreaksAreNormalized() {
    let values = ["name": "a\r\nb\tc\u{2028}d", "note": "a\r\nb\rc\nd"]
    #expect(form.action(for: values) == "a b c d/a\nb\nc\nd/0.0//true/")
  }

  @Test("a shell finds required, malformed and unknown values before it sends a form")
  func problemsAreFound() {
    #expect(form.problems(in: [:]) == ["name": .missing])
    #expect(
      form.problems(in: ["name": "x", "servings": "0", "course": "soup"]) == [
        "servings": .outOfRange(1...20), "course": .unknownChoice,
      ])
    for text in ["many", "1,5", "nan", "inf", "0x"] {
      #expect(form.problems(in: ["name": "x", "servings": text]) == ["servings": .notANumber], "\(text)")
    }
    #expect(form.problems(in: ["name": "x", "servings": " 7 ", "course": "main"]).isEmpty)
    let terms = PageField("terms", "Terms", kind: .checkbox, isRequired: true)
    #expect(terms.problem(of: "") == .missing && terms.problem(of: "on") == nil)
    #expect(PageTexts().text(of: .outOfRange(1...20.5)) == "Enter a number from 1 to 20.5.")
  }

  @Test("the values of secret fields are masked while they are edited")
  func secretsAreMasked() {
    var form = Page<String>.Form(
      id: "f", submit: "Log in", fields: [PageField("password", "Password", kind: .secret)]
    ) {
      $0["password"]
    }
    #expect(form.editAction(for: ["password": "tulp"]) == nil)
    form.edited = { $0["password"] }
    #expect(form.editAction(for: ["password": "tulp"]) == "••••" && form.action(for: ["password": "tulp"]) == "tulp")
  }
}
