public import Foundation
internal import Parallel
public import Snapshotting
internal import SnapshotStore

/// Compares a value with its reference, and returns the failure.
///
/// For assertions of your own that report the result themselves. The parameters and the behaviour are those of `assertSnapshot`.
/// In addition, `snapshotDirectory` is the folder of the reference, in place of `__Snapshots__/<file>` beside the test file.
///
/// ```swift
/// func assertPage(_ page: Page, file: StaticString = #filePath, testName: String = #function, line: UInt = #line) {
///   let failure = verifySnapshot(
///     of: page, as: .html, snapshotDirectory: "/references", file: file, testName: testName, line: line)
///   if let failure { XCTFail(failure, file: file, line: line) }
/// }
/// ```
///
/// Warnings and attachments are dropped: use `assertSnapshot` or `expectSnapshot`, which report them.
///
/// - Returns: The failure, or `nil` if the value matches.
public func verifySnapshot<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record: SnapshotTestingConfiguration.Record? = nil,
  snapshotDirectory: String? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) -> String? {
  let assertion = Assertion(
    name: name, record: record, snapshotDirectory: snapshotDirectory, timeout: timeout, testName: testName,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), test: currentTest())
  return verify(value, as: snapshotting, in: assertion).failure
}

struct Assertion {
  var name: String?
  let record: SnapshotTestingConfiguration.Record?
  var snapshotDirectory: String?
  let timeout: TimeInterval
  let testName: String
  let site: AssertionSite
  let test: RunningTest

  func rerun(_ record: ChosenRecord, isPending: Bool) -> Rerun {
    Rerun(testName: testName, filter: test.filter(), record: record, isPending: isPending)
  }
}

func verify<Value, Format>(
  _ value: () throws -> Value, as strategy: Snapshotting<Value, Format>, in assertion: Assertion
) -> AssertionOutcome {
  do throws(SnapshotError) {
    let verification = try Verification(assertion, strategy)
    let format = try take(
      try evaluate(value), as: strategy, verification.context, log: verification.log, timeout: assertion.timeout)
    return verification.outcome(of: format)
  } catch {
    return AssertionOutcome(failure: error.description)
  }
}

func verify<Value, Format>(
  _ value: () async throws -> Value, as strategy: Snapshotting<Value, Format>, in assertion: Assertion,
  on clock: some Clock<Duration>, isolation: isolated (any Actor)? = #isolation
) async -> AssertionOutcome {
  do throws(SnapshotError) {
    let verification = try Verification(assertion, strategy)
    let format = try await take(
      try await evaluate(value), as: strategy, verification.context, log: verification.log,
      timeout: assertion.timeout, on: clock)
    return verification.outcome(of: format)
  } catch {
    return AssertionOutcome(failure: error.description)
  }
}

func evaluate<Value>(_ value: () throws -> Value) throws(SnapshotError) -> Value {
  do { return try value() } catch { throw valueError(error) }
}

func evaluate<Value>(
  _ value: () async throws -> Value, isolation: isolated (any Actor)? = #isolation
) async throws(SnapshotError) -> Value {
  do { return try await value() } catch { throw valueError(error) }
}

private func valueError(_ error: any Error) -> SnapshotError {
  SnapshotError(
    """
    Cannot take the snapshot: the value threw an error: \(bounded("\(error)"))

    Correct the cause. To compare the error itself, use the strategy `.thrown`.
    """)
}

private struct Verification<Value, Format> {
  let assertion: Assertion
  let diffing: Diffing<Format>
  let record: ChosenRecord
  let reference: Reference
  let log = SnapshotLog()

  private var resolver: ReferenceResolver { .shared }

  init(_ assertion: Assertion, _ strategy: Snapshotting<Value, Format>) throws(SnapshotError) {
    self.assertion = assertion
    diffing = strategy.diffing
    let (test, site) = (assertion.test, assertion.site)
    record = try ChosenRecord(assertion.record)
    if assertion.name == nil { try test.checkNumbers(in: assertion.testName, of: site.filePath) }
    reference = ReferenceResolver.shared.reference(
      in: test.identity, suites: test.suites, function: assertion.testName, at: site,
      folder: assertion.snapshotDirectory, name: assertion.name, prefix: strategy.namePrefix,
      pathExtension: strategy.pathExtension)
  }

