internal import Foundation
internal import Snapshotting
internal import SnapshotStore

/// The arguments of an assertion, and its test.
struct Assertion {
  var name: String?
  var record: SnapshotTestingConfiguration.Record?
  var snapshotDirectory: String?
  var timeout: TimeInterval = 5
  let testName: String
  let site: AssertionSite
  var test = CurrentTest.running
  var process = TestProcess.shared

  /// The settings of the assertion, the task, the process and the environment, with a record mode.
  ///
  /// - Throws: ``SnapshotError`` if the timeout, or the mode of the environment, is invalid.
  func settings() throws(SnapshotError) -> (SnapshotTestingConfiguration, SnapshotTestingConfiguration.Record) {
    guard timeout > 0 else {
      throw SnapshotError("Cannot wait for the snapshot: the timeout is \(timeout) seconds. Set `timeout` above 0.")
    }
    guard !testName.hasPrefix("$s") else {
      throw SnapshotError(
        "Cannot name the snapshot: in an exit test, `#function` is not the name of the test. Pass `testName:`. Assert "
          + "an inline snapshot outside of the exit test.")
    }
    let configuration = SnapshotTestingConfiguration(record: record).resolved()
    guard let record = configuration.record else {
      let mode = ProcessInfo.processInfo.environment["SNAPSHOT_TESTING_RECORD"] ?? ""
      throw SnapshotError("Cannot use SNAPSHOT_TESTING_RECORD=\(mode). Use all, failed, missing, pending or never.")
    }
    return (configuration, record)
  }

  /// Returns the snapshot to leave pending if it is not recorded.
  func pending(
    of reference: String? = nil, over old: Data? = nil, inline: PendingSnapshot.Inline? = nil,
    comparison: [String: String] = [:]
  ) -> PendingSnapshot {
    PendingSnapshot(
      of: reference, over: old, inline: inline,
      source: PendingSnapshot.Source(file: site.filePath.description, line: site.line, column: site.column),
      test: testName, named: name, suites: test.suites(at: site),
      arguments: test.argumentTexts?.joined(separator: ", "),
      comparison: comparison, time: Date())
  }
}

/// Verifies a snapshot, and suspends until it is taken.
func verify<Value, Format>(
  _ value: () async throws -> Value, as strategy: Snapshotting<Value, Format>, in assertion: Assertion,
  on clock: some Clock<Duration> = ContinuousClock(), isolation: isolated (any Actor)? = #isolation
) async -> AssertionOutcome {
  do {
    let verification = try Verification(assertion, strategy)
    let format = try await take(
      try await value(), as: strategy, verification.context, log: verification.log, timeout: assertion.timeout,
      on: clock)
    return try verification.outcome(of: format)
  } catch {
    return AssertionOutcome(error)
  }
}

/// Verifies a snapshot in the same steps, and blocks until it is taken.
func verifyBlocking<Value, Format>(
  _ value: () throws -> Value, as strategy: Snapshotting<Value, Format>, in assertion: Assertion
) -> AssertionOutcome {
  do {
    let verification = try Verification(assertion, strategy)
    let format = try takeBlocking(
      try value(), as: strategy, verification.context, log: verification.log, timeout: assertion.timeout)
    return try verification.outcome(of: format)
  } catch {
    return AssertionOutcome(error)
  }
}

/// The steps of an assertion with a reference file before and after its snapshot.
private struct Verification<Format> {
  private let assertion: Assertion
  private let diffing: Diffing<Format>
  private let configuration: SnapshotTestingConfiguration
  private let record: SnapshotTestingConfiguration.Record
  private let path: String
  /// Another assertion of the test that uses the reference.
  private let sharing: AssertionSite?
  private let reference: Data?
  let log = SnapshotLog()

