import Foundation
import SnapshotStore
import Testing

@testable import Snapshots

@Suite("Unreferenced files") struct UnreferencedTests {
  private func find(in project: Project, used: [String], start: Date = .distantFuture) -> [String] {
    let used = Set(used.map { "\(project.root)/\($0)" })
    var unreferenced = Unreferenced(after: TestRun(start: start, used: used), in: project.root)
    return unreferenced.files()
  }

  private func project(_ source: String = "@Test func page() {}\n@Test func other() {}") throws -> Project {
    let project = try Project()
    try project.write(source, to: "Tests/A.swift")
    for name in ["A/page.1.txt", "A/page.2.txt", "A/gone.1.txt", "A/other.1.txt", "Deleted/test.1.txt"] {
      try project.write("", to: "Tests/__Snapshots__/\(name)")
    }
    return project
  }

  private func names(_ files: [String]) -> [String] {
    files.map { String($0.dropFirst("Tests/__Snapshots__/".count)) }
  }

  @Test("files that a run did not use are found, also those of deleted tests and test files") func unused() throws {
    let project = try project()
    try project.write("", to: "Tests/__Snapshots__/A/.gitkeep")
    let found = find(in: project, used: [Project.reference])
    #expect(names(found) == ["A/gone.1.txt", "A/page.2.txt", "Deleted/test.1.txt"], "other() exists and did not run")
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

  @Test("a file is kept if a test of its name is in another file and did not run, and listed if it was moved there")
  func otherFile() throws {
    let project = try project("func check(testName: String = #function) {}\n@Test func page() {}")
    try project.write("@Test func puffin() {}\n@Test func gone() {}", to: "Tests/Deep/BirdTests.swift")
    try project.write("", to: "Tests/__Snapshots__/A/puffin.1.txt")
    let found = find(in: project, used: [Project.reference, "Tests/Deep/__Snapshots__/BirdTests/gone.1.txt"])
    #expect(names(found).contains("A/gone.1.txt") && !names(found).contains("A/puffin.1.txt"))
  }

  @Test("a file is kept if one of two tests of its name did not run") func twoSuites() throws {
    let project = try project(
      "@Suite struct Light { @Test func page() {} }\n@Suite struct Dark { @Test func page() {} }")
    #expect(!names(find(in: project, used: [Project.reference])).contains("A/page.2.txt"))
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
    #expect(found.isEmpty)
    for path in ["Other/__Snapshots__/B/test.1.txt", "references/A/test.1.txt"] { try project.write("", to: path) }
    #expect(find(in: project, used: [Project.reference]).allSatisfy { $0.hasPrefix("Tests/__Snapshots__/") })
  }

  @Test("in a folder of another name, files of a test that ran are unused") func otherFolder() throws {
    let project = try project()
    for name in ["page.1", "page.2", "other.1"] { try project.write("", to: "references/A/\(name).txt") }
    let found = find(in: project, used: ["references/A/page.1.txt"])
    #expect(found == ["references/A/page.2.txt"])
  }
}
