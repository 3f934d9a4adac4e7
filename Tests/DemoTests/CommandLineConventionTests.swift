import Arguments
import Foundation
import TestSupport
import Testing

@testable import Demo

/// Example command lines of one command, which the tests of common conventions run.
struct SampleCommand: Sendable, CustomTestStringConvertible {
  /// The command's name with its subcommands.
  let command: String
  /// The arguments of a successful run, or `nil` for a command that never ends by itself.
  let success: String?
  /// The arguments of a failing run, its exit code, and the suggested next step.
  let failure: (line: String, code: Int32, advice: String)

  var testDescription: String { "demo \(command)" }

  static let all = [
    SampleCommand(
      command: "tour", success: "--fast -o \"$folder\"",
      failure: ("--fast -o /dev/null", 16, "Give another folder with -o")),
    SampleCommand(command: "birds", success: "", failure: ("--server http://127.0.0.1:9", 10, "Start the server")),
    SampleCommand(
      command: "order take", success: "tour-1", failure: ("tour-3", 20, "Choose another order: demo order list")),
    SampleCommand(
      command: "order list", success: "", failure: ("--server http://127.0.0.1:9", 10, "Start the server")),
    SampleCommand(
      command: "order resume", success: nil,
      failure: ("", 64, "'demo order resume' needs a journal. Add --journal FILE")),
    SampleCommand(
      command: "order status", success: nil,
      failure: ("", 64, "'demo order status' needs a journal. Add --journal FILE")),
    SampleCommand(
      command: "order repair", success: nil,
      failure: ("", 64, "'demo order repair' needs a journal. Add --journal FILE")),
    SampleCommand(
      command: "order migrate", success: nil, failure: ("", 64, "Missing expected argument '--database <url>'")),
    SampleCommand(
      command: "order work", success: nil, failure: ("--database a --workers 0", 64, "a number from 1 to 64")),
    SampleCommand(command: "order serve", success: nil, failure: ("--prot 1", 64, "Did you mean '--port'?")),
    SampleCommand(command: "order simulate", success: "--seed 42", failure: ("--count 0", 64, "from 1 to")),
    SampleCommand(
      command: "dictionary", success: "--script \"tab 'x'\"", failure: ("", 17, "Use --web to open it")),
    SampleCommand(command: "stories", success: "--script down", failure: ("", 17, "Use --web to open it")),
    SampleCommand(
      command: "open", success: "boundaries://stories/104 --script ''",
      failure: ("boundaries://stories/104", 17, "Use --web to open it")),
    SampleCommand(
      command: "snapshot", success: "\"$folder/page.html\" --text",
      failure: ("page.html --viewport 3", 64, "such as 1280x800")),
    SampleCommand(
      command: "snapshot compare", success: "\"$folder/old.png\" \"$folder/old.png\"",
      failure: ("none.png none.png", 45, "Specify two PNG files")),
    SampleCommand(command: "exit-codes", success: "", failure: ("--jsno", 64, "Did you mean '--json'?")),
  ]
}

