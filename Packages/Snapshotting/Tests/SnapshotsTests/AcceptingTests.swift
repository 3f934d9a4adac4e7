import Foundation
import SnapshotStore
import Testing

@testable import Snapshots

@Suite("Accepting pending snapshots") struct AcceptingTests {
  static let reference = "Tests/__Snapshots__/A/page.1.txt"

  @Test("an accepted snapshot becomes the reference", arguments: [nil, "old"]) func file(_ old: String?) throws {
    let project = try Project()
    if let old { try project.write(old, to: Self.reference) }
    let snapshot = try project.leave("new", over: old)
    #expect(project.store.accept([snapshot]).isEmpty)
    #expect(project.text(of: Self.reference) == "new" && project.names.isEmpty)
  }

  @Test("a rejected snapshot leaves the reference as it is") func reject() throws {
    let project = try Project()
    try project.write("old", to: Self.reference)
    project.store.reject([try project.leave("new", over: "old")])
    #expect(project.text(of: Self.reference) == "old" && project.names.isEmpty)
  }

  @Test("a reference that has changed since the test is not replaced", arguments: [nil, "old"])
  func changed(_ old: String?) throws {
    let project = try Project()
    let snapshot = try project.leave("new", over: old)
    try project.write("other", to: Self.reference)
    let refused = project.store.accept([snapshot])
    #expect(refused.first?.error.description.contains("the reference has changed since the test") == true)
    #expect(project.text(of: Self.reference) == "other" && project.names == [Self.reference])
  }

