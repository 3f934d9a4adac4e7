import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

/// The assertions record into a writer that never writes, so the calls in this file stay.
@Suite("Inline assertions")
struct InlineTests {
  private let writer = InlineWriter(linked: .distantFuture)

  private func outcome(
    of value: @autoclosure () throws -> String?, as strategy: Snapshotting<String, String> = .lines,
    record: SnapshotTestingConfiguration.Record = .missing, in test: CurrentTest = .made(), line: UInt = #line,
    column: UInt = #column, leaves: Bool = false, process: TestProcess = TestProcess(),
    matches expected: (() -> String)? = nil
  ) -> AssertionOutcome {
    let assertion = Assertion.made(record: record, test: test, line: line, column: column, process: process)
    // No reviewer waits for the snapshots of this file.
    defer { if !leaves { PendingRecorder.shared.remove("\(#filePath):\(line):\(column):0", ofSource: #filePath) } }
    return verifyInlineBlocking(value, as: strategy, in: assertion, expected: expected?(), writer: writer)
  }

  @Test("the mode and the closure decide about recording and failing")
  func modes() {
    func expect(_ outcome: AssertionOutcome, _ prefix: String?, at line: Int = #line) {
      if let prefix {
        #expect(outcome.failure?.hasPrefix(prefix) == true, "line \(line): \(outcome.failure ?? "passes")")
      } else {
        #expect(outcome.failure == nil, "line \(line)")
      }
    }
    expect(outcome(of: "a") { "a" }, nil)
    expect(outcome(of: "a"), "Automatically recorded")
    expect(outcome(of: "a") { "b" }, "If the new snapshot is correct")
    expect(
      outcome(of: "a", record: .failed) { "b" }, "Snapshot did not match. A new snapshot was automatically recorded")
    expect(
      outcome(of: "a", record: .never),
      "No inline snapshot was found. New snapshot was not recorded because recording is disabled")
    expect(outcome(of: "a", record: .all) { "a" }, "Automatically recorded")
    expect(outcome(of: nil), nil)
    expect(outcome(of: nil) { "a" }, "Cannot compare the inline snapshot: the value is nil")
    expect(outcome(of: try { throw CancellationError() }(), record: .all), "Cannot take the snapshot: the value threw")
  }

  @Test("the difference is last")
  func differenceLast() throws {
    let failure = try #require(outcome(of: "a") { "b" }.failure)
    #expect(failure.hasSuffix("Snapshot did not match. Difference: …\n\n  @@ \u{2212}1,1 +1,1 @@\n  \u{2212}b\n  +a"))
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
    let failing = outcome(of: "a", record: .never) { "b" }.prefixed { "Birds" }
    #expect(failing.failure?.hasPrefix("Birds\n\nIf the new snapshot is correct") == true)
    let asked = Log<Bool>()
    let passing = outcome(of: "a") { "a" }.prefixed {
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
    #expect(outcome(of: "bad", as: strategy) { "bad" }.failure == "no good")
    #expect(outcome(of: "a", as: strategy) { "a" }.warnings == ["odd"])
    let strict = withSnapshotTesting(SnapshotTestingConfiguration(failsOnWarnings: true)) {
      outcome(of: "a", as: strategy) { "a" }
    }
    #expect(strict.failure == "odd" && strict.warnings.isEmpty)
    _ = outcome(of: "a", as: strategy, record: .never)
    #expect(asked.all == [true, true, true, nil])
  }

  @Test("on the main actor, the asynchronous form waits for a strategy that needs the main actor")
  @MainActor func awaited() async {
    let later = SimplySnapshotting.lines.asyncPullback { (text: String) in
      Parallel<String> { await MainActor.run { text } }
    }
    await expectInlineSnapshot(of: "a", as: later, record: .never, timeout: 600) { "a" }
  }

  @Test("the asynchronous form ends at its timeout")
  func timeout() async throws {
    let clock = ManualClock()
    let never = SimplySnapshotting.lines.asyncPullback { (_: String) in Parallel<String> { _ in } }
    async let outcome = verifyInline(
      { "a" }, as: never, in: .made(record: .all, timeout: 3), expected: nil, on: clock, writer: writer)
    try await clock.advanceToNextSleep()
    #expect(await outcome.failure?.hasPrefix("Exceeded timeout of 3 seconds") == true)
  }

  @Test(
    "an assertion in a loop with different texts is neither recorded nor left pending, and advises",
    arguments: [SnapshotTestingConfiguration.Record.missing, .failed, .all, .pending])
  func loop(record: SnapshotTestingConfiguration.Record) throws {
    let process = TestProcess()
    var isRepeated = false
    for text in ["a", "b", "a"] {
      let failure = try #require(outcome(of: text, record: record, line: 5, column: 3, process: process).failure)
      if isRepeated { #expect(failure.contains("ran more than once, with different texts")) }
      isRepeated = true
    }
    #expect(writer.edits.values.joined().isEmpty)
  }

  @Test("a source that was modified after the build is not recorded")
  func modified() {
    let outcome = verifyInlineBlocking(
      { "a" }, as: .lines, in: .made(record: .missing), expected: nil, writer: InlineWriter(linked: .distantPast))
    #expect(outcome.failure?.contains("InlineTests.swift: the source was modified after the tests were built") == true)
  }

  @Test("a failure leaves a pending snapshot with its place and its test, and a later success removes it")
  func pending() throws {
    let store = InlineSource.store(of: "\(#filePath)")
    let line: UInt = #line + 2
    func assertion(_ record: SnapshotTestingConfiguration.Record, _ text: String) -> String? {
      outcome(of: text, record: record, leaves: true) { "old" }.failure
    }
    func left() -> PendingSnapshot? {
      store.contents().snapshots.first { $0.source.file.hasSuffix("InlineTests.swift") && $0.source.line == line }
    }
    #expect(assertion(.missing, "new")?.contains("accept it with `swift run snapshots review`.") == true)
    let snapshot = try #require(left())
    #expect(snapshot.inline?.expected == "old" && snapshot.suites == ["Suite"] && snapshot.reference == nil)
    #expect(try store.data(of: snapshot) == Data("new".utf8))
    #expect(assertion(.missing, "old") == nil && left() == nil)
    let elsewhere = outcome(of: "new", record: .pending, line: 3, column: 7) { "old" }
    #expect(
      elsewhere.pendingKey == nil && elsewhere.warnings.first?.contains("Cannot leave a pending snapshot") == true)
  }
}

extension Assertion {
  fileprivate static func made(
    record: SnapshotTestingConfiguration.Record, timeout: TimeInterval = 5, test: CurrentTest = .made(),
    line: UInt = #line, column: UInt = #column, process: TestProcess = TestProcess()
  ) -> Assertion {
    Assertion(
      record: record, timeout: timeout, testName: "test()",
      site: AssertionSite(fileID: "T/T.swift", filePath: #filePath, line: line, column: column), test: test,
      process: process)
  }
}
