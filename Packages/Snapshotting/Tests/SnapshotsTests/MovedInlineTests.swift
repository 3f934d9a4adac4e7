import Foundation
import SnapshotStore
import Testing

@testable import Snapshots

@Suite("Inline snapshots of one file") struct MovedInlineTests {
  func project(of calls: [String]) throws -> (Project, [PendingSnapshot]) {
    let project = try Project()
    let lines = ["func page() {"] + calls.map { "  assertInlineSnapshot(of: \($0), as: .lines)" } + ["}", ""]
    try project.write(lines.joined(separator: "\n"), to: "Tests/A.swift")
    return (
      project, try calls.indices.map { try project.leaveInline(calls[$0], over: nil, line: UInt($0 + 2), column: 23) }
    )
  }

  func expectAllAccepted(_ calls: [String], in project: Project) {
    let expected =
      ["func page() {"]
      + calls.map { "  assertInlineSnapshot(of: \($0), as: .lines) {\n    \"\"\"\n    \($0)\n    \"\"\"\n  }" } + [
        "}", "",
      ]
    #expect(project.text(of: "Tests/A.swift") == expected.joined(separator: "\n") && project.names.isEmpty)
  }

  @Test("all others stay pending after one is accepted", arguments: 0..<8) func consecutive(first: Int) throws {
    let calls = (0..<8).map { "call\($0)" }
    let (project, snapshots) = try project(of: calls)
    #expect(project.store.accept([snapshots[first]]).isEmpty)
    #expect(project.names.count == 7)
    while let next = project.store.contents().snapshots.randomElement() {
      try #require(project.store.accept([next]).isEmpty)
    }
    expectAllAccepted(calls, in: project)
  }

  @Test("a shorter text moves the others up") func shorter() throws {
    let project = try Project()
    let long = (0..<9).map { "    \($0)\n" }.joined()
    let source = """
      func page() {
        assertInlineSnapshot(of: 1, as: .lines) {
          \"""
      \(long)    \"""
        }
        assertInlineSnapshot(of: 2, as: .lines)
        assertInlineSnapshot(of: 3, as: .lines)
      }

      """
    try project.write(source, to: "Tests/A.swift")
    let expected = (0..<9).map { "\($0)" }.joined(separator: "\n")
    let first = try project.leaveInline("1", over: expected, line: 2, column: 23)
    try project.leaveInline("2", over: nil, line: 15, column: 23)
    try project.leaveInline("3", over: nil, line: 16, column: 23)
    #expect(project.store.accept([first]).isEmpty)
    #expect(project.names == ["Tests/A.swift:7", "Tests/A.swift:8"])
    #expect(project.store.accept(project.store.contents().snapshots).isEmpty)
  }

  @Test("two calls on one line can be accepted one by one", arguments: [0, 1]) func oneLine(first: Int) throws {
    let project = try Project()
    let call = "assertInlineSnapshot(of: 1, as: .lines)"
    try project.write("func page() { \(call); \(call) }\n", to: "Tests/A.swift")
    let columns = [35, 35 + UInt(call.utf8.count) + 2]
    let snapshots = try columns.map { try project.leaveInline("\($0)", over: nil, line: 1, column: $0) }
    #expect(project.store.accept([snapshots[first]]).isEmpty)
    #expect(project.store.accept(project.store.contents().snapshots).isEmpty)
    #expect(project.names.isEmpty)
    let text = try #require(project.text(of: "Tests/A.swift"))
    #expect(text.contains("35\n") && text.contains("\(columns[1])\n"), "\(text)")
  }

  @Test("a document with impossible numbers or labels is refused")
  func hostile() throws {
    let closures = [
      ("matches", -1), ("matches", Int.max), ("x: { system(\"rm\") }\n", 1), ("", 1), ("a b", 1),
    ]
    for (label, offset) in closures {
      let (project, _) = try project(of: ["1"])
      try project.forge { document in
        var inline = document["inline"] as? [String: Any] ?? [:]
        inline["closure"] = ["label": label, "otherLabels": [], "offset": offset]
        document["inline"] = inline
      }
      let before = project.text(of: "Tests/A.swift")
      #expect(project.store.accept(project.store.contents().snapshots).count == 1, "\(label) \(offset)")
      #expect(project.text(of: "Tests/A.swift") == before)
    }
    for (line, column) in [(UInt.max, 23), (2, UInt.max), (0, 0), (2, 0)] as [(UInt, UInt)] {
      let (project, _) = try project(of: ["1"])
      let source = Array(try #require(project.text(of: "Tests/A.swift")).utf8)
      let snapshot = PendingSnapshot(
        Data("1".utf8), inline: .init(expected: nil, closure: .init(), source: source),
        source: .init(file: "Tests/A.swift", line: line, column: column), test: "page()", time: Date())
      try project.store.write(snapshot, Data("1".utf8))
      #expect(project.store.accept([snapshot]).count == 1)
      // It does not prevent another one from being accepted.
      let valid = project.store.contents().snapshots.filter { $0.source.line == 2 && $0.source.column == 23 }
      #expect(valid.count == 1 && project.store.accept(valid).isEmpty)
    }
  }
}
