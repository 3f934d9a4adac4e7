import Arguments
import Foundation
import SnapshotStore
import Snapshotting
import Terminal
import TestSupport
import Testing

@testable import Snapshots

@Suite("The command snapshots") struct CommandTests {
  @Test("status fails while snapshots are pending, and prints JSON on request") func status() async throws {
    let project = try Project()
    #expect(try await project.run(["status"]) == (0, "No snapshots are pending.\n", ""))
    try project.leave("new", over: nil)
    let (code, output, _) = try await project.run(["status"])
    #expect(code == 1 && output.contains("new      \(AcceptingTests.reference)  A.page()"))
    try project.leave("new", over: "old", of: "Tests/b.txt")
    let list = try await project.run(["status"]).output
    #expect(list.hasPrefix("2 snapshots are pending, 1 new and 1 changed:\n"))
    #expect(
      list.hasSuffix(
        "\nTo review them: snapshots review, or swift package --allow-writing-to-package-directory snapshots review\n"))
    #expect(try await project.run(["status", "--json"]).output.hasPrefix(#"{"changed":1,"new":1,"pending":[{"#))
  }

  @Test("accept and reject take parts of names, and refuse a text that matches nothing") func filters() async throws {
    let project = try Project()
    try project.leave("1", over: nil, of: "Tests/a.txt", test: "first()")
    try project.leave("2", over: nil, of: "Tests/b.txt", test: "second()")
    let (code, _, errors) = try await project.run(["accept", "third"])
    #expect(code == 1 && errors == "Error: No pending snapshot matches third. To list them: snapshots status\n")
    #expect(try await project.run(["accept", "first"]) == (0, "Accepted 1 snapshot.\n", ""))
    #expect(try await project.run(["reject", "b.txt"]) == (0, "Rejected 1 snapshot.\n", ""))
    #expect(project.text(of: "Tests/a.txt") == "1" && project.text(of: "Tests/b.txt") == nil)
  }

  @Test("a text that ends with a number matches whole numbers, and an empty text nothing") func numbers() async throws {
    let project = try Project()
    for number in ["3", "31", "13"] { try project.leave("new", over: nil, of: "Tests/page.\(number)") }
    #expect(try await project.run(["reject", ""]).code == 1 && project.names.count == 3)
    #expect(try await project.run(["reject", "page.3"]).output == "Rejected 1 snapshot.\n")
    #expect(project.names == ["Tests/page.13", "Tests/page.31"])
    for command in ["diff", "show", "review"] { #expect(try await project.run([command, "nothing"]).code == 1) }
  }

  @Test("a changed text with carriage returns has lines") func carriageReturns() throws {
    let lines = DiffLine.lines(of: LineDiff(old: "one\r\ntwo\r\n", new: "one\r\nTWO\r\n"))
    #expect(lines.map(\.kind).prefix(4) == [.header, .common, .removed, .added])
    #expect(DiffLine.lines(ofNew: "a\r\nb").map(\.text) == ["a␍", "b"])
  }

  @Test("the marks of words are not mixed up with the text") func marks() {
    let lines = DiffLine.lines(of: LineDiff(old: "a {+b+} c\u{1B}[7m d", new: "a {+b+} c\u{1B}[7m e"))
    #expect(lines.filter { $0.kind == .added }.map(\.text) == ["a {+b+} c␛[7m e"])
    #expect(lines.flatMap(\.parts).filter(\.isChanged).map(\.text) == ["d", "e"])
  }

  @Test("a refused snapshot is an error, and the others are accepted") func refused() async throws {
    let project = try Project()
    try project.leave("1", over: nil, of: "Tests/a.txt")
    try project.leave("2", over: nil, of: "Tests/b.txt")
    try project.write("other", to: "Tests/a.txt")
    let (code, output, errors) = try await project.run(["accept"])
    #expect(code == 1 && output == "Accepted 1 snapshot.\n" && errors.hasPrefix("Error: Cannot accept Tests/a.txt"))
  }

  @Test("a review without a terminal explains what to use") func noTerminal() async throws {
    let project = try Project()
    try project.leave("new", over: nil)
    let (code, _, errors) = try await project.run(["review"])
    #expect(code == 1 && errors.hasPrefix("Error: Cannot open a terminal session: "))
    #expect(
      errors.hasSuffix(
        "is not a terminal. Run the command in a terminal, without redirecting its input or output. Or use 'snapshots diff' and 'snapshots accept'.\n"
      ))
  }

  @Test("annotations escape what CI servers interpret", arguments: ["github", "junit"]) func annotations(
    _ format: String
  ) async throws {
    let project = try Project()
    try project.leave("<new> 100 %\n::error::", over: nil)
    let output = try await project.run(["annotations", "--format", format]).output
    if format == "github" {
      #expect(output.split(separator: "\n").count == 1 && output.contains("100 %25%0A+::error::"))
      #expect(output.hasPrefix("::error file=Tests/A.swift,line=3,title=New snapshot::A.page(): "))
    } else {
      #expect(output.contains("+&lt;new&gt; 100 %\n") && output.contains(#"classname="A" name="page()""#))
    }
  }

  @Test("control characters of snapshots are shown as symbols", arguments: [nil, "old"]) func controls(_ old: String?)
    async throws
  {
    let project = try Project()
    if let old { try project.write(old, to: AcceptingTests.reference) }
    try project.leave("a\u{1B}[31mred\u{7}\u{7F}\u{9B}", over: old)
    let output = try await project.run(["diff"]).output
    #expect(output.contains(old == nil ? "+a␛[31mred␇␡\u{FFFD}" : "+a␛[31mred␇␡<U+009B>"))
  }

  @Test("the report is one page without markup from a snapshot") func report() async throws {
    let project = try Project()
    try project.leave("<script>alert(1)</script>", over: "old")
    let (code, output, _) = try await project.run(["report", "-o", project.root + "/report"])
    #expect(code == 0 && output == "Wrote \(project.root)/report/index.html.\n")
    let page = try #require(project.text(of: "report/index.html"))
    let device = try await project.run(["report", "-o", "/dev/null"])
    #expect(device.code == 1 && device.errors.contains("/dev/null: it is not a folder. Use --output with another"))
    #expect(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert(1)") && !page.contains("http:"))
  }
}