  /// Chooses the reference, and reads it.
  init<Value>(_ assertion: Assertion, _ strategy: Snapshotting<Value, Format>) throws(SnapshotError) {
    (self.assertion, diffing) = (assertion, strategy.diffing)
    (configuration, record) = try assertion.settings()

    let (test, site, function) = (assertion.test, assertion.site, assertion.testName)
    let folder = referenceFolder(assertion.snapshotDirectory, configuration.snapshotDirectory, of: site)
    let arguments = assertion.name == nil ? try test.arguments(in: function) : nil
    let id = test.id(of: function, at: site)
    var name = assertion.name
    if name == nil {
      let number = assertion.process.nextNumber(in: test.numberingKey(id), of: "\(folder)/\(function)")
      name = number == 1 && configuration.omitsFirstNumber == true ? nil : "\(number)"
    }
    if let prefix = strategy.namePrefix { name = name.map { "\(prefix)-\($0)" } ?? prefix }
    if let name, ReferenceNames.sanitized(name).isEmpty {
      throw SnapshotError(
        "Cannot use the name \(name.debugDescription): it has no letter, digit or `_`. Choose another name for `named`."
      )
    }
    let fileName = ReferenceNames.fileName(
      test: function, arguments: arguments, name: name, pathExtension: strategy.pathExtension)
    path = "\(folder)/\(fileName)"

    let user = ReferenceUser(test: id, arguments: (arguments ?? []).joined(separator: ", "), site: site)
    let other = assertion.process.claim(path, for: user)
    if let other, !other.isSameTest(as: user) {
      throw SnapshotError(conflictMessage(path: pathInPackage(path), other, user))
    }
    sharing = other?.site
    reference = try ReferenceFiles.read(path)
  }

  /// The connection to the strategy, which can retry until the snapshot matches an existing reference.
  var context: SnapshotContext<Format> {
    guard record != .all, let reference else { return SnapshotContext(log: log) }
    return SnapshotContext(log: log) { [diffing, configuration] format in
      do { return try difference(from: reference, to: format, by: diffing, configuration) == nil } catch {
        return false
      }
    }
  }

  /// Compares a snapshot, records it or leaves it pending, and reports.
  func outcome(of format: Format) throws(SnapshotError) -> AssertionOutcome {
    var outcome = AssertionOutcome(log.entries)
    guard outcome.failure == nil else {
      let artifacts = save(nil, outcome.attachments, &outcome)
      outcome.failure = [outcome.failure, artifactList(artifacts)].compactMap(\.self).joined(separator: "\n\n")
      return outcome
    }
    if let problem = withPrecision(of: configuration, { diffing.problem(format) }) { throw SnapshotError(problem) }
    outcome.warnings += diffing.warnings(format)
    if let sharing { outcome.warnings.append(sharedWarning(path: pathInPackage(path), sharing, assertion.site)) }

    // Compare.
    let data = diffing.toData(format)
    var change: (text: String, attachments: [SnapshotAttachment])?
    if let reference, reference != data {
      do {
        change = try difference(from: reference, to: format, by: diffing, configuration)
        if change != nil, reference.starts(with: "version https://git-lfs.github.com/spec/".utf8) {
          throw SnapshotError("It is a pointer of Git LFS. Run `git lfs pull`, also in CI, and run the test again.")
        }
      } catch  where record != .all {
        throw SnapshotError("Cannot read the reference \(pathInPackage(path)). \(error)")
      } catch {}
    }
    if reference != nil, change == nil, record != .all {
      let use = assertion.process.noteMatch(of: path)
      if use.isRecorded { outcome.warnings.append(recordedWarning(path: path)) }
      if !use.isPending { PendingRecorder.shared.remove(path, ofSource: assertion.site.filePath.description) }
      return outcome.failing(onWarnings: configuration.failsOnWarnings)
    }

    // Record, or leave a pending snapshot.
    let records = record == .all || record == .failed || (record == .missing && reference == nil)
    if record != .never {
      try checkSource(of: assertion.site)
      guard assertion.process.noteChange(of: path, to: data, isRecorded: records) else {
        throw SnapshotError(repeatedMessage(path: pathInPackage(path), change?.text))
      }
    }
    if records {
      if reference == nil, let twin = ReferenceFiles.nameInOtherCase(of: path) {
        outcome.warnings.append(caseWarning(path: pathInPackage(path), twin: twin))
      }
      try ReferenceFiles.replace(path, with: data)
      PendingRecorder.shared.remove(path, ofSource: assertion.site.filePath.description)
    } else if record != .never {
      let settings = withPrecision(of: configuration) { diffing.settings }
      let pending = assertion.pending(of: path, over: reference, comparison: settings)
      outcome.pendingKey = outcome.warning(or: nil, "Cannot leave a pending snapshot") { () throws(SnapshotError) in
        try PendingRecorder.shared.leave(pending, data) ? path : nil
      }
    }
    let isPending = outcome.pendingKey != nil

    // Report.
    if record == .all {
      outcome.failure = recordingMessage(path: path, test: assertion.testName)
    } else if reference == nil {
      outcome.failure = missingMessage(
        path: path, test: assertion.testName, isRecorded: records, isPending: isPending)
    } else {
      outcome.attachments += change?.attachments ?? []
      let artifacts = save(data, outcome.attachments, &outcome)
      outcome.failure = mismatchMessage(
        name: assertion.name, path: pathInPackage(path), difference: change?.text ?? "",
        tool: artifacts.first.flatMap { configuration.diffTool?(currentFilePath: path, failedFilePath: $0) },
        artifacts: Array(artifacts.dropFirst()), test: assertion.testName, isRecorded: records, isPending: isPending)
    }
    let fileName = (path as NSString).lastPathComponent
    let files =
      record == .all || reference == nil ? [("", data)] : [("reference-", reference ?? data), ("failure-", data)]
    outcome.attachments = files.map { SnapshotAttachment(data: $1, name: $0 + fileName) } + outcome.attachments
    return outcome
  }