  @Test("a later failure of the same assertion replaces its pending snapshot") func later() throws {
    let project = try Project()
    let first = try project.leave("new", over: nil)
    try project.leave("newer", over: nil)
    #expect(project.names == [Self.reference])
    #expect(
      project.store.accept([first]).first?.error.description.contains("its file is missing or was changed") == true)
    #expect(project.store.accept(project.store.contents().snapshots).isEmpty)
    #expect(project.text(of: Self.reference) == "newer")
  }

  @Test(
    "a document whose path leaves the project is refused",
    arguments: [
      "../outside.txt", "/tmp/outside.txt", "a/../../outside.txt", "a//b.txt", "", "link/outside.txt", "dangling",
      ".git/config", ".build/pending-snapshots/x.json", "Tests/.git/hooks/post-checkout", ".GIT/config",
    ])
  func hostile(_ path: String) throws {
    let project = try Project()
    let outside = try Project()
    try FileManager.default.createSymbolicLink(atPath: project.root + "/link", withDestinationPath: outside.root)
    try FileManager.default.createSymbolicLink(
      atPath: project.root + "/dangling", withDestinationPath: outside.root + "/outside.txt")
    let snapshot = try project.leave("new", over: nil, of: path)
    #expect(project.store.accept([snapshot]).first?.error.description.hasPrefix("Cannot use the path") == true)
    #expect(outside.text(of: "outside.txt") == nil)
  }

  @Test("a snapshot whose reference already has its bytes is done") func alreadyEqual() throws {
    let project = try Project()
    let snapshot = try project.leave("new", over: "old")
    try project.write("new", to: Self.reference)
    #expect(project.store.accept([snapshot]).isEmpty && project.names.isEmpty)
  }

  @Test("a snapshot that another process has accepted or rejected is reported") func gone() throws {
    let project = try Project()
    let snapshot = try project.leave("new", over: nil)
    #expect(project.store.reject([snapshot]).isEmpty)
    #expect(project.store.reject([snapshot]).first?.error.description.contains("no longer pending") == true)
    #expect(project.store.accept([snapshot]).first?.error.description.contains("no longer pending") == true)
    #expect(project.text(of: Self.reference) == nil)
  }

  @Test("a store that cannot be read is an error, and one that does not exist is empty") func unreadableStore() throws {
    let project = try Project()
    #expect(project.store.contents().problems.isEmpty)
    try project.write("", to: ".build/pending-snapshots")
    #expect(project.store.contents().problems.first?.description.contains("Not a directory") == true)
  }

  @Test("names with quotes, line feeds, emoji and 200 bytes are accepted") func unusualNames() throws {
    for name in ["a\"b'c", "a\nb", "🐦", String(repeating: "é", count: 100), "-rf", "~", "a b"] {
      let project = try Project()
      let snapshot = try project.leave("new", over: nil, of: "Tests/\(name).txt")
      #expect(project.store.accept([snapshot]).isEmpty)
      #expect(project.text(of: "Tests/\(name).txt") == "new")
    }
  }

  @Test("a damaged document is reported, and the others are kept") func damaged() throws {
    let project = try Project()
    try project.leave("new", over: nil)
    try project.write("{", to: ".build/pending-snapshots/zz.json")
    let (snapshots, problems) = project.store.contents()
    #expect(snapshots.count == 1 && problems.first?.description.contains("zz.json: it is damaged") == true)
  }

  @Test("a read-only reference is refused, and the snapshot stays pending") func readOnly() throws {
    let project = try Project()
    try project.write("old", to: Self.reference)
    let snapshot = try project.leave("new", over: "old")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: "\(project.root)/\(Self.reference)")
    #expect(project.store.accept([snapshot]).first?.error.description.contains("read-only") == true)
    #expect(project.text(of: Self.reference) == "old" && project.names.count == 1)
  }

  // MARK: Inline

  static let source = """
    func page() {
      assertInlineSnapshot(of: 1, as: .lines) {
        \"""
        one
        \"""
      }
      assertInlineSnapshot(of: 2, as: .lines)
    }

    """

  static let accepted = """
    func page() {
      assertInlineSnapshot(of: 1, as: .lines) {
        \"""
        1
        2
        \"""
      }
      assertInlineSnapshot(of: 2, as: .lines) {
        \"""
        two
        \"""
      }
    }

    """

  @Test("accepted inline snapshots are written into the source", arguments: [true, false])
  func inline(isOneByOne: Bool) throws {
    let project = try Project()
    try project.write(Self.source, to: "Tests/A.swift")
    let first = try project.leaveInline("1\n2", over: "one", line: 2, column: 23)
    let second = try project.leaveInline("two", over: nil, line: 7, column: 23)
    if isOneByOne {
      #expect(project.store.accept([first]).isEmpty)
      #expect(project.names == ["Tests/A.swift:8"], "the other one moves with its line")
      #expect(project.store.accept(project.store.contents().snapshots).isEmpty)
    } else {
      #expect(project.store.accept([first, second]).isEmpty)
    }
    #expect(project.text(of: "Tests/A.swift") == Self.accepted && project.names.isEmpty)
  }

  @Test(
    "inline snapshots of two sources whose names differ only in their Unicode form are each written into their source")
  func canonicallyEquivalentNames() throws {
    let project = try Project()
    let files = ["Tests/\u{E9}.swift", "Tests/e\u{301}.swift"]
    for file in files { try project.write(Self.source, to: file) }
    let snapshots = try [
      project.leaveInline("1\n2", over: "one", in: files[0], line: 2, column: 23),
      project.leaveInline("two", over: nil, in: files[1], line: 7, column: 23),
    ]
    #expect(project.store.accept(snapshots).isEmpty)
    let texts = try files.map { try #require(project.text(of: $0)) }
    #expect(
      !texts[0].contains("two") && !texts[0].contains("one") && texts[1].contains("two") && texts[1].contains("one"))
  }

  @Test("a source that has changed since the test is not rewritten") func changedSource() throws {
    let project = try Project()
    try project.write(Self.source, to: "Tests/A.swift")
    let snapshot = try project.leaveInline("1", over: "one", line: 2, column: 23)
    try project.write(Self.source + "//", to: "Tests/A.swift")
    #expect(project.store.accept([snapshot]).first?.error.description.contains("the source has changed") == true)
    #expect(project.text(of: "Tests/A.swift") == Self.source + "//" && project.names.count == 1)
  }

  @Test("two processes that accept at once write one of the snapshots whole") func concurrent() async throws {
    let project = try Project()
    let snapshots = try (0..<20).map { try project.leave("\($0)", over: nil, of: "Tests/\($0).txt") }
    await withTaskGroup { group in
      for _ in 0..<4 { group.addTask { _ = project.store.accept(snapshots) } }
    }
    #expect(project.names.isEmpty)
    #expect((0..<20).allSatisfy { project.text(of: "Tests/\($0).txt") == "\($0)" })
  }
}
