internal import Parallel
internal import Snapshotting

/// One inline assertion, in the parts that its synchronous and its asynchronous form have in common.
struct InlineAssertion<Value> {
  private let strategy: Snapshotting<Value, String>
  private let record: ChosenRecord
  private let expected: String?
  private let test: RunningTest
  private let testName: String
  let log = SnapshotLog()

  /// - Throws: ``AssertionError`` when the environment asks for a mode that there is not.
  init(
    _ strategy: Snapshotting<Value, String>, record: SnapshotTestingConfiguration.Record?, expected: String?,
    testName: String, test: RunningTest
  ) throws(AssertionError) {
    self.test = test
    self.testName = testName
    self.strategy = strategy
    self.record = try ChosenRecord(record, in: test)
    self.expected = expected
  }

  /// Starts to take the snapshot.
  func start(_ value: Value, _ arrival: Arrival<String>) {
    let matches = expected.map { [diffing = strategy.diffing] expected in
      { @Sendable (text: String) in diffing.diff(expected, text) == nil }
    }
    strategy.capture(value, SnapshotContext(log: log, matchesReference: matches)).run { arrival.arrive($0) }
  }

  /// What comes of a value that is `nil`.
  func finishWithoutValue() -> AssertionOutcome {
    guard expected != nil else { return AssertionOutcome() }
    return AssertionOutcome(
      failure: "Cannot compare the inline snapshot: the value is nil. Remove the closure, or find out why it is nil.")
  }

  /// Decides about a snapshot that was taken.
  ///
  /// - Parameter write: Puts a text into the source, over the one that is expected.
  func finish(
    _ text: String, write: (_ text: String, _ expected: String?) throws(AssertionError) -> Void
  ) -> AssertionOutcome {
    var outcome = AssertionOutcome()
    guard outcome.take(log.entries) else { return outcome }
    let difference = expected.flatMap { strategy.diffing.diff($0, text) }
    let state: ReferenceState = expected == nil ? .absent : difference == nil ? .matches : .differs
    let decision = ReferenceDecision(record.mode, state)
    guard let failure = decision.failure else { return outcome }
    do throws(AssertionError) {
      if decision.writes { try checkCases(state, difference?.0) }
      if decision.writes { try write(text, expected) }
      outcome.failure = message(failure, writes: decision.writes, shown: difference?.0 ?? text)
      outcome.attachments = difference?.1 ?? []
    } catch {
      outcome.failure = error.description
    }
    return outcome
  }

  /// The cases of a test share one text, so each of them would replace the text of the others.
  private func checkCases(_ state: ReferenceState, _ difference: String?) throws(AssertionError) {
    guard state == .differs, test.arguments != .none else { return }
    throw AssertionError(
      """
      Cannot record the inline snapshot: the cases of "\(testName)" share it, and this case differs. Remove the closure and \
      run the test again if all cases have the same new snapshot, or write one assertion for each case. Difference: …

      \(bounded(difference ?? ""))
      """)
  }

  private func message(_ failure: ReferenceDecision.Failure, writes: Bool, shown: String) -> String {
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

      If the new snapshot is correct, \(Rerun(testName: testName, filter: test.filter(), record: record).recording(.failed))
      """
    }
  }
}

/// Makes a synchronous inline assertion.
func inlineOutcome<Value>(
  of value: () throws -> Value?, as strategy: Snapshotting<Value, String>,
  record: SnapshotTestingConfiguration.Record?, timeout: Duration, expected: String?, testName: String,
  test: RunningTest,
  write: (_ text: String, _ expected: String?) throws(AssertionError) -> Void
) -> AssertionOutcome {
  do {
    let assertion = try InlineAssertion(strategy, record: record, expected: expected, testName: testName, test: test)
    let taken: Value?
    do { taken = try value() } catch {
      throw AssertionError("Cannot take the snapshot: the value threw an error: \(error)")
    }
    guard let taken else { return assertion.finishWithoutValue() }
    let arrival = Arrival<String>()
    startBeforeBlocking { assertion.start(taken, arrival) }
    let text = try wait(
      for: arrival, strategy: "\(Snapshotting<Value, String>.self)", timeout: timeout,
      log: assertion.log)
    return assertion.finish(text, write: write)
  } catch {
    return AssertionOutcome(failure: "\(error)")
  }
}

/// Makes an asynchronous inline assertion.
func inlineOutcome<Value, C: Clock>(
  of value: () async throws -> Value?, as strategy: Snapshotting<Value, String>,
  record: SnapshotTestingConfiguration.Record?, timeout: Duration, on clock: C, expected: String?, testName: String,
  test: RunningTest,
  isolation: isolated (any Actor)? = #isolation,
  write: (_ text: String, _ expected: String?) throws(AssertionError) -> Void
) async -> AssertionOutcome where C.Duration == Duration {
  do {
    let assertion = try InlineAssertion(strategy, record: record, expected: expected, testName: testName, test: test)
    let taken: Value?
    do { taken = try await value() } catch {
      throw AssertionError("Cannot take the snapshot: the value threw an error: \(error)")
    }
    guard let taken else { return assertion.finishWithoutValue() }
    let arrival = Arrival<String>()
    assertion.start(taken, arrival)
    let text = try await wait(
      for: arrival, strategy: "\(Snapshotting<Value, String>.self)", timeout: timeout,
      log: assertion.log, on: clock)
    return assertion.finish(text, write: write)
  } catch {
    return AssertionOutcome(failure: "\(error)")
  }
}

extension AssertionOutcome {
  /// With what the author of the assertion has to say, before what went wrong.
  func saying(_ message: () -> String) -> AssertionOutcome {
    guard let failure else { return self }
    let message = message()
    guard !message.isEmpty else { return self }
    var outcome = self
    outcome.failure = "\(message)\n\n\(failure)"
    return outcome
  }
}
