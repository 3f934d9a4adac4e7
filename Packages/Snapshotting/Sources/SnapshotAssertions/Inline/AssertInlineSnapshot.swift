public import Foundation
public import Snapshotting

/// Asserts that a value looks as the text in the closure says, and writes that closure when it is not there.
///
/// ```swift
/// assertInlineSnapshot(of: User(name: "Blobby"), as: .readable) {
///   """
///   User(name: "Blobby")
///   """
/// }
/// ```
///
/// Without a closure the first run writes one into the source, and fails to say so. Which texts are written later is said
/// as for references in files. Only the closure changes, and only when the source is the one that was compiled.
///
/// - Parameters:
///   - value: Called once, at once; `nil` has no snapshot, and matches where there is no closure.
///   - snapshotting: How it is shown and compared.
///   - message: Said first when it fails.
///   - record: Which snapshots are written; see ``SnapshotTestingConfiguration/Record``.
///   - timeout: How many seconds the snapshot may take.
///   - syntaxDescriptor: Which closure it is, for helpers with closures of their own.
///   - expected: The text; one string literal.
///   - fileID: The file of the assertion, with its module.
///   - filePath: The file of the assertion.
///   - function: The function of the test.
///   - line: The line of the assertion.
///   - column: The column of the assertion.
public func assertInlineSnapshot<Value>(
  of value: @autoclosure () throws -> Value?,
  as snapshotting: Snapshotting<Value, String>,
  message: @autoclosure () -> String = "",
  record: SnapshotTestingConfiguration.Record? = nil,
  timeout: TimeInterval = 5,
  syntaxDescriptor: InlineSnapshotSyntaxDescriptor = InlineSnapshotSyntaxDescriptor(),
  matches expected: (() -> String)? = nil,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  function: StaticString = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  let site = AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let test = currentTest()
  var outcome = inlineOutcome(
    of: value, as: snapshotting, record: record, timeout: timeout, expected: expected?(), test: test
  ) { text, expected throws(AssertionError) in
    try InlineSources.shared.record(
      text, over: expected, in: filePath.description, line: line, column: column, function: function.description,
      descriptor: syntaxDescriptor)
  }
  let prefix = outcome.failure == nil ? "" : message()
  if !prefix.isEmpty { outcome.failure = outcome.failure.map { "\(prefix)\n\n\($0)" } }
  report(outcome, at: site, to: test.runner)
}

/// Makes an inline assertion; `write` puts a text into the source.
func inlineOutcome<Value>(
  of value: () throws -> Value?, as strategy: Snapshotting<Value, String>,
  record: SnapshotTestingConfiguration.Record?, timeout: TimeInterval, expected: String?, test: RunningTest,
  write: (_ text: String, _ expected: String?) throws(AssertionError) -> Void
) -> AssertionOutcome {
  var outcome = AssertionOutcome()
  do throws(AssertionError) {
    let mode = try chosenRecord(record, in: test)
    let log = SnapshotLog()
    guard let text = try inlineText(of: value, as: strategy, timeout: timeout, log: log, &outcome) else {
      if expected != nil && outcome.failure == nil {
        outcome.failure =
          "There is no value, so there is no snapshot; the closure has one. Remove the closure, or find out why."
      }
      return outcome
    }
    let difference = expected.flatMap { strategy.diffing.diff($0, text) }
    let state: ReferenceState = expected == nil ? .absent : difference == nil ? .matches : .differs
    let decision = ReferenceDecision(mode.mode, state)
    guard let failure = decision.failure else { return outcome }
    if decision.writes { try write(text, expected) }
    outcome.failure = inlineMessage(failure, writes: decision.writes, text: text, difference: difference?.0)
    outcome.attachments = difference?.1 ?? []
  } catch {
    outcome.failure = error.description
  }
  return outcome
}

private func inlineText<Value>(
  of value: () throws -> Value?, as strategy: Snapshotting<Value, String>, timeout: TimeInterval, log: SnapshotLog,
  _ outcome: inout AssertionOutcome
) throws(AssertionError) -> String? {
  let taken: Value?
  do { taken = try value() } catch { throw AssertionError("There is no value to take a snapshot of: \(error)") }
  guard let taken else { return nil }
  let arrival = Arrival<String>()
  strategy.capture(taken, SnapshotContext(log: log)).run { arrival.arrive($0) }
  let text = try wait(
    for: arrival, strategy: "\(Snapshotting<Value, String>.self)", timeout: Duration(timeout: timeout), log: log)
  outcome.warnings = log.entries.filter { $0.kind == .warning }.map(\.message)
  let failures = log.entries.filter { $0.kind == .failure }
  guard failures.isEmpty else { throw AssertionError(failures.map(\.message).joined(separator: "\n\n")) }
  return text
}

private func inlineMessage(
  _ failure: ReferenceDecision.Failure, writes: Bool, text: String, difference: String?
) -> String {
  let shown = difference ?? text
  switch (failure, writes) {
  case (.recording, _), (.absent, true):
    return "Automatically recorded a new snapshot in the source. Run the test again to assert against it.\n\n\(shown)"
  case (.absent, false):
    return "There is no inline snapshot, and recording is disabled. It would be:\n\n\(shown)"
  case (.differs, true):
    return "Snapshot did not match. A new snapshot was automatically recorded in the source. Difference: …\n\n\(shown)"
  case (.differs, false):
    return
      "Snapshot did not match. Difference: …\n\n\(shown)\n\nIf this is what it should be, run the test with SNAPSHOT_TESTING_RECORD=failed."
  }
}
