import Foundation
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

@Suite("Recording and comparing")
struct RecordingTests {
  private let snapshots = SnapshotFolder()

  @Test("the first run records and fails, the next one passes, and a changed snapshot fails with the difference")
  func story() throws {
    let recorded = try #require(snapshots.failure(of: "a\nb", named: "x", line: 1))
    #expect(recorded.hasPrefix("No reference was found on disk. Automatically recorded snapshot: …\n\nopen \"file://"))
    #expect(recorded.contains("Re-run \"test()\" to assert against the newly-recorded snapshot."))
    #expect(snapshots.files == ["test.x.txt"])
    #expect(snapshots.text(of: "test.x.txt") == "a\nb")

    #expect(snapshots.failure(of: "a\nb", named: "x", line: 1) == nil)

    // A later process.
    let snapshots = SnapshotFolder()
    try snapshots.write("a\nb", to: "test.x.txt")
    let differing = try #require(snapshots.failure(of: "a\nc", named: "x", line: 1))
    #expect(differing.hasPrefix("Snapshot \"x\" does not match reference.\n\n"))
    let hint = try #require(differing.range(of: "If the new snapshot is correct, record it"))
    let change = try #require(differing.range(of: "\u{2212}b"))
    #expect(hint.upperBound < change.lowerBound && differing.hasSuffix("+c"))
    #expect(differing.contains("\(snapshots.path)/test.x.txt"))
    #expect(snapshots.text(of: "test.x.txt") == "a\nb")
  }

  @Test("mode failed records a snapshot that differs")
  func failed() throws {
    try snapshots.write("old", to: "test.a.txt")
    #expect(
      snapshots.failure(of: "new", named: "a", record: .failed)?.hasPrefix(
        "Snapshot \"a\" does not match reference. A new snapshot was automatically recorded.") == true)
    #expect(snapshots.text(of: "test.a.txt") == "new")
  }

  @Test("mode never writes nothing, and the failure explains how to record")
  func never() {
    let failure = snapshots.failure(of: "a", record: .never)
    #expect(failure?.hasPrefix("No reference was found on disk. New snapshot was not recorded because") == true)
    #expect(failure?.contains("record it: set the record mode to `missing`") == true)
    #expect(!FileManager.default.fileExists(atPath: snapshots.path))
  }

  @Test("a failure has symbols for characters that control a terminal or change the direction")
  func directions() throws {
    try snapshots.write("old", to: "directions.x-y.txt")
    let failure = verifySnapshot(
      of: "a\u{202E}b\u{1B}c", as: .lines, named: "x\u{202E}y", record: .never, snapshotDirectory: snapshots.path)
    #expect(failure?.hasPrefix("Snapshot \"x<U+202E>y\" does not match reference.\n\n") == true)
    #expect(failure?.hasSuffix("\n+a<U+202E>b␛c") == true)
  }

  @Test("a mismatch has the reference, the failed snapshot and a patch as attachments")
  func attachments() throws {
    try snapshots.write("a", to: "test.1.txt")
    let outcome = snapshots.outcome(of: "b", as: .lines)
    #expect(outcome.attachments.map(\.name) == ["reference-test.1.txt", "failure-test.1.txt", "difference.patch"])
    #expect(outcome.attachments.first.map { String(decoding: $0.data, as: UTF8.self) } == "a")
    #expect(snapshots.text(of: "test.1.txt") == "a")
  }

  @Test(
    "a recorded snapshot is an attachment with its path extension",
    arguments: [SnapshotTestingConfiguration.Record.missing, .all])
  func recordedAttachment(record: SnapshotTestingConfiguration.Record) {
    let outcome = snapshots.outcome(of: "b", as: .lines, record: record)
    #expect(outcome.attachments == [SnapshotAttachment(string: "b", name: "test.1.txt")])
  }

  @Test("a value that throws and a strategy that fails are failures, and nothing is recorded")
  func failures() {
    let thrown = snapshots.outcome(of: try { throw CancellationError() }() as String, as: .lines)
    #expect(thrown.failure?.contains("CancellationError") == true)
    let failing = Snapshotting<String, String>(pathExtension: nil, diffing: .lines) { value, context in
      context.warn("odd")
      context.fail("no good")
      return Parallel(value: value)
    }
    let outcome = snapshots.outcome(of: "x", as: failing)
    #expect(outcome.failure == "no good" && outcome.warnings == ["odd"])
    #expect(snapshots.files.isEmpty)
  }

  @Test("a format with a tolerance matches different bytes")
  func tolerance() throws {
    try snapshots.write("1.0", to: "test.x.txt")
    let close = Diffing<Double>(
      toData: { Data("\($0)".utf8) }, fromData: { Double(String(decoding: $0, as: UTF8.self)) ?? 0 }
    ) { abs($0 - $1) < 0.1 ? nil : ("\($0) is not \($1)", []) }
    let strategy = Snapshotting(pathExtension: "txt", diffing: close)
    #expect(snapshots.outcome(of: 1.05, as: strategy, named: "x", record: .failed, line: 1).failure == nil)
    #expect(snapshots.text(of: "test.x.txt") == "1.0")
    let failure = snapshots.outcome(of: 1.5, as: strategy, named: "x", line: 1).failure
    #expect(failure?.contains("1.0 is not 1.5") == true)
  }

  @Test("a strategy can compare formats with the reference")
  func matcher() throws {
    try snapshots.write("b", to: "test.1.txt")
    let asked = Log<[Bool]>()
    let strategy = Snapshotting<String, String>(pathExtension: "txt", diffing: .lines) { text, context in
      asked.append(["a", "b"].map { context.matchesReference?($0) ?? false })
      return Parallel(value: text)
    }
    #expect(snapshots.outcome(of: "b", as: strategy).failure == nil)
    #expect(asked.all == [[false, true]])
  }

  @Test("a strategy retries until the existing reference matches, and until two snapshots are equal without one")
  func retrying() throws {
    try snapshots.write("4", to: "test.a.txt")
    let count = Log<Int>()
    let changing = SimplySnapshotting.lines.pullback { (_: String) in
      count.append(1)
      return "\(count.count / 2)"
    }
    let strategy = changing.retrying(every: .zero, within: .seconds(600))
    #expect(snapshots.outcome(of: "", as: strategy, named: "a", timeout: 600).failure == nil)
    #expect(count.count == 8)
    #expect(snapshots.outcome(of: "", as: strategy, named: "new", timeout: 600).failure?.contains("recorded") == true)
  }
}
