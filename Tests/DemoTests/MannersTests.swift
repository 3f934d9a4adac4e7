import Arguments
import Foundation
import ParallelTesting
import Testing

@testable import Demo

/// How each command behaves, whatever it does.
struct Manners: Sendable, CustomTestStringConvertible {
  /// The words that name it.
  let command: String
  /// A line that goes well, without the words; `nil` for a command that never ends by itself.
  let well: String?
  /// A line that goes wrong, the code it ends with, and what is said to do next.
  let wrong: (line: String, code: Int32, advice: String)

  var testDescription: String { "demo \(command)" }

  static let all = [
    Manners(
      command: "tour", well: "--fast -o \"$folder\"", wrong: ("--fast -o /dev/null", 16, "Give another folder with -o")),
    Manners(command: "birds", well: "", wrong: ("--server http://127.0.0.1:9", 10, "Start the server")),
    Manners(command: "order take", well: "tour-1", wrong: ("tour-3", 20, "Choose another order: demo order list")),
    Manners(command: "order list", well: "", wrong: ("--server http://127.0.0.1:9", 10, "Start the server")),
    Manners(
      command: "order resume", well: nil, wrong: ("", 64, "'demo order resume' needs a journal. Add --journal FILE")),
    Manners(
      command: "order status", well: nil, wrong: ("", 64, "'demo order status' needs a journal. Add --journal FILE")),
    Manners(command: "order serve", well: nil, wrong: ("--prot 1", 64, "Did you mean '--port'?")),
    Manners(command: "order simulate", well: "--seed 42", wrong: ("--count 0", 64, "from 1 to")),
    Manners(command: "dictionary", well: "--script \"tab 'x'\"", wrong: ("", 17, "Or give --script or --web.")),
    Manners(command: "stories", well: "--script down", wrong: ("", 17, "Or give --script or --web.")),
    Manners(
      command: "open", well: "boundaries://stories/104 --script ''",
      wrong: ("boundaries://stories/104", 17, "Or give --script or --web.")),
    Manners(
      command: "snapshot", well: "\"$folder/page.html\" --text",
      wrong: ("page.html --viewport 3", 64, "such as 1280x800")),
    Manners(
      command: "snapshot compare", well: "\"$folder/old.png\" \"$folder/old.png\"",
      wrong: ("none.png none.png", 45, "Name two PNG files")),
    Manners(command: "exit-codes", well: "", wrong: ("--jsno", 64, "Did you mean '--json'?")),
  ]
}

