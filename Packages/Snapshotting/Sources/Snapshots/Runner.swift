internal import Arguments
internal import Foundation
internal import SnapshotStore
internal import Snapshotting
internal import Terminal

/// The subcommands, with the devices that they print to.
struct Runner: Sendable {
  let store: PendingStore
  var output = TerminalDevice.standardOutput
  var errors = TerminalDevice.standardError

  static let unreadable = ExitCode(2)

  func run(_ action: Snapshots.Action) -> ExitCode {
    do { return try action.run(self) } catch {
      try? errors.write("Error: \(error)\n")
      return .failure
    }
  }

  func status(json: Bool) throws -> ExitCode {
    if json {
      let (snapshots, code) = try pending()
      try print(String(decoding: ReferenceFiles.json(snapshots), as: UTF8.self) + "\n")
      return code != .success ? code : snapshots.isEmpty ? .success : .failure
    }
    return try select([]) { snapshots in
      try print(snapshots.count == 1 ? "1 snapshot is pending:\n" : "\(snapshots.count) snapshots are pending:\n")
      for snapshot in snapshots {
        try print("  \(snapshot.isNew ? "new    " : "changed")  \(visible("\(snapshot.testName)  \(snapshot.name)"))\n")
      }
      try print("To review them: swift run snapshots review\n")
      return .failure
    }
  }

  func show(_ filters: [String]) throws -> ExitCode {
    try select(filters) { snapshots in
      let color = output.colorCapability()
      var code = ExitCode.success
      for snapshot in snapshots {
        try print(Style.bold.applied(to: "\(snapshot.state)  \(snapshot.title)", color: color) + "\n")
        try print("\(snapshot.details)\n")
        switch difference(of: snapshot) {
        case .success(let difference):
          let path = difference.pictures.isEmpty ? "" : "\n" + visible(store.dataPath(of: snapshot))
          try print("\(difference.text(color: color))\(path)\n\n")
        case .failure(let error):
          try report(error)
          code = Self.unreadable
        }
      }
      return code
    }
  }

  func accept(_ filters: [String]) throws -> ExitCode { try select(filters) { try decide([], $0) } }

  func reject(_ filters: [String]) throws -> ExitCode { try select(filters) { try decide($0, []) } }

  func review(_ filters: [String]) throws -> ExitCode {
    try select(filters) { snapshots in
      var review = Review(snapshots)
      let isApplied: Bool
      do { isApplied = try review.run(on: output, difference: difference(of:)) } catch {
        try printError("Error: \(error) Or use 'snapshots show' and 'snapshots accept'.\n")
        return .failure
      }
      guard isApplied else {
        try print("The review was interrupted. No snapshot was accepted or rejected.\n")
        return ExitCode(130)
      }
      let skipped = review.snapshots(.skipped).count
      let code = try decide(review.snapshots(.rejected), review.snapshots(.accepted))
      if skipped > 0 { try print("Skipped \(counted(skipped)).\n") }
      return skipped > 0 ? .failure : code
    }
  }

  /// Applies decisions, and prints the name of each snapshot.
  func decide(_ rejected: [PendingSnapshot], _ accepted: [PendingSnapshot]) throws -> ExitCode {
    var code = ExitCode.success
    // Before the first line is printed, because printing can fail.
    let rejections = rejected.map { snapshot in Result { () throws(SnapshotError) in try store.reject(snapshot) } }
    for (verb, snapshots, results) in [
      ("rejected", rejected, rejections), ("accepted", accepted, store.accept(accepted)),
    ] where !snapshots.isEmpty {
      for (snapshot, result) in zip(snapshots, results) {
        switch result {
        case .success: try print("\(verb)  \(visible(snapshot.name))\n")
        case .failure(let error):
          try report(error)
          code = .failure
        }
      }
      try print("\(verb.capitalized) \(counted(results.count { (try? $0.get()) != nil })).\n")
    }
    return code
  }

  func report(in folder: String) throws -> ExitCode {
    let (snapshots, problems) = store.contents()
    let page = Report(entries: snapshots.map { ($0, difference(of: $0)) }, problems: problems).page
    let path = URL(filePath: folder).appending(path: "index.html").path
    try ReferenceFiles.replace(path, with: Data(page.utf8))
    try print("Wrote \(URL(filePath: path).absoluteString)\n")
    return problems.isEmpty ? .success : Self.unreadable
  }

  func annotations(_ format: Annotations.Format) throws -> ExitCode {
    let (snapshots, code) = try pending()
    let folder = ProjectRoot.pathInRepository(store.root)
    let text = Annotations.text(snapshots, format, in: folder) { snapshot in
      switch difference(of: snapshot) {
      case .success(let difference): difference.text(color: .none)
      case .failure(let error): error.description
      }
    }
    try print(text)
    return code != .success ? code : snapshots.isEmpty ? .success : .failure
  }
}

extension Runner {
  /// Passes the snapshots that match to a function, unless no snapshot is pending or a filter matches none.
  private func select(
    _ filters: [String], _ body: ([PendingSnapshot]) throws -> ExitCode
  ) throws -> ExitCode {
    // Damage elsewhere does not concern the snapshots that are named.
    let (all, code) = try pending(damageIs: filters.isEmpty ? "Error" : "Warning")
    let selections = filters.map { filter in
      let path = filter.hasPrefix("./") ? String(filter.dropFirst(2)) : filter
      return all.selected(by: ProjectRoot.relative(path, to: store.root) ?? path)
    }
    if let filter = zip(filters, selections).first(where: { $1.isEmpty })?.0 {
      try printError(
        "Error: No pending snapshot matches \(visible(filter)). Give the whole name of a test, a suite or a file. To list them: "
          + "swift run snapshots status\n")
      return .failure
    }
    let selected = Set(selections.joined().map(\.key))
    let snapshots = filters.isEmpty ? all : all.filter { selected.contains($0.key) }
    guard !snapshots.isEmpty else {
      if code == .success { try print("No snapshots are pending.\n") }
      return code
    }
    let result = try body(snapshots)
    return filters.isEmpty && code != .success ? code : result
  }

  /// Returns the pending snapshots, and reports those that cannot be read.
  func pending(damageIs severity: String = "Error") throws -> (snapshots: [PendingSnapshot], code: ExitCode) {
    let (snapshots, problems) = store.contents()
    for problem in problems { try report(problem, as: severity) }
    return (snapshots, problems.isEmpty ? .success : Self.unreadable)
  }

  private func difference(of snapshot: PendingSnapshot) -> Result<Difference, SnapshotError> {
    Result { () throws(SnapshotError) in
      Difference(
        from: try store.reference(of: snapshot), to: try store.data(of: snapshot),
        pathExtension: snapshot.pathExtension, comparison: snapshot.comparison)
    }
  }

  func print(_ text: String) throws { try write(text, to: output) }

  func printError(_ text: String) throws { try write(text, to: errors) }

  /// Prints an error, whose names of files can have control characters.
  func report(_ error: SnapshotError, as severity: String = "Error") throws {
    try printError("\(severity): \(visible(error.description))\n")
  }

  /// Writes a text; ignores a closed pipe, as before `| head`, so that the command still finishes.
  private func write(_ text: String, to device: TerminalDevice) throws {
    do throws(TerminalError) { try device.write(text) } catch {
      guard error.kind == .closed else { throw error }
    }
  }

  func counted(_ count: Int) -> String { count == 1 ? "1 snapshot" : "\(count) snapshots" }
}
