internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Terminal

@main
enum Snapshots {
  @MainActor static func main() async {
    signal(SIGPIPE, SIG_IGN)
    let width = max(40, TerminalDevice.standardOutput.size().columns)
    let action = SnapshotsAction.command.parseOrExit(width: width).output
    let folder = FileManager.default.currentDirectoryPath
    let root = ProjectRoot.containing(folder)
    guard ProjectRoot.isProject(root) else {
      try? TerminalDevice.standardError.write(
        "Error: Cannot find a project: \(StatusReport.visible(folder)) and the folders above it have no Package.swift and "
          + "no .git. Change to the folder of the project.\n")
      exit(SnapshotsRunner.unreadable.rawValue)
    }
    exit(await SnapshotsRunner(store: PendingStore(root: root)).run(action).rawValue)
  }
}

enum SnapshotsAction: Sendable {
  case status(json: Bool)
  case show(filters: [String])
  case diff(filters: [String])
  case review(filters: [String])
  case accept(filters: [String], renames: Bool)
  case reject(filters: [String])
  case test(TestOptions)
  case report(folder: String, opens: Bool)
  case serve(opens: Bool)
  case annotations(Annotations.Format)
  case unreferenced(UnreferencedMode)
}

enum UnreferencedMode: Sendable {
  case list
  case reject
  case delete
}

struct TestOptions: Sendable {
  var accepts: Bool
  var checks: Bool
  var unreferenced: Unreferenced
  var command: [String]

  /// What happens to references that a complete run did not use.
  enum Unreferenced: String, CaseIterable, Sendable, ExpressibleByArgument {
    case ignore, warn, reject, delete

    var mode: UnreferencedMode? {
      switch self {
      case .ignore: nil
      case .warn: .list
      case .reject: .reject
      case .delete: .delete
      }
    }
  }

  init(_ accepts: Bool, _ checks: Bool, _ unreferenced: Unreferenced, _ command: [String]) throws(ValidationError) {
    guard !(accepts && checks) else { throw ValidationError("'--accept' and '--check' cannot be used together.") }
    (self.accepts, self.checks, self.unreferenced) = (accepts, checks, unreferenced)
    self.command = command.isEmpty ? ["swift", "test"] : command
  }
}

extension SnapshotsAction {
  private static let filters = Argument<[String]>(
    "filter", help: "Only snapshots whose file or test contains one of these texts; default: all.")

  static let command = Command(
    "snapshots", abstract: "Review the snapshots that differ from their references.",
    discussion: """
      A test leaves a pending snapshot when it differs from its reference, and with SNAPSHOT_TESTING_RECORD=pending also when \
      it has none. Accepting a pending snapshot makes it the reference. It is refused if the reference or the source has \
      changed since the test.

      Exit codes: 0 success; 1 snapshots are pending or were skipped, one could not be accepted, none matches, files are \
      unreferenced, or the output cannot be written; 2 pending snapshots cannot be read, or no project or no complete run \
      is known; 64 invalid command line; 130 interrupted review. 'test' has the exit code of failed tests.
      """,
    version: "1.0.0",
    examples: [
      CommandExample("snapshots test -- swift test --filter PageTests", "Run tests, and review what has changed."),
      CommandExample("snapshots status", "List the pending snapshots."),
      CommandExample("snapshots accept PageTests", "Accept the pending snapshots of PageTests."),
    ]
  ) {
    Command(
      "status", abstract: "List the pending snapshots. Fails if there are any.", output: SnapshotsAction.status
    ) {
      Flag("json", help: "Print JSON.")
    }
    Command(
      "show", abstract: "Show the new snapshots.", discussion: "Of an image it shows the size and the path.",
      output: SnapshotsAction.show
    ) { filters }
    Command("diff", abstract: "Show the differences.", output: SnapshotsAction.diff) { filters }
    Command(
      "review", abstract: "Show each difference, and accept or reject it.",
      discussion: "Decisions take effect at the end of the review, or with the key q. Ctrl-C discards them.",
      output: SnapshotsAction.review
    ) { filters }
    Command(
      "accept", abstract: "Make pending snapshots the references.",
      output: { (renames: Bool, filters: [String]) in SnapshotsAction.accept(filters: filters, renames: renames) }
    ) {
      Flag("rename", help: "Also delete the old references of renamed tests, which have the same content.")
      filters
    }
    Command("reject", abstract: "Discard pending snapshots.", output: SnapshotsAction.reject) { filters }
    Command(
      "test", abstract: "Run tests, and review all pending snapshots.",
      discussion: """
        The exit code is the one of the tests if they fail. Otherwise it is 1 if snapshots are left pending, if one was refused, \
        or if --unreferenced=reject finds a file. --check ignores the pending snapshots of earlier runs.
        """,
      output: TestOptions.init
    ) {
      Flag("accept", help: "Accept the pending snapshots of this run instead of a review.")
      Flag("check", help: "Leave no pending snapshots and write no references, as on a CI server.")
      Option<TestOptions.Unreferenced>(
        "unreferenced", default: .ignore, valueName: "mode",
        help: """
          After a run of all tests that passes: warn about references that it did not use, fail, or delete them. It has no \
          effect for a part of the tests.
          """)
      Argument<[String]>("command", help: "The command that runs the tests, after '--'; default: swift test.")
    }.map(SnapshotsAction.test)
    Command(
      "unreferenced", abstract: "List references that no assertion uses. Fails if there are any.",
      discussion: """
        It uses the last run of 'snapshots test', which must have run all tests and passed; each run discards the result of \
        the one before. References of tests that did not run, for example because they are disabled, are marked "not run". \
        They do not count.
        """,
      output: { SnapshotsAction.unreferenced(.reject) }
    ) {}
    Command(
      "prune", abstract: "Delete the references that 'snapshots unreferenced' marks as unreferenced.",
      output: { (dryRun: Bool) in SnapshotsAction.unreferenced(dryRun ? .list : .delete) }
    ) {
      Flag("dry-run", help: "Only list them.")
    }
    Command(
      "report", abstract: "Write an HTML page with all differences.",
      discussion: """
        The page is one file and needs no network. With --serve, it is served on a port of this machine, with buttons that accept \
        and reject, until you decide about the last pending snapshot on the page. Its address has a secret token.
        """,
      output: { (folder: String?, opens: Bool, serves: Bool) throws(ValidationError) in
        guard serves else { return SnapshotsAction.report(folder: folder ?? "snapshot-report", opens: opens) }
        guard folder == nil else { throw ValidationError("'--output' and '--serve' cannot be used together.") }
        return SnapshotsAction.serve(opens: opens)
      }
    ) {
      Option<String?>(
        "output", short: "o", valueName: "dir", help: "Write index.html into this folder; default: snapshot-report.",
        completion: .directory)
      Flag("open", help: "Open the page in the browser.")
      Flag("serve", help: "Serve the page with buttons that accept and reject.")
    }
    Command(
      "annotations", abstract: "Print the pending snapshots in the format of a CI server. Fails if there are any.",
      discussion: """
        On a CI server tests leave no pending snapshots by default. Run them with SNAPSHOT_TESTING_RECORD=pending.
        """,
      output: SnapshotsAction.annotations
    ) {
      Option<Annotations.Format>("format", default: .github, valueName: "name", help: "The format.")
    }
  }
}
