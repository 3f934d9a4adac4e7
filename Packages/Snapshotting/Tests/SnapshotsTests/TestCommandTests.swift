import Foundation
import SnapshotStore
import Testing

@testable import Snapshots

@Suite("The command snapshots test") struct TestCommandTests {
  /// A project with a used and an unused reference.
  private func project() throws -> Project {
    let project = try Project()
    try project.write("@Test func page() {}", to: "Tests/A.swift")
    for name in ["page", "gone"] { try project.write("", to: "Tests/__Snapshots__/A/\(name).1.txt") }
    return project
  }

  private func arguments(_ options: [String], in project: Project, code: Int = 0, filter: [String] = []) -> [String] {
    let used = "\(project.root)/Tests/__Snapshots__/A/page.1.txt"
    let script = #"printf '%s\0' "$1" >"$SNAPSHOT_USED_REFERENCES/1"; exit "$2""#
    return ["test"] + options + ["--", "/bin/sh", "-c", script, "sh", used, "\(code)"] + filter
  }

  private func hasUnused(_ project: Project) -> Bool { project.text(of: "Tests/__Snapshots__/A/gone.1.txt") != nil }

  @Test(
    "after tests that pass, unreferenced files are ignored, listed, refused or deleted",
    arguments: [
      ([], 0, "", true), (["--unreferenced", "ignore"], 0, "", true),
      (["--unreferenced", "warn"], 0, "unreferenced  ", true),
      (["--unreferenced", "reject"], 1, "unreferenced  ", true),
      (["--check", "--unreferenced=reject"], 1, "unreferenced  ", true),
      (["--unreferenced", "delete"], 0, "deleted       ", false),
    ] as [([String], Int32, String, Bool)])
  func unreferenced(_ options: [String], _ code: Int32, _ word: String, _ isKept: Bool) async throws {
    let project = try project()
    let outcome = try await project.run(arguments(options, in: project))
    let path = "\(project.root)/Tests/__Snapshots__/A/gone.1.txt\n"
    #expect(outcome == (code, word.isEmpty ? "" : word + path, ""))
    #expect(hasUnused(project) == isKept && project.text(of: "Tests/__Snapshots__/A/page.1.txt") != nil)
  }

  @Test("after tests that fail, no file is searched or deleted, and the exit code is theirs") func failure()
    async throws
  {
    let project = try project()
    #expect(try await project.run(arguments(["--unreferenced", "delete"], in: project, code: 7)) == (7, "", ""))
    #expect(hasUnused(project))
    #expect(try await project.run(["prune"]).code == 2)
  }

  @Test("after a run of some tests, no file is searched or deleted") func filtered() async throws {
    let project = try project()
    let outcome = try await project.run(
      arguments(["--unreferenced", "delete"], in: project, filter: ["--filter", "PageTests"]))
    #expect(outcome.code == 0 && outcome.errors.contains("the command does not run all tests"))
    #expect(hasUnused(project))
  }

  @Test("a later run that fails or is filtered withdraws the result of the complete one", arguments: [true, false])
  func laterRun(fails: Bool) async throws {
    let project = try project()
    _ = try await project.run(arguments([], in: project))
    #expect(try await project.run(["unreferenced"]).output.contains("gone.1.txt"))
    let later = arguments([], in: project, code: fails ? 1 : 0, filter: fails ? [] : ["--filter", "PageTests"])
    _ = try await project.run(later)
    #expect(try await project.run(["prune"]).code == 2 && hasUnused(project))
  }

  @Test("runs at the same time do not lose each other's notes") func simultaneous() throws {
    let project = try project()
    let runs = TestRuns(root: project.root)
    let (long, short) = (runs.begin(), runs.begin())
    for (run, name) in [(long, "page"), (short, "gone")] {
      let path = "\(project.root)/Tests/__Snapshots__/A/\(name).1.txt"
      try Data((path + "\0").utf8).write(to: URL(filePath: run.folder + "/1"))
    }
    short.end(hasPassed: false, start: .distantFuture)
    long.end(hasPassed: true, start: .distantFuture)
    let last = try #require(runs.last)
    #expect(UnusedReferences(after: last, in: project.root).unused.map { $0.hasSuffix("/gone.1.txt") } == [true])
  }

  @Test(
    "options that select tests make a run incomplete",
    arguments: [
      (["swift", "test"], true), (["swift", "test", "--skip-build"], true),
      (["swift", "test", "--filter", "A"], false),
      (["swift", "test", "--skip=A"], false), (["make", "test", "ARGS=--filter A"], false),
      (["xcodebuild", "test", "-only-testing:A/B"], false), (["./filter-tests"], true),
      (["swift", "test", "--disable-xctest"], false),
    ] as [([String], Bool)])
  func complete(_ command: [String], _ isComplete: Bool) { #expect(TestRuns.isComplete(command) == isComplete) }

  @Test("pending snapshots of the run are listed without a terminal, or accepted on request") func pending()
    async throws
  {
    let project = try Project()
    try project.leave("new", over: nil)
    #expect(try await project.run(["test", "--check", "--", "true"]).code == 0)
    let listed = try await project.run(["test", "--", "true"])
    #expect(listed.code == 1 && listed.output.hasPrefix("1 snapshot is pending, 1 new:\n"))
    try project.leave("1", over: nil, of: "Tests/a.txt", time: .distantFuture)
    #expect(try await project.run(["test", "--accept", "--", "true"]) == (0, "Accepted 1 snapshot.\n", ""))
    #expect(project.text(of: "Tests/a.txt") == "1")
    #expect(project.names == [AcceptingTests.reference], "the snapshot of an earlier run stays pending")
  }

  @Test("the run has the mode of its options, and a command that does not exist is reported") func environment()
    async throws
  {
    let project = try Project()
    for (options, mode) in [([], "pending"), (["--check"], "never")] {
      let script = #"[ "$SNAPSHOT_TESTING_RECORD" = "$0" ]"#
      #expect(try await project.run(["test"] + options + ["--", "/bin/sh", "-c", script, mode]).code == 0)
    }
    let (code, _, errors) = try await project.run(["test", "--", "/does/not/exist"])
    #expect(
      code == 1
        && errors.hasPrefix("Error: Cannot run /does/not/exist: No such file or directory. Write the command after"))
  }

  @Test("a command cannot accept and check") func exclusive() async {
    await #expect(throws: (any Error).self) { try await Project().run(["test", "--accept", "--check"]) }
  }
}