@Suite("Conventions of all commands", .timeLimit(.minutes(5)))
final class CommandLineConventionTests: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("<p>Puffin".utf8).write(to: folder.appending(path: "page.html"))
    try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: folder.appending(path: "old.png"))
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  private func run(_ line: String, after: String = "", variables: String = "") async throws -> DemoProcess.Outcome {
    let sandbox = ProcessInfo.processInfo.environment["WEB_SNAPSHOTTING_SANDBOX"] ?? "on"
    return try await DemoProcess.bash(
      """
      set -o pipefail; folder='\(folder.path)'; export TMPDIR="$folder" WEB_SNAPSHOTTING_SANDBOX=\(sandbox) \(variables)
      "$demo" \(line) \(after)
      """)
  }

  @Test("every command has an entry in the examples of these tests")
  func everyCommandHasExamples() {
    let named = Set(SampleCommand.all.map(\.command))
    for leaf in CommandPath.leaves {
      #expect(named.contains(leaf.words.joined(separator: " ")), "\(leaf)")
    }
  }

  @Test("every command's declaration is valid and its help has examples", arguments: CommandPath.leaves)
  func helpHasExamples(command: CommandPath) {
    #expect(DemoCommand.command.declarationProblems == [])
    #expect(command.help.contains("\nEXAMPLES:\n"), "\(command)")
    #expect(!command.help.contains("\u{1B}"))
  }

  @Test(
    "an option that several commands share has the same help text in each",
    arguments: ["json", "quiet", "seed", "server", "color"])
  func sharedOptions(name: String) {
    let lines = CommandPath.leaves.flatMap { leaf in
      leaf.help.split(separator: "\n").filter { line in
        line.hasPrefix("  --\(name) ") || line.contains(#/^  -., --/#) && line.dropFirst(6).hasPrefix("--\(name) ")
      }
    }
    #expect(Set(lines).count == 1, "\(Set(lines))")
    #expect(lines.count > 1)
  }

  @Test("a command exits with code 0 if the reader closes the pipe early", arguments: SampleCommand.all)
  func closedPipe(_ sample: SampleCommand) async throws {
    guard let success = sample.success else { return }
    let lines = [success, "--help"] + (has("--json", sample) ? [success + " --json"] : [])
    let outcomes = try await together(lines) { try await self.run("\(sample.command) \($0)", after: "| :") }
    for (line, outcome) in zip(lines, outcomes) {
      #expect(outcome.status == 0 && !outcome.errors.contains("Error"), "\(line): \(outcome)")
    }
  }

  @Test("a command exits with code 16 if standard output cannot be written", arguments: SampleCommand.all)
  func fullDisk(_ sample: SampleCommand) async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let lines = ["--help"] + (sample.success.map { [$0] + (has("--json", sample) ? [$0 + " --json"] : []) } ?? [])
    let outcomes = try await together(lines) { try await self.run("\(sample.command) \($0)", after: "> /dev/full") }
    for (line, outcome) in zip(lines, outcomes) {
      #expect(outcome.status == 16 && outcome.errors.contains("No space left on device. "), "\(line): \(outcome)")
    }
  }

  @Test(
    "the demo also exits with code 16 if it cannot write the version or the completion script",
    arguments: ["--version", "--generate-completion-script bash"])
  func fullDiskForVersionAndCompletion(line: String) async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let outcome = try await run(line, after: "> /dev/full")
    #expect(outcome.status == 16 && outcome.errors.hasPrefix("Error: Cannot write to standard output: "), "\(outcome)")
    #expect(try await run(line, after: "| :").status == 0)
  }

  @Test("an argument that is not valid UTF-8 is refused and nothing is written")
  func invalidUTF8Argument() async throws {
    let outcome = try await run("birds --save \"$folder/\"$'a\\xFFb'", after: "< /dev/null")
    #expect(
      outcome.status == 64
        && outcome.errors == "Error: Cannot read argument 3: it is not valid UTF-8.\n",
      "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["old.png", "page.html"])
  }

  @Test(
    "an error message does not repeat a very long argument",
    arguments: ["order take --push", "birds --server", "birds --timeout", "order serve --faults", "open"])
  func errorIsShort(line: String) throws {
    let words = line.split(separator: " ").map(String.init) + [String(repeating: "x", count: 120_000)]
    guard case .failure(let interruption) = DemoCommand.command.parse(words) else { throw CancellationError() }
    #expect(interruption.isError && interruption.text(width: 80).count < 2_000)
  }

  @Test("an option before its subcommand, or a misspelled one, gets a suggestion")
  func misplacedOption() throws {
    for (words, meant) in [
      (["--jsno"], "tour --json"), (["--json", "tour"], "tour --json"), (["order", "--jurnal", "x"], "take --journal"),
    ] {
      guard case .failure(let interruption) = DemoCommand.command.parse(words) else { throw CancellationError() }
      #expect(interruption.text(width: 80).contains("Did you mean '\(meant)'?"), "\(interruption.text(width: 80))")
    }
  }

  @Test("help finds nested subcommands")
  func nestedHelp() throws {
    for words in [["help", "snapshot", "compare"], ["snapshot", "compare", "--help"], ["help", "order", "take"]] {
      guard case .failure(.help(let page)) = DemoCommand.command.parse(words) else { throw CancellationError() }
      #expect(page.commandPath == ["demo"] + words.filter { !$0.contains("help") })
    }
    guard case .failure(.help(let page)) = DemoCommand.command.parse(["help", "snapshot"]) else {
      throw CancellationError()
    }
    #expect(page.text(width: 100).contains("demo snapshot <subcommand> --help"))
  }

  @Test("an empty option value is refused", arguments: ["--token", "--faults"])
  func emptyOption(option: String) throws {
    for command in ["serve", "take"] {
      guard case .failure(let interruption) = DemoCommand.command.parse(["order", command, option, ""]) else {
        throw CancellationError()
      }
      #expect(interruption.exitCode.rawValue == 64)
    }
  }

  @Test("a failing command prints the error and the next step to standard error", arguments: SampleCommand.all)
  func failureSuggestsNextStep(_ sample: SampleCommand) async throws {
    let outcome = try await run("\(sample.command) \(sample.failure.line)", after: "< /dev/null")
    #expect(outcome.status == sample.failure.code, "\(outcome)")
    #expect(outcome.errors.contains("Error: ") && outcome.errors.contains(sample.failure.advice), "\(outcome)")
    #expect(!outcome.output.contains(sample.failure.advice))
    for crash in ["Fatal error", "Thread 0", "0x00"] { #expect(!outcome.errors.contains(crash)) }
    let codes = CommandPath(words: sample.command.split(separator: " ").map(String.init)).help
    #expect(codes.contains(try #require(ExitReason(rawValue: outcome.status)).line))
  }

  @Test("a message about a state file starts with Error or Warning, and errors have an exit code")
  func stateMessages() async throws {
    let state = folder.appending(path: "state").path
    let lost = #"{"home":"stories","link":"boundaries://nowhere"}"# + "\n"
    try Data(lost.utf8).write(to: URL(filePath: state))
    for (path, status, word) in [("/dev/null/x", 16, "Error"), ("/dev/null", 1, "Error"), (state, 0, "Warning")] {
      let outcome = try await run("stories --script '' --state '\(path)'", after: "< /dev/null")
      #expect(outcome.status == status && !outcome.errors.isEmpty, "\(outcome)")
      for line in outcome.errors.split(separator: "\n") { #expect(line.hasPrefix("\(word): "), "\(line)") }
    }
  }

  @Test("a command prints no color into a pipe, unless --color always requests it", arguments: SampleCommand.all)
  func colors(_ sample: SampleCommand) async throws {
    guard let success = sample.success else { return }
    let plain = [("", ""), ("", "NO_COLOR=1 FORCE_COLOR=3 CLICOLOR_FORCE=1 TERM=xterm-256color")]
    let chosen = [(" --color never", "FORCE_COLOR=3 TERM=xterm"), (" --color always", "NO_COLOR=1")]
    let lines = has("--color", sample) ? plain + chosen : plain
    let outcomes = try await together(lines) { option, variables in
      try await self.run("\(sample.command) \(success)\(option)", variables: variables)
    }
    for (line, outcome) in zip(lines, outcomes) {
      let isColored = (outcome.output + outcome.errors).contains("\u{1B}")
      #expect(outcome.status == 0 && (line.0.hasSuffix("always") || !isColored), "\(line): \(outcome)")
      #expect(isColored || !line.0.hasSuffix("always"), "\(line)")
    }
  }

  @Test("a command with --json prints only lines of JSON", arguments: SampleCommand.all)
  func jsonOutput(_ sample: SampleCommand) async throws {
    guard let success = sample.success, has("--json", sample) else { return }
    let outcome = try await run("\(sample.command) \(success) --json")
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.status == 0 && !lines.isEmpty)
    for line in lines {
      #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
    }
  }

  @Test("a command with --quiet prints no progress", arguments: SampleCommand.all)
  func quiet(_ sample: SampleCommand) async throws {
    guard let success = sample.success, has("--quiet", sample) else { return }
    let outcome = try await run("\(sample.command) \(success) -q")
    #expect(outcome.status == 0 && outcome.errors == "" && !outcome.output.isEmpty)
  }

  /// Maps all elements concurrently.
  private func together<Element: Sendable, Outcome: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Outcome
  ) async throws -> [Outcome] {
    try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
      for (index, element) in elements.enumerated() { group.addTask { (index, try await body(element)) } }
      var outcomes = [Outcome?](repeating: nil, count: elements.count)
      for try await (index, outcome) in group { outcomes[index] = outcome }
      return outcomes.compactMap(\.self)
    }
  }

  private func has(_ option: String, _ sample: SampleCommand) -> Bool {
    CommandPath(words: sample.command.split(separator: " ").map(String.init)).help.contains("\(option) ")
  }
}

