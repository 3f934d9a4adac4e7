internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Terminal

/// Runs the commands and prints their results.
struct SnapshotsRunner {
  let store: PendingStore
  var output = TerminalDevice.standardOutput
  var errors = TerminalDevice.standardError

  static let unreadable = ExitCode(2)

  /// Runs a command on the thread of the caller.
  nonisolated(nonsending) func run(_ action: SnapshotsAction) async -> ExitCode {
    do throws(TerminalError) {
      return switch action {
      case .status(let json): try status(json: json)
      case .show(let filters): try show(filters)
      case .diff(let filters): try diff(filters)
      case .review(let filters): try review(filters)
      case .accept(let filters, let renames): try accept(filters, renames: renames)
      case .reject(let filters): try reject(filters)
      case .test(let options): try test(options)
      case .report(let folder, let opens): try report(in: folder, opens: opens)
      case .serve(let opens): try await serve(opens: opens)
      case .annotations(let format): try annotations(format)
      case .unreferenced(let mode): try unreferenced(mode)
      }
    } catch {
      // A reader that has ended, as `head`, is no failure.
      if error.kind == .closed { return .success }
      try? errors.write("Error: \(error)\n")
      return .failure
    }
  }

  /// Returns the pending snapshots, and reports documents that cannot be read.
  func pending(_ filters: [String]) throws(TerminalError) -> (snapshots: [PendingSnapshot], code: ExitCode) {
    let (snapshots, problems) = store.contents(matching: filters)
    for problem in problems { try report(problem) }
    return (snapshots, problems.isEmpty ? .success : Self.unreadable)
  }

  func status(json: Bool) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending([])
    let renames = store.renames(of: snapshots)
    try output.write(
      json ? StatusReport.json(snapshots, renames: renames) : StatusReport.text(snapshots, renames: renames))
    return code != .success ? code : snapshots.isEmpty ? .success : .failure
  }

  private func show(_ filters: [String]) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    for snapshot in snapshots {
      try output.write(Style.bold.applied(to: StatusReport.line(snapshot), color: output.colorCapability()) + "\n")
      try output.write(StatusReport.visible("\(snapshot.source.file):\(snapshot.source.line)") + "\n")
      do throws(SnapshotError) {
        let content = SnapshotContent(try store.data(of: snapshot), pathExtension: snapshot.pathExtension)
        let text = content.text(path: store.dataPath(of: snapshot))
        try? output.write((output.isTerminal ? StatusReport.visible(text, except: ["\n", "\t"]) : text) + "\n\n")
      } catch {
        try report(error)
      }
    }
    if snapshots.isEmpty { try output.write(StatusReport.text([])) }
    return code
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
        try report(error)
      }
    }
    if snapshots.isEmpty { try output.write(StatusReport.text([])) }
    return code
  }

  func accept(_ filters: [String], renames: Bool = false) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    let refused = store.accept(snapshots, renames: renames ? store.renames(of: snapshots) : [:])
    for (_, error) in refused { try report(error) }
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

  func review(_ filters: [String]) throws(TerminalError) -> ExitCode {
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
    let accepted = state.snapshots(.accept) + state.snapshots(.rename)
    let renames = Dictionary(state.snapshots(.rename).map { ($0.name, state.renames[$0.name] ?? "") }) { $1 }
    let refused = store.accept(accepted, renames: renames)
    store.reject(state.snapshots(.reject))
    for (_, error) in refused { try report(error) }
    try output.write(
      "Accepted \(counted(accepted.count - refused.count)), rejected \(state.snapshots(.reject).count), skipped \(state.snapshots(nil).count).\n"
    )
    return code != .success ? code : refused.isEmpty && state.snapshots(nil).isEmpty ? .success : .failure
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

  /// Prints an error, in which names of files can have control characters.
  func report(_ error: SnapshotError) throws(TerminalError) {
    try errors.write("Error: \(StatusReport.visible(error.description))\n")
  }

  func counted(_ count: Int) -> String { count == 1 ? "1 snapshot" : "\(count) snapshots" }
}
