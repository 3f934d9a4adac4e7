import Coordinators
import Foundation
import Terminal
import Testing

@testable import CoordinatorsTerminal
/// The hints, the help and the behaviour of keys come from one table for each control.
@MainActor
@Suite("Keys of the control with the focus")
struct KeyTests {
  private func form(_ fields: PageField...) throws -> Bench { try form(fields) }

  private func form(_ fields: [PageField]) throws -> Bench {
    let bench = try Bench(.stack([.screen(.words), .screen(.settings)]), columns: 100, rows: 24)
    bench.pages["settings"] = Page(
      "Form",
      [
        .form(
          .init(id: "f", submit: "Save", fields: fields) { values in
            .select(fields.map { values[$0.name] }.joined(separator: "|"))
          }),
        .button(.init(id: "b", "Help", .send(.help))),
      ])
    return bench
  }

  @Test("each control has its own hints")
  func eachControlHasItsHints() throws {
    let bench = try form(
      PageField("text", "Text"), PageField("lines", "Lines", kind: .multiline),
      PageField("choice", "Choice", kind: .choice([.init("a", "A"), .init("b", "B")])),
      PageField("on", "On", kind: .checkbox))
    var seen: [String] = []
    for _ in 0..<6 {
      seen.append(bench.lines.last?.trimmingCharacters(in: .whitespaces) ?? "")
      try bench.press("tab")
    }
    let rest = "Tab next field  Esc back"
    #expect(
      seen == [
        "Enter next  ↑↓ move  \(rest)  F1 help  Ctrl-C quit", "Enter new line  ↑↓ move  \(rest)  F1 help  Ctrl-C quit",
        "←→ choose  Enter next  ↑↓ move  \(rest)  ? help  Ctrl-C quit",
        "Space check  Enter send  ↑↓ move  \(rest)  ? help  Ctrl-C quit",
        "Enter send  ↑↓ move  \(rest)  ? help  Ctrl-C quit", "Enter press  ↑↓ move  \(rest)  ? help  Ctrl-C quit",
      ])
  }

  @Test("the keys of a form fill in every kind of field")
  func keysFillInEveryField() throws {
    let bench = try form(
      PageField("text", "Text"), PageField("lines", "Lines", kind: .multiline),
      PageField("number", "Number", kind: .number(in: 1...9)),
      PageField("choice", "Choice", kind: .choice([.init("a", "A"), .init("b", "B")])),
      PageField("on", "On", kind: .checkbox))
    try bench.press("'one' enter 'two' enter 'three' tab '7' tab right right left tab space")
    #expect(bench.lines.contains { $0.hasSuffix("‹ A ›") } && bench.lines.contains { $0.contains("[x] On") })
    #expect(bench.lines.contains { $0.hasSuffix("  two") } && bench.lines.contains { $0.hasSuffix("  three") })
    try bench.press("enter")
    #expect(bench.sent == [.select("one|two\nthree|7|a|on")])
  }

  @Test("a form with problems is not sent: each is shown at its field, and the first has the focus")
  func problemsAreShownAtFields() throws {
    let bench = try form(
      PageField("name", "Name", isRequired: true, hint: "As on the box"),
      PageField("number", "Number", kind: .number(in: 1...9), value: "12"), PageField("x", "X", error: "Taken."))
    #expect(bench.lines.contains { $0 == " Name *" } && bench.lines.contains { $0.hasSuffix("As on the box") })
    #expect(bench.lines.contains { $0.hasSuffix("Taken.") })
    try bench.press("down down enter")
    #expect(bench.sent == [] && bench.lines.contains { $0.hasSuffix("Fill in this field.") })
    #expect(bench.lines.contains { $0.hasSuffix("Enter a number from 1 to 9.") })
    try bench.press("'x'")
    #expect(!bench.lines.contains { $0.hasSuffix("Fill in this field.") })
    #expect(bench.lines.contains { $0 == " Name *  x" }, "the first field with a problem has the focus")
    try bench.press("tab backspace tab enter")
    #expect(bench.sent == [.select("x|1|")])
  }

  @Test("the first field with a problem is visible, however long the form is")
  func problemIsVisible() throws {
    let others = (0..<40).map { PageField("f\($0)", "Field \($0)") }
    let bench = try form([PageField("name", "Name", isRequired: true)] + others)
    try bench.press(String(repeating: "down ", count: 41) + "enter")
    #expect(bench.sent == [] && bench.lines.contains { $0.contains("Fill in this field.") })
    try bench.press("'x'")
    #expect(bench.lines.contains { $0.hasPrefix(" Name *") && $0.contains("x") })
  }

  @Test("q on a button of a form drops no input")
  func quitKeyDropsNoInput() throws {
    let bench = try form(PageField("name", "Name"))
    try bench.press("'a' tab tab q ?")
    #expect(bench.app.ended == nil)
    #expect(bench.lines.contains { $0.contains(" Keys ") }, "the help")
  }

  @Test("the help lists the keys of the control, scrolls, and closes with any other key")
  func helpListsKeys() throws {
    var bench = try form(PageField("name", "Name"))
    bench.app.receive(.key(.function(1)))
    for line in ["Ctrl-W  delete the word before the caret", "Alt-B   previous word", "Tab     next field"] {
      #expect(bench.lines.contains { $0.contains(line) }, "\(line)")
    }
    bench.app.size.rows = 12
    #expect(bench.lines.contains { $0.contains("│ Enter   send") })
    try bench.press("down")
    #expect(!bench.lines.contains { $0.contains("│ Enter   send") })
    try bench.press("'a'")
    #expect(!bench.lines.contains { $0.contains(" Keys ") } && bench.lines.contains { $0.contains("Name") })
    bench = try Bench.tabs()
    try bench.press("?")
    #expect(bench.lines.contains { $0.contains("│ Tab     next tab ") })
    #expect(bench.lines.last == " ↑↓ move  Esc back", "the hints are those of the help")
    try bench.press("q ? enter enter")
    #expect(bench.sent == [.select("fiets")], "the first key only closes the help")
  }

  @Test("Alt and a digit select a tab everywhere, and the digit alone where it is not typed into a field")
  func digitsSelectTabs() throws {
    let bench = try Bench.tabs(columns: 80)
    try bench.press("2")
    #expect(bench.lines.last?.contains("Alt-1…2 tab") == true)
    bench.app.receive(.key(.character("1"), .alt))
    #expect(bench.navigation.front.screen == .words)
    bench.app.receive(.key(.character("2"), .alt))
    #expect(bench.navigation.front.screen == .settings)
    try bench.press("tab tab 1 ?")
    #expect(bench.navigation.front.screen == .words && bench.screen.text.contains("1…2"), "the help names the digits")
  }

  @Test("the cursor is at the control with the focus")
  func cursorIsAtFocus() throws {
    var bench = try Bench.tabs()
    #expect(bench.screen.cursor == Position(column: 1, row: 2))
    try bench.press("down down")
    #expect(bench.screen.cursor == Position(column: 1, row: 4))
    bench = try form(
      PageField("choice", "Choice", kind: .choice([.init("a", "A")])), PageField("on", "On", kind: .checkbox))
    #expect(bench.screen.cursor == Position(column: 9, row: 2))
    try bench.press("tab")
    #expect(bench.screen.cursor == Position(column: 10, row: 3))
    try bench.press("tab tab")
    #expect(bench.screen.cursor == Position(column: 1, row: 6))
  }
}
