import Foundation
import SnapshotStore
import Testing

@testable import Snapshots

@Suite("Unreferenced files") struct UnreferencedTests {
  private func find(in project: Project, used: [String], start: Date = .distantFuture) -> UnusedReferences {
    let used = Set(used.map { "\(project.root)/\($0)" })
    return UnusedReferences(after: TestRun(start: start, used: used), in: project.root)
  }

  private func project() throws -> Project {
    let project = try Project()
    try project.write("@Test func page() {}\n@Test func other() {}", to: "Tests/A.swift")
    for name in ["page.1.txt", "page.2.txt", "gone.1.txt", "other.1.txt"] {
      try project.write("", to: "Tests/__Snapshots__/A/\(name)")
    }
    try project.write("", to: "Tests/__Snapshots__/Deleted/test.1.txt")
    return project
  }

  @Test("files that a run did not use are found, also those of deleted tests and test files") func unused() throws {
    let project = try project()
    let found = find(in: project, used: ["Tests/__Snapshots__/A/page.1.txt"])
    #expect(
      found.unused.map { String($0.dropFirst(project.root.utf8.count + 1)) }.sorted() == [
        "Tests/__Snapshots__/A/gone.1.txt", "Tests/__Snapshots__/A/page.2.txt",
        "Tests/__Snapshots__/Deleted/test.1.txt",
      ])
  }

  @Test("files that a run used through a symbolic link are not unused") func link() throws {
    let project = try project()
    try FileManager.default.createSymbolicLink(
      atPath: "\(project.root)/Link", withDestinationPath: "Tests/__Snapshots__/A")
    let found = find(
      in: project, used: ["Link/page.1.txt", "Link/page.2.txt", "Link/gone.1.txt", "Tests/__Snapshots__/A/other.1.txt"])
    #expect(!found.unused.contains { $0.contains("/A/") } && found.notRun.isEmpty)
  }

  @Test("files of a test that exists and did not run are not called unused") func notRun() throws {
    let project = try project()
    let found = find(in: project, used: ["Tests/__Snapshots__/A/page.1.txt"])
    #expect(found.notRun.map { $0.hasSuffix("/A/other.1.txt") } == [true])
  }

  @Test("files of another suite or case that did not run are not called unused") func qualified() throws {
    let project = try project()
    for name in ["page@Owls.1.txt", "page@Gulls.1.txt"] { try project.write("", to: "Tests/__Snapshots__/A/\(name)") }
    let found = find(
      in: project, used: ["Tests/__Snapshots__/A/page@Owls.1.txt", "Tests/__Snapshots__/A/other.1.txt"])
    #expect(found.notRun.contains { $0.hasSuffix("/page@Gulls.1.txt") })
    #expect(!found.unused.contains { $0.contains("/page") })
  }

  @Test("a shortened name and a raw name of a test that did not run are not called unused") func otherNames() throws {
    let project = try project()
    try project.write("@Test func page() {}\n@Test func `a long title`() {}", to: "Tests/A.swift")
    for name in ["a-long-title.1.txt", "shortened~~abc.txt", "a-title.1.txt"] {
      try project.write("", to: "Tests/__Snapshots__/A/\(name)")
    }
    let found = find(in: project, used: ["Tests/__Snapshots__/A/page.1.txt"])
    let names = found.notRun.map { $0.split(separator: "/").last ?? "" }
    #expect(names == ["a-long-title.1.txt", "shortened~~abc.txt"])
    #expect(found.unused.contains { $0.hasSuffix("/a-title.1.txt") })
  }

  @Test("files of a test file with a syntax error are not called unused") func syntaxError() throws {
    let project = try project()
    try project.write("@Test func page() {}\n@Test func other() { \"\"\"", to: "Tests/A.swift")
    let found = find(in: project, used: ["Tests/__Snapshots__/A/page.1.txt"])
    #expect(found.notRun.map { $0.hasSuffix("/A/other.1.txt") } == [true])
  }

  @Test("files outside of the project are left out, also behind a link") func outside() throws {
    let (project, outside) = (try project(), try self.project())
    let folder = "Tests/__Snapshots__"
    try FileManager.default.createSymbolicLink(
      atPath: "\(project.root)/\(folder)/Link", withDestinationPath: "\(outside.root)/\(folder)/A")
    let run = TestRun(
      start: .distantFuture,
      used: ["\(project.root)/\(folder)/Link/page.1.txt", "\(outside.root)/\(folder)/A/page.1.txt"])
    let found = UnusedReferences(after: run, in: project.root)
    #expect((found.unused + found.notRun).allSatisfy { $0.hasPrefix(project.root) && !$0.contains("/Link/") })
  }

  @Test("files that are newer than the run are left out") func newer() throws {
    let found = find(in: try project(), used: ["Tests/__Snapshots__/A/page.1.txt"], start: .distantPast)
    #expect(found.unused.isEmpty && found.notRun.isEmpty)
  }

  @Test("the references of tests in other folders are left out, because they may not have run") func otherFolders()
    throws
  {
    let project = try project()
    for path in ["Other/__Snapshots__/B/test.1.txt", "references/A/test.1.txt"] { try project.write("", to: path) }
    let found = find(in: project, used: ["Tests/__Snapshots__/A/page.1.txt", "references/A/other.1.txt"])
    #expect(found.unused.allSatisfy { $0.hasPrefix(project.root + "/Tests/__Snapshots__/") })
  }
}
