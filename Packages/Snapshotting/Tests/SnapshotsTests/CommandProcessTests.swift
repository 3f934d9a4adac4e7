import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

@Suite("The process snapshots", .timeLimit(.minutes(2))) struct CommandProcessTests {
  @Test("the command finds the project of a folder below it") func folder() async throws {
    let project = try Project()
    try project.leave("new", over: nil)
    try project.write("", to: "Sources/Deep/a.swift")
    let outcome = try await BuiltCommand.run(["status"], in: "\(project.root)/Sources/Deep")
    #expect(outcome.status == 1 && outcome.output.contains(AcceptingTests.reference) && outcome.errors == "")
  }

  @Test("processes that accept at once write each reference whole, and none is accepted twice") func concurrent()
    async throws
  {
    let project = try Project()
    let names = (0..<40).map { "Tests/\($0).txt" }
    for name in names { try project.leave("new \(name)", over: nil, of: name) }
    let processes = try (0..<4).map { _ in try BuiltCommand.start(["accept"], in: project.root) }
    var accepted = 0
    for process in processes {
      let outcome = await process.outcome()
      accepted += outcome.output.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      for line in outcome.errors.split(separator: "\n") {
        #expect(line.contains("another process decided about it"))
      }
    }
    #expect(accepted == names.count && project.names.isEmpty)
    #expect(names.allSatisfy { project.text(of: $0) == "new \($0)" })
    #expect(ReferenceFiles.names(in: "\(project.root)/Tests").count == names.count, "no temporary files")
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
    for command in ["status", "diff"] {
      let outcome = try await BuiltCommand.run([command], in: project.root, after: "| true; exit ${PIPESTATUS[0]}")
      #expect(outcome.status == (command == "status" ? 1 : 0) && outcome.errors == "", "\(command)")
    }
    let outcome = try await BuiltCommand.run(["accept"], in: project.root, after: ">&- 2>&-")
    #expect(outcome.status != 2 && project.names.isEmpty)
  }

  @Test(
    "a reference of another user is refused, and the advice is not to change its mode", .enabled(if: getuid() == 0))
  func otherOwner() async throws {
    let project = try Project()
    try project.write("old", to: "Tests/a.txt")
    try project.leave("new", over: "old", of: "Tests/a.txt")
    try #require(chown("\(project.root)/Tests/a.txt", 65_534, 65_534) == 0)
    let outcome = try await BuiltCommand.run(["accept"], in: project.root, isConfined: true)
    #expect(outcome.status == 1 && outcome.output == "Accepted 0 snapshots.\n")
    #expect(outcome.errors.contains("Permission denied. Check its owner and its permissions"), "\(outcome.errors)")
  }

  @Test("outside of a project, every command fails") func noProject() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await BuiltCommand.run(["status"], in: folder.path)
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("Error: Cannot find a project: \(folder.path) and the folders above it"))
  }

  @Test("in a read-only store, what is not removed is reported") func readOnlyStore() async throws {
    let project = try Project()
    try project.leave("new", over: nil)
    let folder = "\(project.root)/.build/pending-snapshots"
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    let outcome = try await BuiltCommand.run(["reject"], in: project.root, isConfined: true)
    #expect(outcome.status == 1 && outcome.output == "Rejected 0 snapshots.\n")
    #expect(outcome.errors.contains("Permission denied"))
  }

  @Test("tests do not inherit that the command ignores closed pipes") func signals() async throws {
    let project = try Project()
    let outcome = try await BuiltCommand.run(["test", "--", "/bin/sh", "-c", "kill -PIPE $$"], in: project.root)
    #expect(outcome.status == 128 + SIGPIPE)
  }

  @Test("a link out of the tree is not followed, also one that is created after the test") func link() async throws {
    let (project, outside) = (try Project(), try Project())
    try outside.write("old", to: "a.txt")
    try project.leave("new", over: "old", of: "Tests/a.txt")
    try FileManager.default.createSymbolicLink(
      atPath: "\(project.root)/Tests", withDestinationPath: outside.root)
    for command in ["diff", "accept"] {
      let outcome = try await BuiltCommand.run([command], in: project.root)
      #expect(outcome.errors.contains("Cannot use the path") && !outcome.output.contains("old"))
    }
    #expect(outside.text(of: "a.txt") == "old" && project.names == ["Tests/a.txt"])
  }

  @Test("a document with another path than its name is refused, and names the file to remove") func lyingName()
    async throws
  {
    let project = try Project()
    let snapshot = try project.leave("new", over: nil, of: "Tests/a.txt")
    let folder = ".build/pending-snapshots"
    let document = try #require(project.text(of: "\(folder)/\(snapshot.id).json"))
    let lie = document.replacing("Tests/a.txt", with: "../outside.txt")
    try project.write(lie, to: "\(folder)/\(snapshot.id).json")
    let outcome = try await BuiltCommand.run(["accept"], in: project.root)
    #expect(outcome.errors.contains("it is damaged, or another release wrote it. Remove the file"))
    for command in ["accept", "reject", "status", "show", "diff", "review"] {
      let outcome = try await BuiltCommand.run([command], in: project.root)
      #expect(outcome.status == 2 && outcome.output == "", "\(command)")
    }
    #expect(try await BuiltCommand.run(["report"], in: project.root).status == 2)
    let report = try #require(project.text(of: "snapshot-report/index.html"))
    #expect(report.contains("<h1>0 pending snapshots; some cannot be read</h1>") && report.contains("it is damaged"))
  }

  @Test(
    "a document with impossible numbers is reported",
    arguments: ["18446744073709551615", "9223372036854775807", "-1", "1e300", "null", "[]"])
  func numbers(_ number: String) async throws {
    let project = try Project()
    try project.write(AcceptingTests.source, to: "Tests/A.swift")
    let snapshot = try project.leaveInline("1", over: "one", line: 2, column: 23)
    let path = ".build/pending-snapshots/\(snapshot.id).json"
    let document = try #require(project.text(of: path))
    for (field, value) in [("line", "2"), ("column", "23")] {
      try project.write(document.replacing(#""\#(field)" : \#(value)"#, with: #""\#(field)" : \#(number)"#), to: path)
      for command in [["status"], ["diff"], ["accept"], ["report", "-o", project.root + "/report"]] {
        #expect(try await BuiltCommand.run(command, in: project.root).status == 2)
      }
    }
    #expect(project.text(of: "Tests/A.swift") == AcceptingTests.source)
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
