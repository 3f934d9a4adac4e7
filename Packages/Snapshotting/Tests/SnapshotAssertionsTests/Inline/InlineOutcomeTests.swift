import ParallelTesting
import TestSupport
import Testing

@testable import SnapshotAssertions

@Suite("What an inline assertion does")
struct InlineOutcomeTests {
  private func outcome(
    of value: String?, expected: String?, record: SnapshotTestingConfiguration.Record, written: Log<String> = Log()
  ) -> AssertionOutcome {
    inlineOutcome(
      of: { value }, as: .lines, record: record, timeout: .seconds(5), expected: expected, testName: "test()",
      test: .made()
    ) { text, _ in
      written.append(text)
    }
  }

  @Test(
    "by mode and by what there is",
    arguments: [
      ("a", "a", .missing, nil, 0), ("a", nil, .missing, "Automatically recorded", 1),
      ("a", "b", .missing, "Snapshot did not match. Difference", 0),
      ("a", "b", .failed, "A new snapshot was automatically recorded", 1),
      ("a", nil, .never, "recording is disabled", 0),
      ("a", "a", .all, "Automatically recorded", 1), (nil, nil, .missing, nil, 0),
      (nil, "a", .missing, "the value is nil", 0),
    ] as [(String?, String?, SnapshotTestingConfiguration.Record, String?, Int)])
  func table(
    value: String?, expected: String?, record: SnapshotTestingConfiguration.Record, failure: String?, writes: Int
  ) {
    let written = Log<String>()
    let outcome = outcome(of: value, expected: expected, record: record, written: written)
    if let failure { #expect(outcome.failure?.contains(failure) == true) } else { #expect(outcome.failure == nil) }
    #expect(written.count == writes)
  }

  @Test("one that is there and matches passes")
  func passes() {
    assertInlineSnapshot(of: [1, 2], as: .readable, record: .never) {
      """
      [
        1,
        2
      ]
      """
    }
  }

  @Test("a failure begins with what its author says, and only a failure asks for that")
  func message() {
    let failing = outcome(of: "a", expected: "b", record: .never).saying { "Birds" }
    #expect(failing.failure?.hasPrefix("Birds\n\nSnapshot did not match.") == true)
    let asked = Log<Bool>()
    let passing = outcome(of: "a", expected: "a", record: .never).saying {
      asked.append(true)
      return "Birds"
    }
    #expect(passing.failure == nil && asked.count == 0)
  }

  @Test("what a strategy has to tell arrives, and it can ask what the closure has")
  func context() {
    let asked = Log<Bool?>()
    let strategy = Snapshotting<String, String>(pathExtension: nil, diffing: .lines) { text, context in
      asked.append(context.matchesReference?(text))
      context.warn("odd")
      if text == "bad" { context.fail("no good") }
      return Parallel(value: text)
    }
    func outcome(of text: String, _ expected: String?) -> AssertionOutcome {
      inlineOutcome(
        of: { text }, as: strategy, record: .never, timeout: .seconds(5), expected: expected, testName: "test()",
        test: .made()
      ) { _, _ in }
    }
    #expect(outcome(of: "bad", "bad").failure == "no good")
    #expect(outcome(of: "a", "a").warnings == ["odd"])
    _ = outcome(of: "a", nil)
    #expect(asked.all == [true, true, nil])
  }

  @Test("a value that throws is a failure")
  func throwing() {
    let outcome = inlineOutcome(
      of: { () throws -> String? in throw CancellationError() }, as: .lines, record: .all, timeout: .seconds(5),
      expected: nil, testName: "test()", test: .made()
    ) { _, _ in Issue.record("written") }
    #expect(outcome.failure?.contains("CancellationError") == true)
  }

  @Test("the asynchronous form waits for what is there later, on the main actor too")
  @MainActor func awaited() async {
    let later = SimplySnapshotting.lines.asyncPullback { (text: String) in
      Parallel<String> { await MainActor.run { text } }
    }
    await expectInlineSnapshot(of: "a", as: later, record: .never, timeout: 600) { "a" }
    let written = Log<[String?]>()
    let outcome = await inlineOutcome(
      of: { "a" }, as: later, record: .failed, timeout: .seconds(600), on: ContinuousClock(), expected: "b",
      testName: "test()", test: .made()
    ) { written.append([$0, $1]) }
    #expect(outcome.failure?.hasPrefix("Snapshot did not match. A new snapshot was") == true)
    #expect(written.all == [["a", "b"]])
  }

  @Test("and ends when time is up")
  func timeout() async throws {
    let clock = ManualClock()
    let never = SimplySnapshotting.lines.asyncPullback { (_: String) in Parallel<String> { _ in } }
    async let outcome = inlineOutcome(
      of: { "a" }, as: never, record: .all, timeout: .seconds(3), on: clock, expected: nil, testName: "test()",
      test: .made()
    ) { _, _ in Issue.record("written") }
    try await clock.advanceToNextSleep()
    #expect(await outcome.failure?.hasPrefix("Exceeded timeout of 3 seconds") == true)
  }

  @Test("a case of a parameterised test does not replace the text that its cases share")
  func cases() {
    let outcome = inlineOutcome(
      of: { "b\nc" }, as: .lines, record: .failed, timeout: .seconds(5), expected: "a\nc", testName: "test(_:)",
      test: .made(arguments: .known("b"))
    ) { _, _ in Issue.record("written") }
    #expect(outcome.failure?.hasPrefix("Cannot record the inline snapshot: the cases of \"test(_:)\" share it") == true)
    #expect(outcome.failure?.contains("+b") == true)
  }
}
