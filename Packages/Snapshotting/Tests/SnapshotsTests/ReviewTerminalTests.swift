import Foundation
import ImageSnapshotting
import SnapshotStore
import Terminal
import TerminalTesting
import TestSupport
import Testing

@testable import Snapshots

@Suite("A review in a terminal", .timeLimit(.minutes(2))) struct ReviewTerminalTests {
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
    try await terminal.wait(for: "A accept all 2 alike")
    #expect(terminal.reader.lines.first?.hasPrefix(" 1/3  changed  Tests/a.txt") == true)
    #expect(terminal.reader.lines.contains("− old") && terminal.reader.lines.contains("+ new"))
    for (key, title) in [("A", " 3/3"), ("u", " 1/3"), ("a", " 2/3"), ("r", " 3/3")] {
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
    #expect(terminal.reader.lines.contains("Accepted 1 snapshot, rejected 1, skipped 1."))
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
    #expect(terminal.reader.lines.contains("Accepted 1 snapshot, rejected 1, skipped 1."))
    #expect(project.names == ["Tests/A.swift:8"])
    #expect(project.store.accept(project.store.contents().snapshots).isEmpty)
  }

  @Test(
    "a review without keys or a cursor is refused with the cause",
    arguments: [
      ("</dev/null", "xterm", "standard input is not a terminal"),
      ("", "dumb", "according to TERM, which is 'dumb', this terminal cannot move its cursor"),
    ])
  func unsuitable(_ redirection: String, _ type: String, _ cause: String) async throws {
    let project = try project()
    let terminal = try TerminalProcess(
      "/bin/sh", ["-c", #""$0" review "# + redirection, ChildProcess.path(besideTests: "snapshots")], in: project.root,
      columns: 120, environment: ["TERM": type], keeping: project)
    #expect(await terminal.ending() == 1)
    #expect(terminal.reader.lines.contains { $0.hasPrefix("Error: Cannot open a terminal session: \(cause).") })
  }

  @Test("accepting everything succeeds") func everything() async throws {
    let project = try project()
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: " 1/3")
    terminal.type("Aa\r")
    #expect(await terminal.ending() == 0)
    #expect(terminal.isRestored && project.names.isEmpty)
    #expect(project.text(of: "Tests/b.txt") == "same\nnew")
  }

  @Test("q applies the decisions so far, and Enter decides nothing") func finish() async throws {
    let project = try project()
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: " 1/3")
    terminal.type("\ra\rq")
    #expect(await terminal.ending() == 1)
    #expect(terminal.isRestored && project.names == ["Tests/b.txt", "c.png"])
  }

  @Test("without a shell that could continue it, Ctrl-Z does not stop the review") func suspend() async throws {
    let project = try project()
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: " 1/3")
    terminal.type("\u{1A}")
    terminal.type("a")
    try await terminal.wait(for: " 2/3")
    terminal.type("\u{3}")
    #expect(await terminal.ending() == 130)
    #expect(terminal.isRestored)
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
    try await terminal.wait(for: "q apply")
    terminal.resize(columns: 120, rows: 30)
    try await terminal.wait(for: "Ctrl-C discard")
    let line = try #require(terminal.reader.lines.first { $0.hasPrefix("− old") })
    #expect(line.hasSuffix("+ new") && line.count == 65)
    terminal.resize(columns: 20, rows: 6)
    try await terminal.wait(for: "a accept  r reject")
    #expect(terminal.reader.lines.count == 6)
    terminal.type("q")
    #expect(await terminal.ending() == 1)
    #expect(terminal.isRestored && terminal.reader.unknown == [])
  }

  @Test("images are drawn as half blocks in their colours") func pictures() async throws {
    let terminal = try TerminalProcess(
      ["review", "c.png"], in: try project(), environment: ["COLORTERM": "truecolor"])
    try await terminal.wait(for: "Ctrl-C discard")
    let colors = Set(terminal.reader.rows.joined().flatMap { [$0.style.foreground, $0.style.background] })
    #expect(colors.isSuperset(of: [.rgb(255, 0, 0), .rgb(0, 0, 255)]))
    terminal.type("q")
    #expect(await terminal.ending() == 1)
  }

  @Test("NO_COLOR removes all colours, and images stay visible") func noColor() async throws {
    let terminal = try TerminalProcess(
      ["review"], in: try project(), environment: ["COLORTERM": "truecolor", "NO_COLOR": "1"])
    try await terminal.wait(for: "+ new")
    terminal.type("A")
    try await terminal.wait(for: "Ctrl-C discard")
    #expect(
      terminal.reader.rows.joined().allSatisfy { $0.style.foreground == .default && $0.style.background == .default })
    #expect(terminal.reader.lines.contains { $0.contains("..........") })
    terminal.type("\u{3}")
    #expect(await terminal.ending() == 130)
  }

  @Test("o opens the reference and the new snapshot with the desktop's program") func opensFiles() async throws {
    let project = try project()
    try project.write("#!/bin/sh\necho \"$1\" >>\"$OPENED\"\n", to: "bin/xdg-open")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: "\(project.root)/bin/xdg-open")
    let pipe = "\(project.root)/opened"
    #expect(mkfifo(pipe, 0o600) == 0)
    // Open for both directions, so that neither side waits for the other.
    let descriptor = Foundation.open(pipe, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let terminal = try TerminalProcess(
      ["review", "c.png"], in: project,
      environment: ["PATH": "\(project.root)/bin:/usr/bin:/bin", "OPENED": pipe])
    try await terminal.wait(for: " 1/1")
    terminal.type("o")
    let opened = await onThread { () -> String in
      var (text, bytes) = ("", [UInt8](repeating: 0, count: 4_096))
      while text.count(where: { $0 == "\n" }) < 2, case let count = read(descriptor, &bytes, bytes.count), count > 0 {
        text += String(decoding: bytes[..<count], as: UTF8.self)
      }
      return text
    }
    #expect(opened.split(separator: "\n").contains("\(project.root)/c.png"[...]))
    #expect(
      opened.split(separator: "\n").contains { $0.contains("/.build/pending-snapshots/") && $0.hasSuffix(".png") })
    terminal.type("q")
    #expect(await terminal.ending() == 1)
    #expect(terminal.isRestored)
  }

  @Test(
    "hostile names of projects and references are shown in one line and accepted",
    arguments: ["a\"b'c", "a\nb", "🐦 bird", String(repeating: "é", count: 100), "-rf", "\u{1B}[31mred", "$(exit 7)"])
  func names(_ name: String) async throws {
    let project = try Project(named: name)
    try project.leave("new", over: nil, of: "Tests/\(name).txt", test: name)
    let terminal = try TerminalProcess(["review"], in: project)
    try await terminal.wait(for: " Tests/A.swift:3")
    #expect(terminal.reader.lines.first?.hasPrefix(" 1/1  new      Tests/") == true)
    #expect(terminal.reader.lines[1] == " Tests/A.swift:3" && terminal.reader.unknown == [])
    #expect(terminal.reader.rows.joined().allSatisfy { $0.style.foreground != .ansi(.red) })
    terminal.type("a\r")
    #expect(await terminal.ending() == 0)
    #expect(project.text(of: "Tests/\(name).txt") == "new" && project.names.isEmpty)
  }
}
