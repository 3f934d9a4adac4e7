internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Snapshotting
internal import Terminal

@main
enum Snapshots {
  @MainActor static func main() {
    signal(SIGPIPE, SIG_IGN)
    let width = max(40, TerminalDevice.standardOutput.size().columns)
    let action = command.parseOrExit(width: width)
    let folder = FileManager.default.currentDirectoryPath
    let root = ProjectRoot.containing(folder)
    guard ["Package.swift", ".git", ".build/pending-snapshots"].contains(where: { access("\(root)/\($0)", F_OK) == 0 })
    else {
      try? TerminalDevice.standardError.write(
        "Error: Cannot find a project: \(visible(folder)) and the folders above it have no Package.swift and no .git. Change to "
          + "the folder of the project.\n")
      exit(Runner.unreadable.rawValue)
    }
    exit(Runner(store: PendingStore(root: root)).run(action).rawValue)
  }

  struct Action: Sendable {
    let run: @Sendable (Runner) throws -> ExitCode
  }

  private static let filters = Argument<[String]>(
    "filter",
    help: "Only snapshots of these tests, suites, test files, references or names of assertions; default: all.")

  static let command = Command(
    "snapshots", abstract: "Review the snapshots that differ from their references.",
    discussion: """
      A test leaves a pending snapshot when it differs from its reference, and with SNAPSHOT_TESTING_RECORD=pending also when \
      it has none. Accepting a pending snapshot makes it the reference. It is refused if the reference or the source has \
      changed since the test.

      Exit codes: 0 success; 1 snapshots are pending, skipped, refused or unreferenced, or none matches; 2 pending snapshots cannot \
      be read and no filter was given, or no project or complete run is known; 64 invalid command line; 130 interrupted review. 'test' has the exit code \
      of failed tests.
      """,
    version: "1.0.0",
    examples: [
      CommandExample("snapshots test -- swift test --filter PageTests", "Run tests, and review what has changed."),
      CommandExample("snapshots accept PageTests", "Accept the pending snapshots of PageTests."),
    ]
  ) {
    Command(
      "status", abstract: "List the pending snapshots. Fails if there are any.",
      output: { (json: Bool) in Action { try $0.status(json: json) } }
    ) {
      Flag("json", help: "Print JSON.")
    }
    Command(
      "review", abstract: "Show each difference in the terminal, and accept or reject it.",
      discussion: "Decisions take effect at the end of the review, or with the key q. Ctrl-C discards them.",
      output: { (filters: [String]) in Action { try $0.review(filters) } }
    ) { filters }
    Command(
      "accept", abstract: "Make pending snapshots the references.",
      output: { (filters: [String]) in Action { try $0.accept(filters) } }
    ) { filters }
    Command(
      "reject", abstract: "Discard pending snapshots.",
      output: { (filters: [String]) in Action { try $0.reject(filters) } }
    ) { filters }
    Command(
      "show", abstract: "Print the differences.",
      output: { (filters: [String]) in Action { try $0.show(filters) } }
    ) { filters }
    Command(
      "test", abstract: "Run tests, and review all pending snapshots.",
      discussion: """
        A run of all tests withdraws the pending snapshots of references that no test uses. \
        --check ignores the pending snapshots of earlier runs.
        """,
      output: { (accepts: Bool, checks: Bool, command: [String]) throws(ValidationError) in
        guard !(accepts && checks) else { throw ValidationError("'--accept' and '--check' cannot be used together.") }
        let words = command.isEmpty ? ["swift", "test"] : command
        return Action { try $0.test(words, accepts: accepts, checks: checks) }
      }
    ) {
      Flag("accept", help: "Accept the pending snapshots of this run instead of a review.")
      Flag("check", help: "Leave no pending snapshots and write no references, as on a CI server.")
      Argument<[String]>("command", help: "The command that runs the tests, after '--'; default: swift test.")
    }
    Command(
      "unreferenced", abstract: "List references that no assertion uses. Fails if there are any.",
      discussion: """
        It uses the last run of 'snapshots test', which must have run all tests and passed; each run discards the result of \
        the one before. References of tests that exist and did not run, for example because they are disabled, do not count.
        """,
      output: { (deletes: Bool) in Action { try $0.unreferenced(deletes: deletes) } }
    ) {
      Flag("delete", help: "Delete them, and succeed.")
    }
    Command(
      "report", abstract: "Write an HTML page with all differences.",
      discussion: "The page is one file and needs no network. Decisions in the page make a command line to copy.",
      output: { (folder: String) in Action { try $0.report(in: folder) } }
    ) {
      Option<String>(
        "output", short: "o", default: "snapshot-report", valueName: "dir", help: "Write index.html into this folder.",
        completion: .directory)
    }
    Command(
      "annotations", abstract: "Print the pending snapshots in the format of a CI server. Fails if there are any.",
      discussion: """
        On a CI server tests leave no pending snapshots by default. Run them with SNAPSHOT_TESTING_RECORD=pending.
        """,
      output: { (format: Annotations.Format) in Action { try $0.annotations(format) } }
    ) {
      Option<Annotations.Format>("format", default: .github, valueName: "name", help: "The format.")
    }
  }
}
