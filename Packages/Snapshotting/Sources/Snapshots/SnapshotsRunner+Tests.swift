internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Terminal

extension SnapshotsRunner {
  func test(_ options: TestOptions) throws(TerminalError) -> ExitCode {
    var environment = ProcessInfo.processInfo.environment
    environment["SNAPSHOT_TESTING_RECORD"] = options.checks ? "never" : "pending"
    let start = Date()
    let run = TestRuns(root: store.root).begin()
    environment[UsedReferences.variable] = run.folder
    let tests: ExitCode
    do { tests = ExitCode(try ChildCommand.run(options.command, environment: environment)) } catch {
      try printError(
        "Error: Cannot run \(options.command.joined(separator: " ")): \(String(cString: strerror(error.code.rawValue))). "
          + "Write the command after '--', and check that its program is on the PATH.\n")
      return .failure
    }
    run.end(hasPassed: tests == .success && TestRuns.isComplete(options.command), start: start)
    let unused = tests == .success ? try searchUnreferenced(after: options) : .success
    let (snapshots, code) = try pending([])
    guard !snapshots.isEmpty, !options.checks else {
      return tests != .success ? tests : code != .success ? code : unused
    }
    let result: ExitCode
    if options.accepts {
      // Documents have times in whole seconds.
      let ofRun = snapshots.filter { $0.time.timeIntervalSince1970 >= start.timeIntervalSince1970.rounded(.down) }
      result = try accept(ofRun)
    } else if output.sessionError() == nil {
      result = try review([])
    } else {
      result = try status(json: false)
    }
    return tests != .success ? tests : result != .success ? result : unused
  }

  /// Applies `--unreferenced` after tests that passed.
  private func searchUnreferenced(after options: TestOptions) throws(TerminalError) -> ExitCode {
    guard let mode = options.unreferenced.mode else { return .success }
    guard TestRuns.isComplete(options.command) else {
      try printError(
        "Unreferenced files are not searched, because the command does not run all tests. Remove its filters to search.\n"
      )
      return .success
    }
    return try unreferenced(mode)
  }

  func unreferenced(_ mode: UnreferencedMode) throws(TerminalError) -> ExitCode {
    let runs = TestRuns(root: store.root)
    guard let run = runs.last else {
      let cause =
        runs.isEmpty
        ? "'snapshots test' has not run yet. Run it without a filter."
        : "the last 'snapshots test' failed, was interrupted or did not run all tests. Run it again without a filter."
      try printError("Error: Cannot find unreferenced files: \(cause)\n")
      return Self.unreadable
    }
    let found = UnusedReferences(after: run, in: store.root)
    for path in found.unused {
      if mode == .delete, unlink(path) != 0 {
        try report(
          SnapshotError("Cannot delete \(path): \(String(cString: strerror(errno))). Check the folder's permissions."))
        return .failure
      }
      try print(StatusReport.visible("\(mode == .delete ? "deleted     " : "unreferenced")  \(path)") + "\n")
    }
    for (new, old) in store.renames(of: store.contents().snapshots).sorted(by: { $0.key < $1.key }) {
      try print(StatusReport.visible("renamed       \(old) to \(new), which is pending") + "\n")
    }
    for path in found.notRun { try print(StatusReport.visible("not run       \(path)") + "\n") }
    return mode == .reject && !found.unused.isEmpty ? .failure : .success
  }
}
