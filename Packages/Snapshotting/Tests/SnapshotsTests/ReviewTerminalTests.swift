import Foundation
import ImageSnapshotting
import SnapshotStore
import Terminal
import TerminalTesting
import TestSupport
import Testing

@testable import Snapshots

@Suite("A review in a terminal", .timeLimit(.minutes(5))) struct ReviewTerminalTests {
  private func project() throws -> Project {
    let project = try Project()
    for name in ["a", "b"] {
      try project.write("same\nold", to: "Tests/\(name).txt")
      try project.leave("same\nnew", over: "same\nold", of: "Tests/\(name).txt", test: "\(name)()")
    }
    try project.leavePicture(.init(red: 0, green: 0, blue: 255), over: .init(red: 255, green: 0, blue: 0), of: "c.png")
    return project
  }

  @Test("keys accept, undo, reject and skip, and the decisions take effect at the end") func keys() async throws {
    let project = try project()
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: "? help")
    #expect(terminal.reader.lines.first?.hasPrefix(" 1/3  changed  A.a()  a.txt") == true)
    #expect(terminal.reader.lines.contains("− old") && terminal.reader.lines.contains("+ new"))
    for (key, title) in [("A", "3 accepted"), ("u", " 1/3"), ("a", " 2/3"), ("r", " 3/3")] {
      terminal.type(key)
      try await terminal.wait(for: title)
    }
    #expect(project.text(of: "Tests/a.txt") == "same\nold")
    terminal.type("s")
    try await terminal.wait(for: "1 accepted")
    #expect(project.text(of: "Tests/a.txt") == "same\nold")
    terminal.type("\r")
    #expect(await terminal.ending() == 1)
    #expect(terminal.isRestored && terminal.reader.unknown == [])
    #expect(terminal.reader.lines.contains("Skipped 1 snapshot."))
    #expect(project.text(of: "Tests/a.txt") == "same\nnew" && project.text(of: "Tests/b.txt") == "same\nold")
    #expect(project.names == ["c.png"])
  }

  @Test("inline snapshots of one file can be accepted, rejected and skipped together") func inline() async throws {
    let project = try Project()
    let calls = (1...3).map { "  assertInlineSnapshot(of: \($0), as: .lines)\n" }
    try project.write("func page() {\n\(calls.joined())}\n", to: "Tests/A.swift")
    for line in 2...4 as ClosedRange<UInt> { try project.leaveInline("text", over: nil, line: line, column: 23) }
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: " 1/3")
    terminal.type("ars\r")
    #expect(await terminal.ending() == 1)
    #expect(terminal.reader.lines.contains("Skipped 1 snapshot."))
    #expect(project.names == ["Tests/A.swift:4"])
    for result in project.store.accept(project.store.contents().snapshots) { try result.get() }
  }

  @Test("Ctrl-C discards the decisions") func cancel() async throws {
    let project = try project()
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: " 1/3")
    terminal.type("a\u{3}")
    #expect(await terminal.ending() == 130)
    #expect(terminal.isRestored && project.names.count == 3 && project.text(of: "Tests/a.txt") == "same\nold")
    #expect(terminal.reader.screen.text.contains("No snapshot was accepted or rejected."))
  }

  @Test("a signal restores the terminal and discards the decisions", arguments: [SIGTERM, SIGHUP, SIGINT])
  func signal(_ number: Int32) async throws {
    let project = try project()
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: " 1/3")
    terminal.type("a")
    try await terminal.wait(for: " 2/3")
    terminal.signal(number)
    #expect(await terminal.ending() == -number)
    #expect(terminal.isRestored && project.names.count == 3 && project.text(of: "Tests/a.txt") == "same\nold")
  }

  @Test("the review follows the size of the window") func resize() async throws {
    let terminal = try TerminalProcess(["review"], in: try project())
    // The last line is drawn last.
    try await terminal.wait(for: "? help")
    terminal.resize(columns: 120, rows: 30)
    try await terminal.wait(
      "two columns", until: { $0.lines.contains { $0.hasPrefix("− old") && $0.hasSuffix("+ new") } })
    terminal.resize(columns: 20, rows: 6)
    try await terminal.wait(for: "a accept  r reject")
    #expect(terminal.reader.lines.count == 6)
    terminal.type("q")
    #expect(await terminal.ending() == 1)
    #expect(terminal.isRestored && terminal.reader.unknown == [])
  }

  @Test("keys that were typed before the review is shown decide nothing") func early() async throws {
    let project = try project()
    let terminal = try TerminalProcess(["review"], in: project)
    terminal.type("A\r")
    try await terminal.wait(for: "? help")
    #expect(terminal.reader.lines.first?.hasPrefix(" 1/3") == true && project.names.count == 3)
    terminal.type("q")
    #expect(await terminal.ending() == 1)
  }

  @Test("images are drawn as half blocks in their colours") func pictures() async throws {
    let terminal = try TerminalProcess(
      ["review", "c.png"], in: try project(), environment: ["COLORTERM": "truecolor"])
    try await terminal.wait(for: "? help")
    let colors = Set(terminal.reader.rows.joined().flatMap { [$0.style.foreground, $0.style.background] })
    #expect(colors.isSuperset(of: [.rgb(255, 0, 0), .rgb(0, 0, 255)]))
    terminal.type("q")
    #expect(await terminal.ending() == 1)
  }

  @Test(
    "hostile names of projects and references are shown in one line and accepted",
    arguments: ["a\"b'c", "a\nb", "🐦 bird", String(repeating: "é", count: 100), "-rf", "\u{1B}[31mred", "$(exit 7)"])
  func names(_ name: String) async throws {
    let project = try Project(named: name)
    try project.leave("new", over: nil, of: "Tests/\(name).txt", test: name)
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: "? help")
    #expect(terminal.reader.lines.first?.hasPrefix(" 1/1  new  A.") == true)
    #expect(terminal.reader.lines[1].hasPrefix(" Tests/") && terminal.reader.unknown == [])
    #expect(terminal.reader.rows.joined().allSatisfy { $0.style.foreground != .ansi(.red) })
    terminal.type("a\r")
    #expect(await terminal.ending() == 0)
    #expect(project.text(of: "Tests/\(name).txt") == "new" && project.names.isEmpty)
  }
}
