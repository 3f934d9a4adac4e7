import Foundation
import SnapshotStore
import Testing

@testable import Snapshots

@Suite("The command snapshots test") struct TestRunTests {
  /// A project with a used and an unused reference.
  private func project() throws -> Project {
    let project = try Project()
    try project.write("@Test func page() {}\n@Test func other() {}", to: "Tests/A.swift")
    for name in ["page", "gone"] { try project.write("", to: "Tests/__Snapshots__/A/\(name).1.txt") }
    return project
  }

  /// The command line of tests that use the reference of `page`.
  ///
  /// - Parameter ends: Whether the process of the tests exits, and does not crash.
  private func arguments(
    _ options: [String] = [], in project: Project, code: Int = 0, ends: Bool = true, filter: [String] = []
  ) -> [String] {
    let script = #"printf '%s\0\#(ends ? "\\0" : "")' "$1" >"$SNAPSHOT_USED_REFERENCES/1"; exit "$2""#
    return ["test"] + options + [
      "--", "/bin/sh", "-c", script, "sh", "\(project.root)/\(Project.reference)", "\(code)",
    ] + filter
  }

  @Test("after a run of all tests that passes, unreferenced lists or deletes the files that it did not use")
  func unreferenced() throws {
    let project = try project()
    #expect(try project.run(["unreferenced"]).code == 2)
    #expect(try project.run(arguments(in: project)) == (0, "", ""))
    let path = "Tests/__Snapshots__/A/gone.1.txt"
    #expect(try project.run(["unreferenced"]) == (1, "unreferenced  \(path)\n", ""))
    #expect(try project.run(["unreferenced", "--delete"]) == (0, "deleted  \(path)\n", ""))
    #expect(project.text(of: path) == nil && project.text(of: Project.reference) != nil)
    #expect(try project.run(["unreferenced"]) == (0, "", ""))
  }

  @Test("a later run that fails or is filtered discards the result of the complete one", arguments: [true, false])
  func laterRun(fails: Bool) throws {
    let project = try project()
    _ = try project.run(arguments(in: project))
    #expect(try project.run(["unreferenced"]).output.contains("gone.1.txt"))
    let later = arguments(in: project, code: fails ? 7 : 0, filter: fails ? [] : ["--filter", "PageTests"])
    #expect(try project.run(later).code == (fails ? 7 : 0))
    let (code, output, errors) = try project.run(["unreferenced", "--delete"])
    #expect(
      code == 2 && output == ""
        && errors.hasPrefix("Error: Cannot find unreferenced files: 'snapshots test' has not run"))
  }

  @Test(
    "options that select tests make a run incomplete",
    arguments: [
      (["swift", "test"], true), (["swift", "test", "--skip-build"], true),
      (["swift", "test", "--filter", "A"], false), (["swift", "test", "--skip=A"], false),
      (["make", "test", "ARGS=--filter A"], false), (["xcodebuild", "test", "-only-testing:A/B"], false),
      (["./filter-tests"], true), (["swift", "test", "--disable-xctest"], false),
    ] as [([String], Bool)])
  func complete(_ command: [String], _ isComplete: Bool) { #expect(TestRun.isComplete(command) == isComplete) }

  @Test(
    "a run of all tests withdraws pending snapshots of references that no test uses, also if some tests fail",
    arguments: [0, 1])
  func withdrawn(code: Int) throws {
    let project = try project()
    try project.leave("renamed", over: nil, of: "Tests/__Snapshots__/A/page.2.txt")
    try project.leave("did not run", over: nil, of: "Tests/__Snapshots__/A/other.1.txt", test: "other()")
    try project.leave("other target", over: nil, of: "Other/Tests/__Snapshots__/B/page.1.txt")
    let incomplete = [
      arguments(in: project, code: code, filter: ["--filter", "A"]), arguments(in: project, code: 1, ends: false),
      ["test", "--", "false"], ["test", "--", "true"],
    ]
    for command in incomplete {
      _ = try project.run(command)
      #expect(project.names.count == 3, "\(command)")
    }
    let output = try project.run(arguments(in: project, code: code)).output
    #expect(
      output.hasPrefix(
        "withdrawn  Tests/__Snapshots__/A/page.2.txt, which A.page() no longer leaves\n2 snapshots are pending"))
    #expect(project.names == ["Other/Tests/__Snapshots__/B/page.1.txt", "Tests/__Snapshots__/A/other.1.txt"])
  }

  @Test("pending snapshots of the run are listed without a terminal, or accepted on request") func pending() throws {
    let project = try Project()
    try project.leave("new", over: nil)
    #expect(try project.run(["test", "--check", "--", "true"]).code == 0)
    let listed = try project.run(["test", "--", "true"])
    #expect(listed.code == 1 && listed.output.hasPrefix("1 snapshot is pending:\n"))
    try project.leave("1", over: nil, of: "Tests/a.txt", time: .distantFuture)
    #expect(
      try project.run(["test", "--accept", "--", "true"]) == (0, "accepted  Tests/a.txt\nAccepted 1 snapshot.\n", ""))
    #expect(project.text(of: "Tests/a.txt") == "1")
    #expect(project.names == [Project.reference], "the snapshot of an earlier run stays pending")
  }

  @Test("a damaged snapshot is reported once after a run", arguments: [[], ["--accept"], ["--check"]] as [[String]])
  func damaged(options: [String]) throws {
    let project = try Project()
    try project.leave("new", over: nil)
    try project.write("{", to: ".build/pending-snapshots/zz.json")
    let (code, _, errors) = try project.run(["test"] + options + ["--", "true"])
    #expect(code == 2 && errors.components(separatedBy: "zz.json").count == 2)
  }

  @Test("the run has the mode of its options, and a command that does not exist fails") func environment() throws {
    let project = try Project()
    for (options, mode) in [([], "pending"), (["--check"], "never")] {
      let script = #"[ "$SNAPSHOT_TESTING_RECORD" = "$0" ]"#
      #expect(try project.run(["test"] + options + ["--", "/bin/sh", "-c", script, mode]).code == 0)
    }
    #expect(try project.run(["test", "--", "/does/not/exist"]).code == 127)
  }

  @Test("a command cannot accept and check") func exclusive() {
    #expect(throws: (any Error).self) { try Project().run(["test", "--accept", "--check"]) }
  }
}