  /// Saves a snapshot that differs, and its attachments, for a look at them after the run.
  ///
  /// - Returns: The paths, first that of the snapshot.
  private func save(
    _ snapshot: Data?, _ attachments: [SnapshotAttachment], _ outcome: inout AssertionOutcome
  ) -> [String] {
    outcome.warning(or: [], "Cannot save the artifacts of the failure") { () throws(SnapshotError) in
      try Artifacts.write(snapshot, attachments, for: path, at: assertion.site)
    }
  }
}

private func difference<Format>(
  from reference: Data, to format: Format, by diffing: Diffing<Format>, _ configuration: SnapshotTestingConfiguration
) throws -> (text: String, attachments: [SnapshotAttachment])? {
  try withPrecision(of: configuration) { diffing.diff(try diffing.fromData(reference), format) }
}

/// Sets the precision of strategies that set none.
private func withPrecision<Result>(
  of configuration: SnapshotTestingConfiguration, _ operation: () throws -> Result
) rethrows -> Result {
  try SnapshotPrecision.$precision.withValue(configuration.precision) {
    try SnapshotPrecision.$perceptualPrecision.withValue(configuration.perceptualPrecision, operation: operation)
  }
}

/// Returns the folder of an assertion's references.
///
/// An assertion names the folder itself. A configuration names the folder that has a folder for each test file.
private func referenceFolder(_ own: String?, _ configured: String?, of site: AssertionSite) -> String {
  let file = site.filePath.description
  let (beside, base) = (ReferenceFiles.folder(of: file), ReferenceNames.baseName(of: file))
  guard let folder = own ?? configured.map({ "\($0)/\(base)" }) else { return "\(beside)/__Snapshots__/\(base)" }
  let path = folder.hasPrefix("/") ? folder : "\(ProjectRoot.package(containing: beside))/\(folder)"
  return (path as NSString).standardizingPath
}

/// - Throws: ``SnapshotError`` if the sources were moved after the build, so that a recording would create a
///   second tree.
private func checkSource(of site: AssertionSite) throws(SnapshotError) {
  guard access(site.filePath.description, F_OK) != 0 else { return }
  throw SnapshotError(
    """
    Cannot record the snapshot: the source file \(site.filePath) does not exist. If the sources were moved, \
    build the tests again. A helper passes `file: StaticString = #filePath`, not `#file`.
    """)
}