@Suite("Manners of all commands", .timeLimit(.minutes(5)))
final class MannersTests: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "manners-\(UUID().uuidString.prefix(8))")
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

  @Test("each command has a line in the table of this test")
  func complete() {
    let named = Set(Manners.all.map(\.command))
    for leaf in CommandPath.leaves {
      #expect(named.contains(leaf.words.joined(separator: " ")), "\(leaf)")
    }
  }

  @Test("what is declared is sound, and has examples", arguments: CommandPath.leaves)
  func help(command: CommandPath) {
    #expect(DemoCommand.command.declarationProblems == [])
    #expect(command.help.contains("\nEXAMPLES:\n"), "\(command)")
    #expect(!command.help.contains("\u{1B}"))
  }

  @Test("an option means the same wherever it occurs", arguments: ["json", "quiet", "seed", "server", "color"])
  func options(name: String) {
    let lines = CommandPath.leaves.flatMap { leaf in
      leaf.help.split(separator: "\n").filter { line in
        line.hasPrefix("  --\(name) ") || line.contains(#/^  -., --/#) && line.dropFirst(6).hasPrefix("--\(name) ")
      }
    }
    #expect(Set(lines).count == 1, "\(Set(lines))")
    #expect(lines.count > 1)
  }

  @Test("a reader that has seen enough is fine", arguments: Manners.all)
  func closedPipe(_ manners: Manners) async throws {
    guard let well = manners.well else { return }
    let lines = [well, "--help"] + (has("--json", manners) ? [well + " --json"] : [])
    let outcomes = try await together(lines) { try await self.run("\(manners.command) \($0)", after: "| :") }
    for (line, outcome) in zip(lines, outcomes) {
      #expect(outcome.status == 0 && !outcome.errors.contains("Error"), "\(line): \(outcome)")
    }
  }

  @Test("what cannot be printed is an error of its own, whoever prints it", arguments: Manners.all)
  func fullDisk(_ manners: Manners) async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let lines = ["--help"] + (manners.well.map { [$0] + (has("--json", manners) ? [$0 + " --json"] : []) } ?? [])
    let outcomes = try await together(lines) { try await self.run("\(manners.command) \($0)", after: "> /dev/full") }
    for (line, outcome) in zip(lines, outcomes) {
      #expect(outcome.status == 16 && outcome.errors.contains("No space left on device. "), "\(line): \(outcome)")
    }
  }

  @Test("texts that are asked for are no exception", arguments: ["--version", "--generate-completion-script bash"])
  func fullDisk(line: String) async throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let outcome = try await run(line, after: "> /dev/full")
    #expect(outcome.status == 16 && outcome.errors.hasPrefix("Error: Cannot write to standard output: "), "\(outcome)")
    #expect(try await run(line, after: "| :").status == 0)
  }

  @Test("an argument that is no text is refused, since it would name something else")
  func noText() async throws {
    let outcome = try await run("birds --save \"$folder/\"$'a\\xFFb'", after: "< /dev/null")
    #expect(
      outcome.status == 64
        && outcome.errors == "Error: Cannot read argument 3: it is not valid UTF-8.\n",
      "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["old.png", "page.html"])
  }

  @Test(
    "no error floods the terminal with what was typed",
    arguments: ["order take --push", "birds --server", "birds --timeout", "order serve --faults", "open"])
  func flood(line: String) throws {
    let words = line.split(separator: " ").map(String.init) + [String(repeating: "x", count: 120_000)]
    guard case .failure(let interruption) = DemoCommand.command.parse(words) else { throw CancellationError() }
    #expect(interruption.isError && interruption.text(width: 80).count < 2_000)
  }

  @Test("an option that stands before its subcommand, or nearly one, is found there")
  func misplaced() throws {
    for (words, meant) in [
      (["--jsno"], "tour --json"), (["--json", "tour"], "tour --json"), (["order", "--jurnal", "x"], "take --journal"),
    ] {
      guard case .failure(let interruption) = DemoCommand.command.parse(words) else { throw CancellationError() }
      #expect(interruption.text(width: 80).contains("Did you mean '\(meant)'?"), "\(interruption.text(width: 80))")
    }
  }

  @Test("help leads to a subcommand of a subcommand, also of one that does something by itself")
  func nested() throws {
    for words in [["help", "snapshot", "compare"], ["snapshot", "compare", "--help"], ["help", "order", "take"]] {
      guard case .failure(.help(let page)) = DemoCommand.command.parse(words) else { throw CancellationError() }
      #expect(page.commandPath == ["demo"] + words.filter { !$0.contains("help") })
    }
    guard case .failure(.help(let page)) = DemoCommand.command.parse(["help", "snapshot"]) else {
      throw CancellationError()
    }
    #expect(page.text(width: 100).contains("demo snapshot <subcommand> --help"))
  }

  @Test("what is empty is not taken for what is left out", arguments: ["--token", "--faults"])
  func empty(option: String) throws {
    for command in ["serve", "take"] {
      guard case .failure(let interruption) = DemoCommand.command.parse(["order", command, option, ""]) else {
        throw CancellationError()
      }
      #expect(interruption.exitCode.rawValue == 64)
    }
  }

  @Test("what goes wrong is told on standard error, with what to do next", arguments: Manners.all)
  func failure(_ manners: Manners) async throws {
    let outcome = try await run("\(manners.command) \(manners.wrong.line)", after: "< /dev/null")
    #expect(outcome.status == manners.wrong.code, "\(outcome)")
    #expect(outcome.errors.contains("Error: ") && outcome.errors.contains(manners.wrong.advice), "\(outcome)")
    #expect(!outcome.output.contains(manners.wrong.advice))
    for crash in ["Fatal error", "Thread 0", "0x00"] { #expect(!outcome.errors.contains(crash)) }
    let codes = CommandPath(words: manners.command.split(separator: " ").map(String.init)).help
    #expect(codes.contains(try #require(ExitReason(rawValue: outcome.status)).line))
  }

  @Test("what is told of a state begins like what any command tells: an error that has a status, or a warning")
  func states() async throws {
    let state = folder.appending(path: "state").path
    let lost = #"{"home":"stories","link":"boundaries://nowhere"}"# + "\n"
    try Data(lost.utf8).write(to: URL(filePath: state))
    for (path, status, word) in [("/dev/null/x", 16, "Error"), ("/dev/null", 1, "Error"), (state, 0, "Warning")] {
      let outcome = try await run("stories --script '' --state '\(path)'", after: "< /dev/null")
      #expect(outcome.status == status && !outcome.errors.isEmpty, "\(outcome)")
      for line in outcome.errors.split(separator: "\n") { #expect(line.hasPrefix("\(word): "), "\(line)") }
    }
  }

  @Test("in a pipe nothing is coloured, unless that is asked for; NO_COLOR is heard", arguments: Manners.all)
  func colors(_ manners: Manners) async throws {
    guard let well = manners.well else { return }
    let plain = [("", ""), ("", "NO_COLOR=1 FORCE_COLOR=3 CLICOLOR_FORCE=1 TERM=xterm-256color")]
    let chosen = [(" --color never", "FORCE_COLOR=3 TERM=xterm"), (" --color always", "NO_COLOR=1")]
    let lines = has("--color", manners) ? plain + chosen : plain
    let outcomes = try await together(lines) { option, variables in
      try await self.run("\(manners.command) \(well)\(option)", variables: variables)
    }
    for (line, outcome) in zip(lines, outcomes) {
      let isColored = (outcome.output + outcome.errors).contains("\u{1B}")
      #expect(outcome.status == 0 && (line.0.hasSuffix("always") || !isColored), "\(line): \(outcome)")
      #expect(isColored || !line.0.hasSuffix("always"), "\(line)")
    }
  }

  @Test("--json prints lines of JSON and nothing else", arguments: Manners.all)
  func json(_ manners: Manners) async throws {
    guard let well = manners.well, has("--json", manners) else { return }
    let outcome = try await run("\(manners.command) \(well) --json")
    let lines = outcome.output.split(separator: "\n")
    #expect(outcome.status == 0 && !lines.isEmpty)
    for line in lines {
      #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
    }
  }

  @Test("--quiet shows no progress", arguments: Manners.all)
  func quiet(_ manners: Manners) async throws {
    guard let well = manners.well, has("--quiet", manners) else { return }
    let outcome = try await run("\(manners.command) \(well) -q")
    #expect(outcome.status == 0 && outcome.errors == "" && !outcome.output.isEmpty)
  }

  /// Does something with each element, all at the same time: commands spend most of theirs waiting.
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

  private func has(_ option: String, _ manners: Manners) -> Bool {
    CommandPath(words: manners.command.split(separator: " ").map(String.init)).help.contains("\(option) ")
  }
}

@Suite("Completion")
struct CompletionTests {
  @Test(
    "Bash completes what is typed",
    arguments: [
      ("demo to", ["tour"]), ("demo ex", ["exit-codes"]), ("demo tour --f", ["--fast"]),
      ("demo birds --color a", ["auto", "always"]), ("demo order ta", ["take"]), ("demo help st", ["stories"]),
      ("demo order take --j", ["--journal", "--json"]), ("demo snapshot comp", ["compare"]),
      ("demo help snapshot c", ["compare"]), ("demo help order st", ["status"]),
      ("demo snapshot compare --per", ["--perceptual-precision"]), ("demo snapshot compare --te", []),
      ("demo snapshot --te", ["--text"]), ("demo snapshot --per", []),
      // The parser refuses an option before it.
      ("demo snapshot --full-page comp", []), ("demo snapshot --full-page compare --per", []),
    ])
  func bash(line: String, offered: [String]) async throws {
    let words = line.split(separator: " ").map { "'\($0)'" }.joined(separator: " ")
    let outcome = try await DemoProcess.bash(
      """
      source <("$demo" --generate-completion-script bash)
      [[ "$(complete -p demo)" == *' -F '* ]] || exit 1
      function=$(complete -p demo | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
      COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}
      "$function" demo "${COMP_WORDS[COMP_CWORD]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output.split(separator: "\n").map(String.init).sorted() == offered.sorted())
  }

  @Test("the Z shell and fish, where they are installed, find no fault with their scripts", arguments: ["zsh", "fish"])
  func syntax(shell: String) async throws {
    let outcome = try await DemoProcess.bash(
      """
      script=$("$demo" --generate-completion-script \(shell)) || exit 1
      [[ "$script" == *exit-codes* ]] || exit 2
      command -v \(shell) >/dev/null || exit 0
      \(shell) -n <<< "$script"
      """)
    #expect(outcome.status == 0 && outcome.errors == "")
  }
}
