internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Terminal

struct SnapshotsRunner {
  let store: PendingStore
  var output = TerminalDevice.standardOutput
  var errors = TerminalDevice.standardError

  static let unreadable = ExitCode(2)

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
      try? errors.write("Error: \(error)\n")
      return .failure
    }
  }

  func print(_ text: String) throws(TerminalError) { try write(text, to: output) }

  func printError(_ text: String) throws(TerminalError) { try write(text, to: errors) }

  /// Writes a text; ignores a closed pipe, as before `| head`, so that the command still finishes.
  private func write(_ text: String, to device: TerminalDevice) throws(TerminalError) {
    do throws(TerminalError) { try device.write(text) } catch {
      guard error.kind == .closed else { throw error }
    }
  }

  func pending(_ filters: [String]) throws(TerminalError) -> (snapshots: [PendingSnapshot], code: ExitCode) {
    let (snapshots, problems) = store.contents(matching: filters)
    for problem in problems { try report(problem) }
    return (snapshots, problems.isEmpty ? .success : Self.unreadable)
  }

  /// Prints that no snapshots are pending, unless some cannot be read.
  func printNone(_ code: ExitCode) throws(TerminalError) {
    if code == .success { try print("No snapshots are pending.\n") }
  }

  func status(json: Bool) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending([])
    let renames = store.renames(of: snapshots)
    if json {
      try print(StatusReport.json(snapshots, renames: renames))
    } else if snapshots.isEmpty {
      try printNone(code)
    } else {
      try print(StatusReport.text(snapshots, renames: renames))
    }
    return code != .success ? code : snapshots.isEmpty ? .success : .failure
  }

  private func show(_ filters: [String]) throws(TerminalError) -> ExitCode {
    var (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    for snapshot in snapshots {
      try print(Style.bold.applied(to: StatusReport.line(snapshot), color: output.colorCapability()) + "\n")
      try print(StatusReport.details(snapshot) + "\n")
      do throws(SnapshotError) {
        let content = SnapshotContent(try store.data(of: snapshot), pathExtension: snapshot.pathExtension)
        let text = content.text(path: store.dataPath(of: snapshot))
        try? print(safe(text) + "\n\n")
      } catch {
        try report(error)
        code = Self.unreadable
      }
    }
    if snapshots.isEmpty { try printNone(code) }
    return code
  }

  private func diff(_ filters: [String]) throws(TerminalError) -> ExitCode {
    var (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    let color = output.colorCapability()
    for snapshot in snapshots {
      let title = StatusReport.line(snapshot)
      try print(Style.bold.applied(to: title, color: color) + "\n")
      do throws(SnapshotError) {
        let text = try store.difference(of: snapshot).text(color: color)
        try? print(text + "\n\n")
      } catch {
        try report(error)
        code = Self.unreadable
      }
    }
    if snapshots.isEmpty { try printNone(code) }
    return code
  }

  /// Replaces control characters if the output is a terminal.
  private func safe(_ text: String) -> String {
    output.isTerminal ? StatusReport.visible(text, except: ["\n", "\t"]) : text
  }

  private func accept(_ filters: [String], renames: Bool) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    guard !snapshots.isEmpty || code == .success else { return code }
    let result = try accept(snapshots, renames: renames)
    return code != .success ? code : result
  }

  func accept(_ snapshots: [PendingSnapshot], renames: Bool = false) throws(TerminalError) -> ExitCode {
    let refused = store.accept(snapshots, renames: renames ? store.renames(of: snapshots) : [:])
    for (_, error) in refused { try report(error) }
    try print("Accepted \(counted(snapshots.count - refused.count)).\n")
    return refused.isEmpty ? .success : .failure
  }

  private func reject(_ filters: [String]) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    guard !snapshots.isEmpty || code == .success else { return code }
    let refused = store.reject(snapshots)
    for (_, error) in refused { try report(error) }
    try print("Rejected \(counted(snapshots.count - refused.count)).\n")
    return code != .success ? code : refused.isEmpty ? .success : .failure
  }

  private func isMatched(_ snapshots: [PendingSnapshot], _ filters: [String]) throws(TerminalError) -> Bool {
    guard snapshots.isEmpty, !filters.isEmpty else { return true }
    try printError(
      "Error: No pending snapshot matches \(filters.joined(separator: ", ")). To list them: snapshots status\n")
    return false
  }

  func review(_ filters: [String]) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending(filters)
    guard try isMatched(snapshots, filters) else { return .failure }
    guard !snapshots.isEmpty else {
      try printNone(code)
      return code
    }
    if let error = output.sessionError() {
      try printError("Error: \(error) Or use 'snapshots diff' and 'snapshots accept'.\n")
      return .failure
    }
    let state: ReviewState?
    do { state = try ReviewSession(store, snapshots, output).run() } catch {
      try printError("Error: Cannot review: \(error)\n")
      return .failure
    }
    guard let state else {
      try print("The review was interrupted. No snapshot was accepted or rejected.\n")
      return ExitCode(130)
    }
    let accepted = state.snapshots(.accept) + state.snapshots(.rename)
    let renames = Dictionary(state.snapshots(.rename).map { ($0.name, state.renames[$0.name] ?? "") }) { $1 }
    // An accepted inline snapshot moves the others of its file, so those to reject go first.
    let kept = store.reject(state.snapshots(.reject))
    let refused = store.accept(accepted, renames: renames)
    for (_, error) in kept + refused { try report(error) }
    let (rejected, skipped) = (state.snapshots(.reject).count - kept.count, state.snapshots(nil).count)
    try print("Accepted \(counted(accepted.count - refused.count)), rejected \(rejected), skipped \(skipped).\n")
    return code != .success ? code : kept.isEmpty && refused.isEmpty && skipped == 0 ? .success : .failure
  }

  private func annotations(_ format: Annotations.Format) throws(TerminalError) -> ExitCode {
    let (snapshots, code) = try pending([])
    let text = Annotations.text(snapshots, format) { snapshot in
      do throws(SnapshotError) { return try store.difference(of: snapshot).text(color: .none) } catch {
        return error.description
      }
    }
    try print(text)
    return code != .success ? code : snapshots.isEmpty ? .success : .failure
  }

  /// Prints an error.
  ///
  /// Its names of files can have control characters.
  func report(_ error: SnapshotError) throws(TerminalError) {
    try printError("Error: \(StatusReport.visible(error.description))\n")
  }

  func counted(_ count: Int) -> String { count == 1 ? "1 snapshot" : "\(count) snapshots" }
}