  /// A strategy can compare formats with the reference, which is read each time.
  var context: SnapshotContext<Format> {
    guard record.mode != .all else { return SnapshotContext(log: log) }
    return SnapshotContext(log: log) { [diffing, path = reference.path] format in
      switch try? ReferenceFiles.compare(path, with: diffing.toData(format)) {
      case .equal: true
      case .different(let data): (try? diffing.fromData(data)).map { diffing.diff($0, format) == nil } ?? false
      case .absent, nil: false
      }
    }
  }

  func outcome(of format: Format) -> AssertionOutcome {
    var outcome = AssertionOutcome(log.entries)
    guard outcome.failure == nil else {
      let artifacts = writeArtifacts(nil, outcome.attachments, for: reference, &outcome)
      outcome.failure = [outcome.failure, artifactList(artifacts)].compactMap { $0 }.joined(separator: "\n\n")
      return outcome
    }
    do throws(SnapshotError) {
      let data = diffing.toData(format)
      var found = try read(reference, data, format)
      if passes(found) { return pass(reference, outcome) }
      resolver.writing.lock()
      defer { resolver.writing.unlock() }
      if found.state == .absent || record.mode == .all {
        // Another test may have written the file since it was read.
        found = try read(reference, data, format)
        if passes(found) { return pass(reference, outcome) }
      }
      return try conclude(found, data, format, outcome)
    } catch {
      outcome.failure = error.description
      return outcome
    }
  }

  private struct Found {
    let path: String
    let state: ReferenceState
    var data: Data?
    var difference: (text: String, attachments: [SnapshotAttachment])?
    /// The reason why the file is no reference.
    var error: SnapshotError?
  }

  private func read(_ reference: Reference, _ data: Data, _ format: Format) throws(SnapshotError) -> Found {
    let path = reference.path
    switch try ReferenceFiles.compare(path, with: data) {
    case .equal: return Found(path: path, state: .matches, data: data)
    case .absent: return Found(path: path, state: .absent)
    case .different(let old):
      // A file that is recorded in any case need not be readable.
      guard record.mode != .all else { return Found(path: path, state: .differs, data: old) }
      do {
        let difference = diffing.diff(try diffing.fromData(old), format)
        return Found(path: path, state: difference == nil ? .matches : .differs, data: old, difference: difference)
      } catch {
        let error = SnapshotError("Cannot read the reference \(pathInPackage(path)). \(error)")
        return Found(path: path, state: .differs, data: old, error: error)
      }
    }
  }

  /// Whether the snapshot matches.
  ///
  /// In mode `all`, only if another assertion has just recorded it.
  private func passes(_ found: Found) -> Bool {
    found.state == .matches && (record.mode != .all || resolver.isRecordedByOther(reference))
  }

  private func pass(_ reference: Reference, _ outcome: AssertionOutcome) -> AssertionOutcome {
    Artifacts.shared.removeStale(for: reference.path, in: reference.identity.folder)
    PendingSnapshotRecorder.shared.remove(reference.path, at: reference.site)
    guard let other = resolver.noteMatch(reference) else { return outcome }
    var outcome = outcome
    outcome.warnings.append(
      sharedMessage(shownPath: pathInPackage(reference.path), first: other.site, second: reference.site))
    return outcome
  }

