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
  let record: ChosenRecord
  let diffTool: SnapshotTestingConfiguration.DiffTool
  let log = SnapshotLog()
  let choice: ReferenceSlot.Choice

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
    self.record = try ChosenRecord(record, in: test)
    diffTool =
      SnapshotTestingConfiguration.current?.diffTool ?? test.configuration?.diffTool
      ?? processDefaults.diffTool ?? .default
    let request = ReferenceRegistry.Request(
      site: site, folder: snapshotDirectory, function: testName, name: name, prefix: strategy.namePrefix,
      pathExtension: strategy.pathExtension)
    choice = try ReferenceRegistry.shared.choose(request, in: test)
  }

  /// Starts to take the snapshot.
  func start(_ value: Value, _ arrival: Arrival<Format>) {
    strategy.capture(value, SnapshotContext(log: log, matchesReference: matcher())).run { arrival.arrive($0) }
  }

  /// Compares formats with the reference, which is read each time.
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
    guard outcome.take(log.entries) else {
      let artifacts = writeArtifacts(nil, outcome.attachments, &outcome)
      outcome.failure = [outcome.failure, artifactList(artifacts)].compactMap { $0 }.joined(separator: "\n\n")
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
    var found = try find(choice.path, data, format, by: choice)
    if passes(found, &outcome) { return }
    let registry = ReferenceRegistry.shared
    let isCreating = found.state == .absent || record.mode == .all
    if isCreating { registry.writing.lock() }
    defer { if isCreating { registry.writing.unlock() } }
    if isCreating {
      // Another test may have written it meanwhile.
      found = try find(choice.path, data, format, by: choice)
      if passes(found, &outcome) { return }
    }
    try resolve(found, data, format, &outcome)
  }

  /// Whether a snapshot is what its file has, also when another test has recorded that a moment ago.
  private func passes(_ found: Found, _ outcome: inout AssertionOutcome) -> Bool {
    guard found.state == .matches, record.mode != .all || ReferenceRegistry.shared.isWrittenByOther(choice) else {
      return false
    }
    warnOfSharing(choice, &outcome)
    Artifacts.shared.removeStale(for: choice.path, in: choice.slot.test.folder)
    return true
  }

  private func resolve(
    _ plain: Found, _ data: Data, _ format: Format, _ outcome: inout AssertionOutcome
  ) throws(AssertionError) {
    let registry = ReferenceRegistry.shared
    var (choice, found) = (choice, plain)
    let isAbsent = plain.state == .absent
    let isRecording = isAbsent && ReferenceDecision(record.mode, .absent).writes
    switch registry.resolve(choice, isAbsent: isAbsent, isRecording: isRecording) {
    case .own: break
    case .moved(let moved):
      choice = moved
      found = try find(moved.path, data, format, by: moved)
    case .conflict(let path, let holder): throw conflict(path, holder, difference(from: found, path, format))
    }
    let decision = ReferenceDecision(record.mode, found.state)
    guard let failure = decision.failure else { return }
    if found.state == .differs, registry.isWritten(choice.slot) {
      throw AssertionError(
        repeatedMessage(shownPath: pathInPackage(choice.path), difference: found.difference?.0 ?? ""))
    }
    if decision.writes {
      try ReferenceFiles.record(choice.path, with: data, over: found.reference)
      registry.noteWritten(choice)
      Artifacts.shared.removeStale(for: choice.path, in: choice.slot.test.folder)
    }
    guard failure != .differs else {
      return describeMismatch(found, data, choice.path, decision, &outcome)
    }
    outcome.failure = recordingMessage(
      decision, path: choice.path, shownPath: pathInPackage(choice.path), rerun: rerun)
    if choice !== self.choice, !registry.isWrittenByOther(self.choice), let difference = plain.difference?.0 {
      outcome.failure?.append(
        ownFileMessage(shownPath: pathInPackage(self.choice.path), difference: difference))
    }
  }

  /// What there is in a file, and how a snapshot is different.
  private struct Found {
    var state: ReferenceState
    var reference: Data?
    var difference: (String, [SnapshotAttachment])?
  }

  private func find(
    _ path: String, _ data: Data, _ format: Format, by choice: ReferenceSlot.Choice
  ) throws(AssertionError) -> Found {
    switch try ReferenceFiles.compare(path, with: data) {
    case .equal: return Found(state: .matches, reference: data)
    case .absent: return Found(state: .absent)
    case .different(let reference):
      // A file that is recorded anew, whatever it has, may have been no format.
      guard record.mode != .all else { return Found(state: .differs, reference: reference) }
      let old: Format
      do throws(AssertionError) { old = try readable(reference, path) } catch {
        // Somebody else's file may be anything.
        guard choice.holder == nil else { return Found(state: .differs, reference: reference) }
        throw error
      }
      let difference = strategy.diffing.diff(old, format)
      return Found(state: difference == nil ? .matches : .differs, reference: reference, difference: difference)
    }
  }

  private func warnOfSharing(_ choice: ReferenceSlot.Choice, _ outcome: inout AssertionOutcome) {
    // The cases of one test, which a name keeps together, are no strangers.
    guard let holder = choice.holderSite, holder != choice.site,
      ReferenceRegistry.shared.isFirstToTellShared(choice.path)
    else { return }
    outcome.warnings.append(
      sharedMessage(shownPath: pathInPackage(choice.path), first: holder, second: choice.site))
  }

  /// The difference to a reference that another assertion wrote; empty if it cannot be shown.
  private func difference(from found: Found, _ path: String, _ format: Format) -> String {
    if path == choice.path, let difference = found.difference?.0 { return difference }
    guard case .different(let data)? = try? ReferenceFiles.compare(path, with: strategy.diffing.toData(format)),
      let old = try? strategy.diffing.fromData(data)
    else { return "" }
    return strategy.diffing.diff(old, format)?.0 ?? ""
  }

  private func conflict(_ path: String, _ holder: ReferenceSlot, _ difference: String) -> AssertionError {
    let conflict = conflict(path, holder)
    return difference.isEmpty ? conflict : AssertionError("\(conflict)\n\n\(bounded(difference))")
  }

  private func conflict(_ path: String, _ holder: ReferenceSlot) -> AssertionError {
    let path = pathInPackage(path)
    if let other = holder.site, other != site {
      return AssertionError(conflictMessage(shownPath: path, first: other, second: site))
    }
    if holder.test.isSameTest(as: choice.slot.test) {
      return AssertionError(casesMessage(shownPath: path, site: site, first: holder.test.arguments, test: test))
    }
    return AssertionError(helperMessage(shownPath: path, site: site))
  }

  private func readable(_ data: Data, _ path: String) throws(AssertionError) -> Format {
    do {
      return try strategy.diffing.fromData(data)
    } catch {
      throw AssertionError("Cannot read the reference \(pathInPackage(path)). \(error)")
    }
  }

  private func describeMismatch(
    _ found: Found, _ data: Data, _ path: String, _ decision: ReferenceDecision, _ outcome: inout AssertionOutcome
  ) {
    let attachments = found.difference?.1 ?? []
    let artifacts = writeArtifacts(data, attachments, &outcome)
    outcome.failure = mismatchMessage(
      name: name, difference: (found.difference?.0 ?? "").trimmingCharacters(in: .whitespacesAndNewlines),
      tool: artifacts.first.map { diffTool(currentFilePath: path, failedFilePath: $0) },
      artifacts: Array(artifacts.dropFirst()), shownPath: pathInPackage(path), wasRecorded: decision.writes,
      rerun: rerun)
    let fileName = String(path.dropFirst(ReferenceFiles.folder(of: path).count + 1))
    outcome.attachments =
      [
        SnapshotAttachment(data: found.reference ?? Data(), name: "reference-\(fileName)"),
        SnapshotAttachment(data: data, name: "failure-\(fileName)"),
      ] + attachments
  }

  private var rerun: Rerun { Rerun(testName: testName, filter: test.filter(), record: record) }

  private func writeArtifacts(
    _ data: Data?, _ attachments: [SnapshotAttachment], _ outcome: inout AssertionOutcome
  ) -> [String] {
    guard data != nil || !attachments.isEmpty else { return [] }
    do throws(AssertionError) { return try Artifacts.shared.write(data, attachments, for: choice.path) } catch {
      outcome.warnings.append("Cannot save the artifacts of the failure. \(error)")
      return []
    }
  }
}
