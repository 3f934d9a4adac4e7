internal import Foundation
internal import Parallel
internal import Snapshotting

/// One assertion, in the parts that its synchronous and its asynchronous form have in common.
struct Assertion<Value, Format> {
  let strategy: Snapshotting<Value, Format>
  let name: String?
  let testName: String
  let site: AssertionSite
  let test: RunningTest
  let record: SnapshotTestingConfiguration.Record
  let diffTool: SnapshotTestingConfiguration.DiffTool
  let log = SnapshotLog()
  let choice: ReferenceRegistry.Choice

  /// - Throws: ``AssertionError`` when it cannot be said what is to be compared with what.
  init(
    _ strategy: Snapshotting<Value, Format>, named name: String?, record: SnapshotTestingConfiguration.Record?,
    snapshotDirectory: String? = nil, testName: String, site: AssertionSite, test: RunningTest
  ) throws(AssertionError) {
    self.strategy = strategy
    self.name = name
    self.testName = testName
    self.site = site
    self.test = test
    self.record = try chosenRecord(record, in: test)
    diffTool = SnapshotTestingConfiguration.current?.diffTool ?? test.configuration?.diffTool ?? .default
    let request = ReferenceRegistry.Request(
      site: site, folder: snapshotDirectory, function: testName, name: name, prefix: strategy.namePrefix,
      pathExtension: strategy.pathExtension)
    choice = try ReferenceRegistry.shared.choose(request, in: test)
  }

  /// Starts to take the snapshot.
  func start(_ value: Value) -> Arrival<Format> {
    let arrival = Arrival<Format>()
    strategy.capture(value, SnapshotContext(log: log, matchesReference: matcher())).run { arrival.arrive($0) }
    return arrival
  }

  /// Compares formats with the reference, which is read when it is first asked for.
  private func matcher() -> (@Sendable (Format) -> Bool)? {
    guard record.mode != .all else { return nil }
    return { [diffing = strategy.diffing, path = choice.path] format in
      switch try? ReferenceFiles.compare(path, with: diffing.toData(format)) {
      case .equal: true
      case .different(let data): (try? diffing.fromData(data)).map { diffing.diff($0, format) == nil } ?? false
      case .absent, nil: false
      }
    }
  }

  /// Decides about a snapshot that was taken, and writes what is to be written.
  func finish(_ format: Format) -> AssertionOutcome {
    var outcome = AssertionOutcome()
    for entry in log.entries where entry.kind == .warning { outcome.warnings.append(entry.message) }
    let failures = log.entries.filter { $0.kind == .failure }
    guard failures.isEmpty else {
      outcome.failure = failures.map(\.message).joined(separator: "\n\n")
      outcome.attachments = failures.flatMap(\.attachments)
      return outcome
    }
    do throws(AssertionError) {
      try compare(format, &outcome)
    } catch {
      outcome.failure = error.description
    }
    return outcome
  }

  private func compare(_ format: Format, _ outcome: inout AssertionOutcome) throws(AssertionError) {
    let data = strategy.diffing.toData(format)
    var path = choice.path
    var reference: Data?
    var difference: (String, [SnapshotAttachment])?
    var state: ReferenceState
    switch try ReferenceFiles.compare(path, with: data) {
    case .equal: state = .matches
    case .absent: state = .absent
    case .different(let other):
      reference = other
      // A file that is recorded anew, or that is somebody else's, may have any content.
      if record.mode == .all || choice.holder != nil {
        state = .differs
      } else {
        difference = strategy.diffing.diff(try readable(other, path), format)
        state = difference == nil ? .matches : .differs
      }
    }
    if let holder = choice.holder, state == .matches, record.mode != .all {
      if ReferenceRegistry.shared.isFirstToTellShared(path) {
        outcome.warnings.append(sharedMessage(shownPath: pathInPackage(path), first: holder, second: site))
      }
      return
    }
    if choice.holder != nil || (choice.isAlternativeForNew && state == .absent) {
      if let alternative = choice.alternative {
        let other = ReferenceRegistry.shared.move(choice, to: alternative)
        if let other { throw conflict(alternative, with: other) }
        (path, reference, state) = (alternative, nil, .absent)
      } else if let holder = choice.holder {
        throw conflict(path, with: holder)
      }
    }
    let decision = ReferenceDecision(record.mode, state)
    guard let failure = decision.failure else { return }
    if decision.writes {
      try ReferenceFiles.replace(path, with: data)
      ReferenceRegistry.shared.noteWritten(path)
    }
    if failure == .differs {
      describeMismatch(difference, reference, data, path, decision, &outcome)
    } else {
      outcome.failure = recordingMessage(decision, path: path, shownPath: pathInPackage(path), testName: testName)
    }
  }

  private func conflict(_ path: String, with other: AssertionSite) -> AssertionError {
    AssertionError(conflictMessage(shownPath: pathInPackage(path), first: other, second: site))
  }

  private func readable(_ data: Data, _ path: String) throws(AssertionError) -> Format {
    do {
      return try strategy.diffing.fromData(data)
    } catch {
      throw AssertionError("The reference \(pathInPackage(path)) cannot be read. \(error)")
    }
  }

  private func describeMismatch(
    _ difference: (String, [SnapshotAttachment])?, _ reference: Data?, _ data: Data, _ path: String,
    _ decision: ReferenceDecision, _ outcome: inout AssertionOutcome
  ) {
    let fileName = String(path.dropFirst(ReferenceFiles.folder(of: path).count + 1))
    let folder = ReferenceFiles.folder(of: path)
    let testFile = folder.dropFirst(ReferenceFiles.folder(of: folder).count + 1)
    let directory = processDefaults.artifactDirectory
    let artifacts = "\(directory.hasSuffix("/") ? String(directory.dropLast()) : directory)/\(testFile)"
    // The folder of the references may be in that of the artifacts, and they must not be written over.
    let failedPath = artifacts == folder ? "\(artifacts)/failed/\(fileName)" : "\(artifacts)/\(fileName)"
    let attachments = difference?.1 ?? []
    var tool: String?
    do throws(AssertionError) {
      try ReferenceFiles.replace(failedPath, with: data)
      for attachment in attachments {
        try ReferenceFiles.replace("\(failedPath).\(attachment.name)", with: attachment.data)
      }
      tool = diffTool(currentFilePath: path, failedFilePath: failedPath)
    } catch {
      outcome.warnings.append("The failed snapshot is not in a file. \(error)")
    }
    outcome.failure = mismatchMessage(
      name: name, difference: (difference?.0 ?? "").trimmingCharacters(in: .whitespacesAndNewlines), tool: tool,
      shownPath: pathInPackage(path), wasRecorded: decision.writes, testName: testName)
    outcome.attachments =
      [
        SnapshotAttachment(data: reference ?? Data(), name: "reference-\(fileName)"),
        SnapshotAttachment(data: data, name: "failure-\(fileName)"),
      ] + attachments
  }
}
