internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Terminal

/// Runs the commands and prints their results.
struct SnapshotsRunner {
  let store: PendingStore
  var output = TerminalDevice.standardOutput
  var errors = TerminalDevice.standardError

  private static let unreadable = ExitCode(2)

  func run(_ action: SnapshotsAction) -> ExitCode {
    do throws(TerminalError) {
      return switch action {
      case .status(let json): try status(json: json)
      case .diff(let filters): try diff(filters)
      case .review(let filters): try review(filters)
      case .accept(let filters): try accept(filters)
      case .reject(let filters): try reject(filters)
      case .test(let options): try test(options)
      case .report(let folder, let opens): try report(in: folder, opens: opens)
      case .annotations(let format): try annotations(format)
      case .unreferenced(let deletes): try unreferenced(deletes: deletes)
      }
    } catch {
      // A reader that has ended, as `head`, is no failure.
      if error.kind == .closed { return .success }
      try? errors.write("Error: \(error)\n")
      return .failure
    }
  }

  /// Returns the pending snapshots, and reports documents that cannot be read.
  private func pending(_ filters: [String]) throws(TerminalError) -> (snapshots: [PendingSnapshot], code: ExitCode) {
    let (snapshots, problems) = store.contents(matching: filters)
    for problem in problems { try errors.write("Error: \(problem)\n") }
    return (snapshots, problems.isEmpty ? .success : Self.unreadable)
  }

  private func status(json: Bool) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending([])
    try output.write(json ? StatusReport.json(snapshots) : StatusReport.text(snapshots))
    return code != .success ? code : snapshots.isEmpty ? .success : .failure
  }

  private func diff(_ filters: [String]) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    let color = output.colorCapability()
    for snapshot in snapshots {
      let title = StatusReport.line(snapshot)
      try output.write(Style.bold.applied(to: title, color: color) + "\n")
      do throws(SnapshotError) {
        let text = try store.difference(of: snapshot).text(color: color)
        try? output.write(text + "\n\n")
      } catch {
        try? errors.write("Error: \(error)\n")
      }
    }
    if snapshots.isEmpty { try output.write(StatusReport.text([])) }
    return code
  }

  private func accept(_ filters: [String]) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    let refused = store.accept(snapshots)
    for (_, error) in refused { try errors.write("Error: \(error)\n") }
    try output.write("Accepted \(counted(snapshots.count - refused.count)).\n")
    return code != .success ? code : refused.isEmpty ? .success : .failure
  }

  private func reject(_ filters: [String]) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    store.reject(snapshots)
    try output.write("Rejected \(counted(snapshots.count)).\n")
    return code
  }

  /// Whether filters match a snapshot, or there are no filters.
  private func isMatched(_ snapshots: [PendingSnapshot], _ filters: [String]) throws(TerminalError) -> Bool {
    guard snapshots.isEmpty, !filters.isEmpty else { return true }
    try errors.write(
      "Error: No pending snapshot matches \(filters.joined(separator: ", ")). To list them: snapshots status\n")
    return false
  }

  private func review(_ filters: [String]) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    guard !snapshots.isEmpty else {
      try output.write(StatusReport.text([]))
      return code
    }
    guard output.isInteractive else {
      try errors.write(
        "Error: Cannot review: the output is not a terminal. Use 'snapshots diff' and 'snapshots accept'.\n")
      return .failure
    }
    let state: ReviewState?
    do { state = try ReviewSession(store, snapshots, output).run() } catch {
      try errors.write("Error: Cannot review: \(error)\n")
      return .failure
    }
    guard let state else {
      try output.write("The review was interrupted. No snapshot was accepted or rejected.\n")
      return ExitCode(130)
    }
    let refused = store.accept(state.snapshots(.accept))
    store.reject(state.snapshots(.reject))
    for (_, error) in refused { try errors.write("Error: \(error)\n") }
    let accepted = state.snapshots(.accept).count - refused.count
    try output.write(
      "Accepted \(counted(accepted)), rejected \(state.snapshots(.reject).count), skipped \(state.snapshots(nil).count).\n"
    )
    return code != .success ? code : refused.isEmpty && state.snapshots(nil).isEmpty ? .success : .failure
  }

  private func test(_ options: TestOptions) throws(TerminalError) -> ExitCode {
    var environment = ProcessInfo.processInfo.environment
    environment["SNAPSHOT_TESTING_RECORD"] = options.checks ? "never" : "pending"
    let runs = TestRuns(root: store.root)
    let start = Date()
    environment[UsedReferences.variable] = runs.begin()
    let tests: ExitCode
    do { tests = ExitCode(try ChildCommand.run(options.command, environment: environment)) } catch {
      try errors.write(
        "Error: Cannot run \(options.command.joined(separator: " ")): \(String(cString: strerror(error.code.rawValue))).\n"
      )
      return .failure
    }
    runs.end(options.command, hasPassed: tests == .success, start: start)
    let (snapshots, code) = try pending([])
    guard !snapshots.isEmpty, !options.checks else { return tests != .success ? tests : code }
    let result: ExitCode
    if options.accepts {
      result = try accept([])
    } else if output.isInteractive {
      result = try review([])
    } else {
      result = try status(json: false)
    }
    return tests != .success ? tests : result
  }

  private func report(in folder: String, opens: Bool) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending([])
    let entries = snapshots.map { snapshot in
      (snapshot, Result { () throws(SnapshotError) in try store.difference(of: snapshot) })
    }
    let path = URL(filePath: folder).appending(path: "index.html").path
    do throws(SnapshotError) {
      try ReferenceFiles.replace(path, with: Data(HTMLReport(entries: entries).page.utf8), asReference: false)
    } catch {
      try errors.write("Error: \(error)\n")
      return .failure
    }
    try output.write("Wrote \(path).\n")
    if opens { Desktop.open([path]) }
    return code
  }

  private func annotations(_ format: Annotations.Format) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending([])
    let text = Annotations.text(snapshots, format) { snapshot in
      do throws(SnapshotError) { return try store.difference(of: snapshot).text(color: .none) } catch {
        return error.description
      }
    }
    try output.write(text)
    return code != .success ? code : snapshots.isEmpty ? .success : .failure
  }

  private func unreferenced(deletes: Bool) throws(TerminalError) -> ExitCode {
    guard let run = TestRuns(root: store.root).last else {
      try errors.write(
        "Error: Cannot find unreferenced files: no run of all tests has succeeded. Run 'snapshots test' first.\n")
      return Self.unreadable
    }
    let found = UnusedReferences(after: run)
    for path in found.unused {
      if deletes, unlink(path) != 0 {
        try errors.write("Error: Cannot delete \(path): \(String(cString: strerror(errno))).\n")
        return .failure
      }
      try output.write("\(deletes ? "deleted" : "unreferenced")  \(path)\n")
    }
    for path in found.notRun { try output.write("not run       \(path)\n") }
    return deletes || found.unused.isEmpty ? .success : .failure
  }

  private func counted(_ count: Int) -> String { count == 1 ? "1 snapshot" : "\(count) snapshots" }
}