  /// Passes if the compared file belongs to another assertion, and the snapshot matches its own file.
  private func conclude(
    _ compared: Found, _ data: Data, _ format: Format, _ outcome: AssertionOutcome
  ) throws(SnapshotError) -> AssertionOutcome {
    var (found, target) = (compared, reference)
    switch resolver.recording(of: reference, isAbsent: compared.state == .absent) {
    case .own(let own): target = own
    case .moved(let own):
      target = own
      found = try read(own, data, format)
    case .conflict(let owner): throw conflict(with: owner, compared, format)
    }
    if let error = found.error { throw error }
    let decision = ReferenceDecision(record.mode, found.state)
    guard let failure = decision.failure else { return pass(target, outcome) }
    if found.state == .differs, resolver.isRepeated(target) {
      throw SnapshotError(
        repeatedMessage(shownPath: pathInPackage(target.path), difference: found.difference?.text ?? ""))
    }
    let replaced = found.path == target.path ? found.data : nil
    if decision.writes {
      try ReferenceFiles.record(target.path, with: data, over: replaced)
      resolver.noteRecording(target)
      Artifacts.shared.removeStale(for: target.path, in: target.identity.folder)
      PendingSnapshotRecorder.shared.remove(target.path, at: target.site)
    }
    var outcome = outcome
    var isPending = false
    if decision.leavesPending {
      isPending = outcome.leavePending { () throws(SnapshotError) in
        try PendingSnapshotRecorder.shared.leave(
          data, over: replaced, for: target, strategy: Snapshotting<Value, Format>.self,
          comparison: diffing.settings)
      }
    }
    let rerun = assertion.rerun(record, isPending: isPending)
    guard failure != .differs else { return mismatch(found, data, target, decision, rerun, outcome) }
    outcome.failure = recordingMessage(
      decision, path: target.path, shownPath: pathInPackage(target.path), rerun: rerun)
    if found.path != compared.path, !resolver.isRecordedByOther(reference), let difference = compared.difference {
      outcome.failure?.append(
        ownFileMessage(shownPath: pathInPackage(compared.path), difference: difference.text))
    }
    return outcome
  }

  private func mismatch(
    _ found: Found, _ data: Data, _ target: Reference, _ decision: ReferenceDecision, _ rerun: Rerun,
    _ outcome: AssertionOutcome
  ) -> AssertionOutcome {
    var outcome = outcome
    let shown = decision.writes || found.path == target.path ? target : reference
    let (difference, attachments) = found.difference ?? ("", [])
    let artifacts = writeArtifacts(data, attachments, for: shown, &outcome)
    outcome.failure = mismatchMessage(
      name: assertion.name, difference: difference.trimmingCharacters(in: .whitespacesAndNewlines),
      tool: artifacts.first.map { diffTool(currentFilePath: shown.path, failedFilePath: $0) },
      artifacts: Array(artifacts.dropFirst()), shownPath: pathInPackage(shown.path), wasRecorded: decision.writes,
      rerun: rerun)
    outcome.attachments =
      [
        SnapshotAttachment(data: found.data ?? Data(), name: "reference-\(shown.fileName)"),
        SnapshotAttachment(data: data, name: "failure-\(shown.fileName)"),
      ] + attachments
    if !decision.writes, target.path != found.path {
      outcome.failure?.append(ambiguousMessage(shownPath: pathInPackage(found.path), own: target.fileName))
    }
    return outcome
  }

  private func conflict(with owner: Reference, _ compared: Found, _ format: Format) -> SnapshotError {
    let (path, site) = (pathInPackage(owner.path), assertion.site)
    let message =
      if owner.site != site {
        conflictMessage(shownPath: path, first: owner.site, second: site)
      } else if owner.identity.isSameAssertion(as: reference.identity) {
        casesMessage(shownPath: path, site: site, first: owner.identity.test.arguments, test: assertion.test)
      } else {
        helperMessage(shownPath: path, site: site)
      }
    // In mode `all` the difference is not yet computed.
    let difference =
      compared.difference
      ?? compared.data.flatMap { data in
        (try? diffing.fromData(data)).flatMap { diffing.diff($0, format) }
      }
    return SnapshotError([message, difference.map { bounded($0.text) }].compactMap { $0 }.joined(separator: "\n\n"))
  }

  private var diffTool: SnapshotTestingConfiguration.DiffTool {
    SnapshotTestingConfiguration.current?.diffTool ?? processDefaults.diffTool ?? .default
  }

  private func writeArtifacts(
    _ data: Data?, _ attachments: [SnapshotAttachment], for reference: Reference, _ outcome: inout AssertionOutcome
  ) -> [String] {
    guard data != nil || !attachments.isEmpty else { return [] }
    do throws(SnapshotError) {
      return try Artifacts.shared.write(data, attachments.map { ($0.name, $0.data) }, for: reference.path)
    } catch {
      outcome.warnings.append("Cannot save the artifacts of the failure. \(error)")
      return []
    }
  }
}
