import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("The outcome of inline assertions")
struct InlineOutcomeTests {
  private func outcome(
    of value: String?, expected: String?, record: SnapshotTestingConfiguration.Record, written: Log<String> = Log()
  ) -> AssertionOutcome {
    verifyInline({ value }, as: .lines, in: .made(record: record), expected: expected) { text, _ in
      written.append(text)
    }
  }

  @Test(
    "the mode and the closure decide about recording and failing",
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

  @Test("a snapshot that matches the closure passes")
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

  @Test("a failure begins with the message, which is evaluated only for a failure")
  func message() {
    let failing = outcome(of: "a", expected: "b", record: .never).prefixed { "Birds" }
    #expect(failing.failure?.hasPrefix("Birds\n\nSnapshot did not match.") == true)
    let asked = Log<Bool>()
    let passing = outcome(of: "a", expected: "a", record: .never).prefixed {
      asked.append(true)
      return "Birds"
    }
    #expect(passing.failure == nil && asked.count == 0)
  }

  @Test("a strategy reports failures and warnings, and compares with the text in the closure")
  func context() {
    let asked = Log<Bool?>()
    let strategy = Snapshotting<String, String>(pathExtension: nil, diffing: .lines) { text, context in
      asked.append(context.matchesReference?(text))
      context.warn("odd")
      if text == "bad" { context.fail("no good") }
      return Parallel(value: text)
    }
    func outcome(of text: String, _ expected: String?) -> AssertionOutcome {
      verifyInline({ text }, as: strategy, in: .made(record: .never), expected: expected) { _, _ in }
    }
    #expect(outcome(of: "bad", "bad").failure == "no good")
    #expect(outcome(of: "a", "a").warnings == ["odd"])
    _ = outcome(of: "a", nil)
    #expect(asked.all == [true, true, nil])
  }

  @Test("a value that throws is a failure")
  func throwing() {
    let outcome = verifyInline(
      { () throws -> String? in throw CancellationError() }, as: .lines, in: .made(record: .all), expected: nil
    ) { _, _ in Issue.record("written") }
    #expect(outcome.failure?.contains("CancellationError") == true)
  }

  @Test("on the main actor, the asynchronous form waits for a strategy that needs the main actor")
  @MainActor func awaited() async {
    let later = SimplySnapshotting.lines.asyncPullback { (text: String) in
      Parallel<String> { await MainActor.run { text } }
    }
    await expectInlineSnapshot(of: "a", as: later, record: .never, timeout: 600) { "a" }
    let written = Log<[String?]>()
    let outcome = await verifyInline(
      { "a" }, as: later, in: .made(record: .failed, timeout: 600), expected: "b", on: ContinuousClock()
    ) { written.append([$0, $1]) }
    #expect(outcome.failure?.hasPrefix("Snapshot did not match. A new snapshot was") == true)
    #expect(written.all == [["a", "b"]])
  }

  @Test("the asynchronous form ends at its timeout")
  func timeout() async throws {
    let clock = ManualClock()
    let never = SimplySnapshotting.lines.asyncPullback { (_: String) in Parallel<String> { _ in } }
    async let outcome = verifyInline(
      { "a" }, as: never, in: .made(record: .all, timeout: 3), expected: nil, on: clock
    ) { _, _ in Issue.record("written") }
    try await clock.advanceToNextSleep()
    #expect(await outcome.failure?.hasPrefix("Exceeded timeout of 3 seconds") == true)
  }

  @Test("a case of a parameterised test does not replace the text that its cases share")
  func cases() {
    let assertion = Assertion.made(record: .failed, testName: "test(_:)", test: .made(arguments: .known("b")))
    let outcome = verifyInline({ "b\nc" }, as: .lines, in: assertion, expected: "a\nc") { _, _ in
      Issue.record("written")
    }
    #expect(outcome.failure?.hasPrefix("Cannot record the inline snapshot: the cases of \"test(_:)\" share it") == true)
    #expect(outcome.failure?.contains("+b") == true)
  }

  @Test(
    "the failure of a case or of a run in a loop recommends no record mode, which could not record it",
    arguments: [SnapshotTestingConfiguration.Record.never, .pending, .failed, .all])
  func hints(record: SnapshotTestingConfiguration.Record) throws {
    func failure(of text: String, in test: RunningTest, line: UInt) -> String? {
      verifyInline({ text }, as: .lines, in: .made(record: record, test: test, line: line), expected: "a") { text, _ in
        #expect(text == "a")
      }
      .failure
    }
    let line = UInt.random(in: 1...(.max))
    _ = failure(of: "a", in: .made(), line: line)
    let failures = [
      try #require(failure(of: "b", in: .made(), line: line)),
      try #require(failure(of: "b", in: .made(arguments: .known("1")), line: line - 1)),
    ]
    for failure in failures {
      #expect(failure.contains("\u{2212}a") && failure.contains("+b"))
      #expect(!failure.contains("record mode") && !failure.contains("SNAPSHOT_TESTING_RECORD"))
      #expect(!failure.contains("snapshots review"))
    }
    #expect(failures[0].contains("Write one assertion for each text"))
    #expect(failures[1].contains("write one assertion for each case"))
  }

  @Test("two closures of one call can have different texts")
  func closures() {
    let site = Assertion.made(record: .failed).site
    for (text, offset) in [("a", 0), ("b", 1), ("a", 0)] {
      let closure = InlineSnapshotSyntaxDescriptor(trailingClosureOffset: offset).closure
      #expect(!InlineSources.shared.isRepeated(closure, of: site, with: text))
    }
  }
}

extension Assertion {
  fileprivate static func made(
    record: SnapshotTestingConfiguration.Record, timeout: TimeInterval = 5, testName: String = "test()",
    test: RunningTest = .made(), line: UInt? = nil
  ) -> Assertion {
    Assertion(
      record: record, timeout: timeout, testName: testName,
      site: AssertionSite(
        fileID: "T/T.swift", filePath: "/T/T.swift", line: line ?? .random(in: 1...(.max)), column: 1), test: test)
  }
}
