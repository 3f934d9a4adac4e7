internal import Foundation
internal import Parallel
internal import Snapshotting
internal import SnapshotStore

func verifyInline<Value>(
  _ value: () throws -> Value?, as strategy: Snapshotting<Value, String>, in assertion: Assertion, expected: String?,
  closure: InlineCall.Closure? = nil, write: (_ text: String, _ expected: String?) throws(SnapshotError) -> Void
) -> AssertionOutcome {
  do throws(SnapshotError) {
    let verification = try InlineVerification<Value>(assertion, strategy.diffing, expected, closure)
    guard let value = try evaluate(value) else { return verification.outcomeOfNil }
    let text = try take(
      value, as: strategy, verification.context, log: verification.log, timeout: assertion.timeout)
    return verification.outcome(of: text, write: write)
  } catch {
    return AssertionOutcome(failure: error.description)
  }
}

func verifyInline<Value>(
  _ value: () async throws -> Value?, as strategy: Snapshotting<Value, String>, in assertion: Assertion,
  expected: String?, closure: InlineCall.Closure? = nil, on clock: some Clock<Duration>,
  isolation: isolated (any Actor)? = #isolation,
  write: (_ text: String, _ expected: String?) throws(SnapshotError) -> Void
) async -> AssertionOutcome {
  do throws(SnapshotError) {
    let verification = try InlineVerification<Value>(assertion, strategy.diffing, expected, closure)
    guard let value = try await evaluate(value) else { return verification.outcomeOfNil }
    let text = try await take(
      value, as: strategy, verification.context, log: verification.log, timeout: assertion.timeout, on: clock)
    return verification.outcome(of: text, write: write)
  } catch {
    return AssertionOutcome(failure: error.description)
  }
}

private struct InlineVerification<Value> {
  private let assertion: Assertion
  private let diffing: Diffing<String>
  private let record: ChosenRecord
  private let expected: String?
  private let closure: InlineCall.Closure?
  let log = SnapshotLog()

  init(
    _ assertion: Assertion, _ diffing: Diffing<String>, _ expected: String?, _ closure: InlineCall.Closure?
  ) throws(SnapshotError) {
    self.assertion = assertion
    self.diffing = diffing
    self.expected = expected
    self.closure = closure
    record = try ChosenRecord(assertion.record)
  }

  var context: SnapshotContext<String> {
    let matches = expected.map { [diffing] expected in
      { @Sendable (text: String) in diffing.diff(expected, text) == nil }
    }
    return SnapshotContext(log: log, matchesReference: matches)
  }

  var outcomeOfNil: AssertionOutcome {
    guard expected != nil else { return AssertionOutcome() }
    return AssertionOutcome(
      failure: "Cannot compare the inline snapshot: the value is nil. Remove the closure, or find out why it is nil.")
  }

  func outcome(
    of text: String, write: (_ text: String, _ expected: String?) throws(SnapshotError) -> Void
  ) -> AssertionOutcome {
    var outcome = AssertionOutcome(log.entries)
    guard outcome.failure == nil else { return outcome }
    let difference = expected.flatMap { diffing.diff($0, text) }
    let state: ReferenceState = expected == nil ? .absent : difference == nil ? .matches : .differs
    let obstacle = obstacle(state, text)
    let decision = ReferenceDecision(record.mode, state)
    guard let failure = decision.failure else {
      PendingSnapshotRecorder.shared.remove(nil, at: assertion.site)
      return outcome
    }
    let isPending = decision.leavesPending && obstacle == nil && leavePending(text, &outcome)
    let rerun = assertion.rerun(record, isPending: isPending)
    do throws(SnapshotError) {
      if decision.writes {
        if let obstacle {
          throw SnapshotError(
            "Cannot record the inline snapshot: \(obstacle) Difference: …\n\n\(bounded(difference?.0 ?? text))")
        }
        try write(text, expected)
      }
      outcome.failure = message(failure, obstacle, rerun, writes: decision.writes, shown: difference?.0 ?? text)
      outcome.attachments = difference?.1 ?? []
    } catch {
      outcome.failure = error.description
    }
    return outcome
  }

  private func leavePending(_ text: String, _ outcome: inout AssertionOutcome) -> Bool {
    guard let closure else { return false }
    return outcome.leavePending { () throws(SnapshotError) in
      try PendingSnapshotRecorder.shared.leave(
        text, over: expected, in: closure, at: assertion.site, test: assertion.testName,
        suites: assertion.test.suites(), strategy: Snapshotting<Value, String>.self)
    }
  }

  /// The reason why the snapshot cannot be recorded, and the solution; `nil` if it can be.
  ///
  /// The cases of a test and the runs of a loop share one text, so each of them would replace the text of the others.
  private func obstacle(_ state: ReferenceState, _ text: String) -> String? {
    let isRepeated = InlineSources.shared.isRepeated(closure, of: assertion.site, with: text)
    if state == .differs, assertion.test.arguments != .none {
      return """
        the cases of "\(assertion.testName)" share it, and this case differs. Remove the closure and run the test again if \
        all cases have the same new snapshot, or write one assertion for each case.
        """
    }
    return isRepeated
      ? "this assertion ran more than once, with different texts. Write one assertion for each text." : nil
  }

  private func message(
    _ failure: ReferenceDecision.Failure, _ obstacle: String?, _ rerun: Rerun, writes: Bool, shown: String
  ) -> String {
    switch (failure, writes) {
    case (.recording, _), (.absent, true):
      """
      Automatically recorded a new snapshot in the source. Run the test again to assert against it.

      \(bounded(shown))
      """
    case (.absent, false):
      "No inline snapshot was found, and recording is disabled. The new snapshot is:\n\n\(bounded(shown))"
    case (.differs, true):
      """
      Snapshot did not match. A new snapshot was automatically recorded in the source. Difference: …

      \(bounded(shown))
      """
    case (.differs, false):
      """
      Snapshot did not match. Difference: …

      \(bounded(shown))

      \(obstacle.map { "The new snapshot cannot be recorded: \($0)" }
        ?? "If the new snapshot is correct, \(rerun.recording(.failed))")
      """
    }
  }
}
