import Arguments
import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import Demo

@Suite("Exit codes", .timeLimit(.minutes(5)))
struct ExitReasonTests {
  @Test("the table of exit codes does not change")
  func exitCodesAreStable() {
    #expect(
      ExitReason.table == """
        Exit codes:
            0  success
            1  other error
           10  the server cannot be reached
           11  the server answered with an unexpected status
           12  the list is not JSON of the expected form
           13  a bird has no name or no picture
           14  a picture cannot be downloaded or decoded
           15  a request or a page timed out
           16  a file or the output cannot be written
           17  the command needs a terminal
           18  a local server cannot be started
           20  the server declined the order
           21  the server rejected the request
           22  the outcome of the order is unknown
           23  the order did not reach the server before the time limit
           24  the server rejected the idempotency key
           25  the journal cannot be read or written
           26  the journal has lost records
           30  a simulation violates an invariant
           40  no browser was found, or it cannot be started
           41  the page cannot be loaded
           42  the page lacks the requested element
           43  the page or the browser crashed
           44  the compared pictures differ
           45  a picture to compare cannot be read
           50  a station of the tour failed
           64  the command line is invalid
          129  the terminal was closed (SIGHUP)
          130  interrupted with Ctrl-C (SIGINT)
          131  ended with Ctrl-\\ (SIGQUIT)
          143  terminated by another process (SIGTERM)
        """)
    #expect(Set(ExitReason.allCases.map(\.summary)).count == ExitReason.allCases.count)
  }

  @Test("a command's help lists each of its exit codes once, in the words of the table", arguments: CommandPath.leaves)
  func helpListsExitCodes(command: CommandPath) throws {
    let lines = command.help.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: "Exit codes:"), "\(command)")
    let listed = lines[(start + 1)...].prefix { $0.contains(#/^ +\d+  /#) }
    #expect(!listed.isEmpty && Set(listed).count == listed.count)
    #expect(Set(listed).isSubset(of: ExitReason.allCases.map(\.line)), "\(command): \(listed)")
    #expect(
      Set(listed).isSuperset(
        of: [ExitReason.success, .other, .cannotSave, .usage, .hungUp, .interrupted, .quit, .terminated].map(\.line)),
      "\(command)")
    #expect(lines.filter { $0 == "Exit codes:" }.count == 1)
  }

  #if os(Linux)
    @Test(
      "every command exits with the same documented code for the same failure",
      arguments: [("birds -q", 7), ("stories --script ''", 9), ("order take tour-1 -q", 9), ("order list", 9)])
    func sameFailureSameCode(line: String, descriptors: Int) async throws {
      // The limit leaves no descriptor for the server. Commands that handle signals have two more open.
      let start = "ulimit -n \(descriptors); \"$demo\" \(line)"
      var outcome = try await DemoProcess.bash(start)
      // Other threads can use a descriptor for a moment, so that an earlier step fails for the same reason.
      let errors = ["Cannot start a server", "Cannot read the bundled birds"].map {
        "Error: \($0): Too many open files"
      }
      // Dispatch crashes without output when it gets no descriptor for itself, before or after the error. A failure of
      // the demo would print a message, so only a crash without output is retried.
      for _ in 0..<10 where [-SIGILL, -SIGTRAP].contains(outcome.status) {
        try #require(
          outcome.errors.split(separator: "\n").allSatisfy { line in errors.contains { line.hasPrefix($0) } },
          "\(outcome)")
        outcome = try await DemoProcess.bash(start)
      }
      #expect(errors.contains { outcome.errors.contains($0) }, "\(outcome)")
      #expect(outcome.status == ExitReason.cannotListen.rawValue, "\(outcome)")
      let words = line.split(separator: " ").map(String.init).prefix { !$0.hasPrefix("-") && $0 != "tour-1" }
      #expect(CommandPath(words: Array(words)).help.contains(ExitReason.cannotListen.line))
    }
  #endif

  @Test(
    "every order command that starts a server documents the exit code for an unavailable port",
    arguments: ["take", "list", "resume", "status"])
  func portFailureIsDocumented(command: String) {
    #expect(CommandPath(words: ["order", command]).help.contains(ExitReason.cannotListen.line))
  }

  @Test("the command exit-codes lists all exit codes as text and as JSON")
  func exitCodesCommand() async throws {
    let text = try await DemoProcess.run("exit-codes")
    #expect(text.status == 0 && "Exit codes:\n" + text.output == ExitReason.table + "\n")
    #expect(try await DemoProcess.run("help", "exit-codes").output.contains(ExitReason.table))
    let json = try await DemoProcess.run("exit-codes", "--json").output.split(separator: "\n")
    #expect(json.count == ExitReason.allCases.count)
    #expect(json.contains(#"{"code":10,"meaning":"the server cannot be reached","name":"unreachable"}"#))
  }
}

/// The path of a command, found by parsing help texts.
struct CommandPath: Sendable, CustomStringConvertible {
  let words: [String]

  var description: String { (["demo"] + words).joined(separator: " ") }

  /// The output of `--help`, wide enough to avoid line breaks.
  var help: String {
    guard case .failure(let interruption) = DemoCommand.command.parse(words + ["--help"]) else { return "" }
    return interruption.text(width: 1_000)
  }

  private var subcommands: [CommandPath] {
    let list = help.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
    return list.prefix { $0.contains(#/^  \S+ {2,}\S/#) }.compactMap { line in
      line.split(separator: " ").first.map { CommandPath(words: words + [String($0)]) }
    }
  }

  /// Whether the command runs without a subcommand.
  private var isRunnable: Bool {
    !help.split(separator: "\n").contains { $0.hasPrefix("USAGE: ") && $0.hasSuffix("<subcommand>") }
  }

  /// All commands that run without a subcommand.
  static var leaves: [CommandPath] { leaves(below: CommandPath(words: [])) }

  private static func leaves(below path: CommandPath) -> [CommandPath] {
    let subcommands = path.subcommands
    return (path.isRunnable ? [path] : []) + subcommands.flatMap(leaves)
  }
}
