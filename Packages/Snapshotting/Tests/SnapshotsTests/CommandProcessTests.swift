import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("The process snapshots", .timeLimit(.minutes(5))) struct CommandProcessTests {
  @Test("the command finds the project of a folder below it") func folder() async throws {
    let project = try Project()
    try project.leave("new", over: nil)
    try project.write("", to: "Sources/Deep/a.swift")
    let outcome = try await BuiltCommand.run(["status"], in: "\(project.root)/Sources/Deep")
    #expect(outcome.status == 1 && outcome.output.contains(Project.reference) && outcome.errors == "")
  }

  @Test("in a read-only tree nothing changes, and the snapshot stays pending") func readOnly() async throws {
    let project = try Project()
    try project.write("old", to: "Tests/a.txt")
    try project.leave("new", over: "old", of: "Tests/a.txt")
    try project.leave("new", over: nil, of: "Tests/b.txt")
    let folder = "\(project.root)/Tests"
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    let outcome = try await BuiltCommand.run(["accept"], in: project.root, isConfined: true)
    #expect(outcome.status == 1 && outcome.output == "Accepted 0 snapshots.\n")
    #expect(outcome.errors.components(separatedBy: "Permission denied").count == 3)
    #expect(project.text(of: "Tests/a.txt") == "old" && project.text(of: "Tests/b.txt") == nil)
    #expect(project.names == ["Tests/a.txt", "Tests/b.txt"])
  }

  @Test("the exit code does not depend on a reader that has ended") func closedPipe() async throws {
    let project = try Project()
    // More than a pipe holds.
    let name = String(repeating: "n", count: 200)
    for number in 0..<400 { try project.leave("new", over: nil, of: "Tests/\(name)\(number).txt") }
    for command in ["status", "show"] {
      let outcome = try await BuiltCommand.run([command], in: project.root, after: "| true; exit ${PIPESTATUS[0]}")
      #expect(outcome.status == (command == "status" ? 1 : 0) && outcome.errors == "", "\(command)")
    }
    let outcome = try await BuiltCommand.run(["accept"], in: project.root, after: ">&- 2>&-")
    #expect(outcome.status != 2 && project.names.isEmpty)
  }

  @Test("outside of a project, every command fails") func noProject() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await BuiltCommand.run(["status"], in: folder.path)
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("Error: Cannot find a project: \(folder.path) and the folders above it"))
  }

  @Test("a document that cannot be read is reported by each command, and in the report") func unreadable() async throws
  {
    let project = try Project()
    try project.write("{", to: ".build/pending-snapshots/zz.json")
    for command in ["accept", "reject", "status", "show", "review"] {
      let outcome = try await BuiltCommand.run([command], in: project.root)
      #expect(outcome.status == 2 && outcome.output == "" && outcome.errors.contains("zz.json"), "\(command)")
    }
    #expect(try await BuiltCommand.run(["report"], in: project.root).status == 2)
    let report = try #require(project.text(of: "snapshot-report/index.html"))
    #expect(report.contains("<h1>0 pending snapshots; some cannot be read</h1>") && report.contains("zz.json"))
    try project.leave("new", over: nil)
    let outcome = try await BuiltCommand.run(["status"], in: project.root)
    #expect(outcome.output.contains(Project.reference) && outcome.errors.contains("zz.json: it is damaged"))
  }

  @Test("tests do not inherit that the command ignores closed pipes") func signals() async throws {
    let project = try Project()
    let outcome = try await BuiltCommand.run(["test", "--", "/bin/sh", "-c", "kill -PIPE $$"], in: project.root)
    #expect(outcome.status == 128 + SIGPIPE)
  }

  @Test("an invalid command line has the exit code 64, and help and completions have 0") func usage() async throws {
    let project = try Project()
    #expect(try await BuiltCommand.run(["statuz"], in: project.root).status == 64)
    let help = try await BuiltCommand.run(["--help"], in: project.root)
    #expect(help.status == 0 && help.output.contains("Exit codes"))
    for shell in ["bash", "zsh", "fish"] {
      let script = try await BuiltCommand.run(["--generate-completion-script", shell], in: project.root)
      #expect(script.status == 0 && script.output.contains("snapshots"))
      let words = try await BuiltCommand.run(["---complete", shell, "un"], in: project.root)
      #expect(words.output.contains("unreferenced"))
    }
  }
}
