import Coordinators
import Testing

private struct Word: Identifiable, Sendable {
  var id: String
  var english: String
}

@Suite("Pages")
struct PageTests {
  @Test("a list has a row for each item with its cell and its action")
  func listHasRowForEachItem() {
    let list = ListScreen("Words", items: [Word(id: "fiets", english: "bicycle"), Word(id: "ijs", english: "ice")]) {
      cell, word in
      cell.title = word.id
      cell.detail = word.english
    } didSelectItem: {
      $0.english
    }
    let page = list.page
    #expect(page.title == "Words" && page.elements.count == 2)
    #expect(page.row("ijs")?.cell == ListCell("ijs", detail: "ice") && page.row("ijs")?.action == "ice")
    #expect(page.row("nobody") == nil)
  }

  @Test("an empty list shows its text for an empty list")
  func emptyListShowsItsText() {
    var list = ListScreen("Words", items: [Word]()) { _, _ in
    } didSelectItem: {
      $0.id
    }
    list.placeholder = "No words yet."
    guard case .text("No words yet.", role: .note, language: nil)? = list.page.elements.first else {
      return #expect(Bool(false), "\(list.page)")
    }
  }

  @Test("a form passes the values of its fields, and the initial value of each missing field")
  func formPassesFieldValues() {
    let form = Page<String>.Form(
      id: "f", submit: "Send", fields: [PageField("a", "A"), PageField("b", "B", value: "two")]
    ) {
      "\($0["a"])/\($0["b"])/\($0["c"])"
    }
    #expect(form.action(for: ["a": "one", "c": "smuggled"]) == "one/two/")
    #expect(form.action(for: ["b": ""]) == "//")
  }

  @Test("distinct identities of duplicates have a number, and collide with no other identity")
  func duplicatesAreNumbered() {
    let titles = ["a", "a", "a 2", "b", "a", "a 2", ""] + Array(repeating: "c", count: 1_000)
    let page = Page<Int>("", titles.enumerated().map { .row($1, $0) }).distinct
    let ids = page.elements.compactMap { if case .row(let row) = $0 { row.id } else { nil } }
    #expect(ids.prefix(7) == ["a", "a 2", "a 2 2", "b", "a 3", "a 2 3", ""] && ids.last == "c 1000")
    #expect(Set(ids).count == titles.count && page.row("a 3")?.action == 4)
  }

  @Test("the first of two elements with one identity is used")
  func firstElementOfIdentityIsUsed() {
    let page = Page<Int>(
      "", [.button(.init(id: "x", "first", .send(1))), .button(.init(id: "x", "second", .send(2)))])
    #expect(page.button("x")?.title == "first" && page.form("x") == nil)
  }
}
