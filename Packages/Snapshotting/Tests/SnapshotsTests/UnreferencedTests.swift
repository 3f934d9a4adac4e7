import Foundation
import SnapshotStore
import Testing

@testable import Snapshots

@Suite("Unreferenced files") struct UnreferencedTests {
  private func find(in project: Project, used: [String], start: Date = .distantFuture) -> Unreferenced {
    let used = Set(used.map { "\(project.root)/\($0)" })
    return Unreferenced(after: TestRun(start: start, used: used), in: project.root)
  }

  private func project(_ source: String = "@Test func page() {}\n@Test func other() {}") throws -> Project {
    let project = try Project()
    try project.write(source, to: "Tests/A.swift")
    for name in ["A/page.1.txt", "A/page.2.txt", "A/gone.1.txt", "A/other.1.txt", "Deleted/test.1.txt"] {
      try project.write("", to: "Tests/__Snapshots__/\(name)")
    }
    return project
  }

  private func names(_ found: Unreferenced) -> [String] {
    found.files.map { String($0.dropFirst("Tests/__Snapshots__/".count)) }
  }

  @Test("files that a run did not use are found, also those of deleted tests and test files") func unused() throws {
    let found = find(in: try project(), used: [Project.reference])
    #expect(names(found) == ["A/gone.1.txt", "A/page.2.txt", "Deleted/test.1.txt"])
    #expect(found.notRun == 1, "other() exists and did not run")
  }

  @Test("files of tests that did not run are counted in one line") func line() throws {
    let project = try project()
    for number in 2...5 { try project.write("", to: "Tests/__Snapshots__/A/other.\(number).txt") }
    _ = TestRun.record(in: project.root, start: .distantFuture) { folder in
      let paths = ["page.1", "page.2", "gone.1"].map { "\(project.root)/Tests/__Snapshots__/A/\($0).txt\0" }
      return (try? Data(paths.joined().utf8).write(to: URL(filePath: folder + "/1"))) != nil
    }
    #expect(
      try project.run(["unreferenced"]) == (
        1,
        "unreferenced  Tests/__Snapshots__/Deleted/test.1.txt\nNot counted: 5 references of tests that did not run.\n",
        ""
      ))
  }

  @Test("a removed case of a parameterised test is unused if the test ran") func cases() throws {
    let project = try project("@Test(arguments: birds) func parse(_ bird: String) {}\n@Test func page() {}")
    for name in ["parse-_@owl.1.txt", "parse-_@puffin.1.txt"] {
      try project.write("", to: "Tests/__Snapshots__/A/\(name)")
    }
    #expect(!names(find(in: project, used: [Project.reference])).contains { $0.contains("parse") })
    let found = find(in: project, used: ["Tests/__Snapshots__/A/parse-_@owl.1.txt"])
    #expect(names(found).contains("A/parse-_@puffin.1.txt"))
  }

  @Test("a raw name of a test that did not run is not called unused") func rawNames() throws {
    let project = try project("@Test func page() {}\n@Test func `a long title`() {}")
    for name in ["a-long-title.1.txt", "a-title.1.txt"] { try project.write("", to: "Tests/__Snapshots__/A/\(name)") }
    let found = names(find(in: project, used: [Project.reference]))
    #expect(found.contains("A/a-title.1.txt") && !found.contains("A/a-long-title.1.txt"))
  }

  @Test("files that are newer than the run, and folders that it did not use, are left out") func others() throws {
    let project = try project()
    let found = find(in: project, used: [Project.reference], start: .distantPast)
    #expect(found.files.isEmpty && found.notRun == 0)
    for path in ["Other/__Snapshots__/B/test.1.txt", "references/A/test.1.txt"] { try project.write("", to: path) }
    #expect(find(in: project, used: [Project.reference]).files.allSatisfy { $0.hasPrefix("Tests/__Snapshots__/") })
  }

  @Test("in a folder of another name, files of a test that ran are unused") func otherFolder() throws {
    let project = try project()
    for name in ["page.1", "page.2", "other.1"] { try project.write("", to: "references/A/\(name).txt") }
    let found = find(in: project, used: ["references/A/page.1.txt"])
    #expect(found.files == ["references/A/page.2.txt"] && found.notRun == 1)
  }
}
