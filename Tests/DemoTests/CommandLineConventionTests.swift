import Arguments
import Foundation
import ImageSnapshotting
import TestSupport
import Testing

@testable import Demo

/// Example command lines of one command, which the tests of common conventions run.
struct SampleCommand: Sendable, CustomTestStringConvertible {
  /// The command's name with its subcommands.
  let command: String
  /// The arguments of a successful run, or `nil` for a command that needs a journal, a database or a signal.
  let success: String?
  /// The arguments of a failing run, and the suggested next step.
  let failure: (line: String, advice: String)

  var testDescription: String { "demo \(command)" }

  static let all = [
    SampleCommand(
      command: "tour", success: "--fast -o \"$folder/tour\"", failure: ("--fast -o /dev/null", "Give another folder")),
    SampleCommand(command: "birds", success: "", failure: ("--server http://127.0.0.1:9", "Start the server")),
    SampleCommand(
      command: "order take", success: "tour-1", failure: ("tour-3", "Choose another order with 'demo order list'.")),
    SampleCommand(command: "order list", success: "", failure: ("--server http://127.0.0.1:9", "Start the server")),
    SampleCommand(command: "order resume", success: nil, failure: ("", "Add --journal FILE")),
    SampleCommand(command: "order status", success: nil, failure: ("", "Add --journal FILE")),
    SampleCommand(command: "order reconcile", success: nil, failure: ("", "Add --journal FILE")),
    SampleCommand(command: "order discard", success: nil, failure: ("7 --reason r", "Add --journal FILE")),
    SampleCommand(command: "order work", success: nil, failure: ("", "Add --journal FILE or --database URL")),
    SampleCommand(command: "order serve", success: nil, failure: ("--prot 1", "Did you mean '--port'?")),
    SampleCommand(command: "order simulate", success: "--seed 42", failure: ("--count 0", "from 1 to")),
    SampleCommand(command: "dictionary", success: "--script \"tab 'x'\"", failure: ("", "Use --web to open it")),
    SampleCommand(command: "stories", success: "--script down", failure: ("", "Use --web to open it")),
    SampleCommand(
      command: "open", success: "boundaries://stories/104 --script ''",
      failure: ("boundaries://stories/104", "Use --web to open it")),
    SampleCommand(
      command: "snapshot compare", success: "\"$folder/old.png\" \"$folder/old.png\"",
      failure: ("none.png none.png", "Specify two PNG files")),
  ]

  /// The output of `--help`, wide enough to avoid line breaks.
  var help: String {
    let words = command.split(separator: " ").map(String.init) + ["--help"]
    guard case .failure(let interruption) = Demo.command.parse(words) else { return "" }
    return interruption.text(width: 1_000)
  }

  func has(_ option: String) -> Bool { help.contains("\(option) ") }
}

@Suite("Conventions of all commands", .timeLimit(.minutes(5)))
final class CommandLineConventionTests: Sendable {
  /// A folder with the picture `old.png`.
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let picture = try #require(Image(width: 2, height: 2, filledWith: .white))
    try picture.pngData().write(to: URL(filePath: folder.file("old.png")))
  }

  private func run(_ line: String, after: String = "", variables: String = "") async throws -> DemoProcess.Outcome {
    try await DemoProcess.bash(
      """
      set -o pipefail; folder='\(folder.path)'; export TMPDIR="$folder" \(variables)
      "$demo" \(line) \(after)
      """)
  }

  @Test("the help of every command has examples", arguments: SampleCommand.all)
  func helpHasExamples(sample: SampleCommand) {
    #expect(sample.help.contains("\nEXAMPLES:\n") && !sample.help.contains("\u{1B}"))
  }

  @Test("a command exits with code 0 if the reader closes the pipe early", arguments: SampleCommand.all)
  func closedPipe(_ sample: SampleCommand) async throws {
    guard let success = sample.success else { return }
    let outcome = try await run("\(sample.command) \(success)", after: "| :")
    #expect(outcome.status == 0 && !outcome.errors.contains("Error"), "\(outcome)")
  }

  @Test("a command fails with the reason if standard output cannot be written", arguments: SampleCommand.all)
  func fullDisk(_ sample: SampleCommand) async throws {
    guard let success = sample.success, FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let outcome = try await run("\(sample.command) \(success)", after: "> /dev/full")
    #expect(outcome.status != 0 && outcome.errors.contains("No space left on device. "), "\(outcome)")
  }

  @Test("a failing command prints the error and the next step to standard error", arguments: SampleCommand.all)
  func failureSuggestsNextStep(_ sample: SampleCommand) async throws {
    let outcome = try await run("\(sample.command) \(sample.failure.line)", after: "< /dev/null")
    #expect((1..<128).contains(outcome.status), "\(outcome)")
    #expect(outcome.errors.contains("Error: ") && outcome.errors.contains(sample.failure.advice), "\(outcome)")
    #expect(!outcome.output.contains(sample.failure.advice))
  }

  @Test("a command with --json prints only lines of JSON", arguments: SampleCommand.all)
  func jsonOutput(_ sample: SampleCommand) async throws {
    guard let success = sample.success, sample.has("--json") else { return }
    let outcome = try await run("\(sample.command) \(success) --json")
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.status == 0 && !lines.isEmpty)
    for line in lines {
      #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
    }
  }

  @Test("a command with --quiet prints no progress", arguments: SampleCommand.all)
  func quiet(_ sample: SampleCommand) async throws {
    guard let success = sample.success, sample.has("--quiet") else { return }
    let outcome = try await run("\(sample.command) \(success) -q")
    #expect(outcome.status == 0 && outcome.errors == "" && !outcome.output.isEmpty)
  }
}