@Suite("Shell completion")
struct CompletionTests {
  @Test(
    "Bash completes commands, options and values",
    arguments: [
      ("demo to", ["tour"]), ("demo ex", ["exit-codes"]), ("demo tour --f", ["--fast"]),
      ("demo birds --color a", ["auto", "always"]), ("demo order ta", ["take"]), ("demo help st", ["stories"]),
      ("demo order take --j", ["--journal", "--json"]), ("demo snapshot comp", ["compare"]),
      ("demo help snapshot c", ["compare"]), ("demo help order st", ["status"]),
      ("demo snapshot compare --per", ["--perceptual-precision"]), ("demo snapshot compare --te", []),
      ("demo snapshot --te", ["--text"]), ("demo snapshot --per", []),
      // The parser refuses options before a subcommand.
      ("demo snapshot --full-page comp", []), ("demo snapshot --full-page compare --per", []),
    ])
  func bashCompletion(line: String, offered: [String]) async throws {
    let words = line.split(separator: " ").map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await DemoProcess.bash(
      """
      source <("$demo" --generate-completion-script bash)
      demo() { "$demo" "$@"; }
      [[ "$(complete -p demo)" == *' -F '* ]] || exit 1
      function=$(complete -p demo | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
      "$function" demo "${COMP_WORDS[COMP_CWORD]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output.split(separator: "\n").map(String.init).sorted() == offered.sorted())
  }

  @Test("zsh and fish accept their completion scripts, where those shells are installed", arguments: ["zsh", "fish"])
  func completionScriptSyntax(shell: String) async throws {
    let outcome = try await DemoProcess.bash(
      """
      script=$("$demo" --generate-completion-script \(shell)) || exit 1
      [[ "$script" == *demo* ]] || exit 2
      command -v \(shell) >/dev/null || exit 0
      \(shell) -n <<< "$script"
      """)
    #expect(outcome.status == 0 && outcome.errors == "")
  }
}
