public import Foundation
public import Snapshotting
internal import SnapshotStore

/// Asserts that the snapshot of a value matches the text in the closure.
///
/// ```swift
/// assertInlineSnapshot(of: User(name: "Blobby"), as: .readable) {
///   """
///   User(name: "Blobby")
///   """
/// }
/// ```
///
/// The closure contains one string literal. Without a closure the first run writes one into the source file, and fails.
/// The record modes are those of references in files.
///
/// The source files are written when the process exits. A source file that has changed since the build is not written.
///
/// The call blocks until an asynchronous strategy finishes. To suspend instead, use
/// ``expectInlineSnapshot(of:as:message:record:timeout:syntaxDescriptor:isolation:matches:fileID:file:function:line:column:)``.
///
/// The parameters are those of `assertSnapshot`, and three more. `message` is the beginning of the failure.
/// `syntaxDescriptor` names the closure, for helpers with closures of their own. `matches` is the closure. A value that
/// is `nil` has no snapshot, and matches if there is no closure.
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
  let assertion = Assertion(
    record: record, timeout: timeout, testName: function.description,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column))
  let outcome = verifyInlineBlocking(
    value, as: snapshotting, in: assertion, expected: expected?(), closure: syntaxDescriptor.closure)
  report(outcome.prefixed(by: message), at: assertion.site, to: assertion.test.runner)
}

/// Asserts that the snapshot of a value matches the text in the closure, and suspends until it is taken.
///
/// ```swift
/// @MainActor @Test func page() async {
///   await expectInlineSnapshot(of: webView, as: .title) {
///     """
///     Birds
///     """
///   }
/// }
/// ```
///
/// The asynchronous form of `assertInlineSnapshot`, with the same parameters. It waits as `expectSnapshot` does.
public func expectInlineSnapshot<Value>(
  of value: @autoclosure () async throws -> Value?,
  as snapshotting: Snapshotting<Value, String>,
  message: @autoclosure () -> String = "",
  record: SnapshotTestingConfiguration.Record? = nil,
  timeout: TimeInterval = 5,
  syntaxDescriptor: InlineSnapshotSyntaxDescriptor = InlineSnapshotSyntaxDescriptor(),
  isolation: isolated (any Actor)? = #isolation,
  matches expected: (() -> String)? = nil,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  function: StaticString = #function,
  line: UInt = #line,
  column: UInt = #column
) async {
  let assertion = Assertion(
    record: record, timeout: timeout, testName: function.description,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column))
  let outcome = await verifyInline(
    value, as: snapshotting, in: assertion, expected: expected?(), closure: syntaxDescriptor.closure)
  report(outcome.prefixed(by: message), at: assertion.site, to: assertion.test.runner)
}

/// The closure of a call that holds the inline snapshot, for helpers that call `assertInlineSnapshot`.
///
/// A helper passes `fileID`, `file`, `function`, `line` and `column` of its caller to `assertInlineSnapshot`.
public struct InlineSnapshotSyntaxDescriptor: Hashable, Sendable {
  public static let defaultTrailingClosureLabel = "matches"

  /// Labels of older versions, which are read and not written.
  public var deprecatedTrailingClosureLabels: [String]
  public var trailingClosureLabel: String
  /// The number of closures before it: those at the end of the parentheses, and the trailing ones.
  public var trailingClosureOffset: Int

  public init(
    deprecatedTrailingClosureLabels: [String] = [],
    trailingClosureLabel: String = Self.defaultTrailingClosureLabel, trailingClosureOffset: Int = 0
  ) {
    self.deprecatedTrailingClosureLabels = deprecatedTrailingClosureLabels
    self.trailingClosureLabel = trailingClosureLabel
    self.trailingClosureOffset = trailingClosureOffset
  }

  /// Fails the test at the line of the call.
  public func fail(
    _ message: @autoclosure () -> String = "", fileID: StaticString, file filePath: StaticString, line: UInt,
    column: UInt
  ) {
    report(
      AssertionOutcome(failure: message()),
      at: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), to: CurrentTest.running.runner)
  }

  fileprivate var closure: InlineClosure {
    InlineClosure(
      label: trailingClosureLabel, otherLabels: deprecatedTrailingClosureLabels, offset: trailingClosureOffset)
  }
}

/// Verifies an inline snapshot, and suspends until it is taken.
func verifyInline<Value>(
  _ value: () async throws -> Value?, as strategy: Snapshotting<Value, String>, in assertion: Assertion,
  expected: String?, closure: InlineClosure = InlineClosure(), on clock: some Clock<Duration> = ContinuousClock(),
  writer: InlineWriter = .shared, isolation: isolated (any Actor)? = #isolation
) async -> AssertionOutcome {
  do {
    let verification = try InlineVerification(assertion, strategy, expected, closure, writer)
    guard let value = try await value() else { return verification.outcomeOfNil }
    let text = try await take(
      value, as: strategy, verification.context, log: verification.log, timeout: assertion.timeout, on: clock)
    return try verification.outcome(of: text)
  } catch {
    return AssertionOutcome(error)
  }
}

/// Verifies an inline snapshot in the same steps, and blocks until it is taken.
func verifyInlineBlocking<Value>(
  _ value: () throws -> Value?, as strategy: Snapshotting<Value, String>, in assertion: Assertion, expected: String?,
  closure: InlineClosure = InlineClosure(), writer: InlineWriter = .shared
) -> AssertionOutcome {
  do {
    let verification = try InlineVerification(assertion, strategy, expected, closure, writer)
    guard let value = try value() else { return verification.outcomeOfNil }
    let text = try takeBlocking(
      value, as: strategy, verification.context, log: verification.log, timeout: assertion.timeout)
    return try verification.outcome(of: text)
  } catch {
    return AssertionOutcome(error)
  }
}

/// The steps of an inline assertion before and after its snapshot.
private struct InlineVerification {
  private let assertion: Assertion
  private let diffing: Diffing<String>
  private let configuration: SnapshotTestingConfiguration
  private let record: SnapshotTestingConfiguration.Record
  private let expected: String?
  private let closure: InlineClosure
  private let writer: InlineWriter
  let log = SnapshotLog()

  init<Value>(
    _ assertion: Assertion, _ strategy: Snapshotting<Value, String>, _ expected: String?, _ closure: InlineClosure,
    _ writer: InlineWriter
  ) throws(SnapshotError) {
    (self.assertion, diffing, self.expected) = (assertion, strategy.diffing, expected)
    (self.closure, self.writer) = (closure, writer)
    (configuration, record) = try assertion.settings()
  }

  var context: SnapshotContext<String> {
    guard record != .all, let expected else { return SnapshotContext(log: log) }
    return SnapshotContext(log: log) { [diffing] text in diffing.diff(expected, text) == nil }
  }

  var outcomeOfNil: AssertionOutcome {
    guard expected != nil else { return AssertionOutcome() }
    return AssertionOutcome(
      failure: "Cannot compare the inline snapshot: the value is nil. Remove the closure, or find out why it is nil.")
  }

  /// Compares a snapshot, records it or leaves it pending, and reports.
  func outcome(of text: String) throws(SnapshotError) -> AssertionOutcome {
    var outcome = AssertionOutcome(log.entries)
    guard outcome.failure == nil else { return outcome }

    // Compare.
    let (site, file, data) = (assertion.site, assertion.site.filePath.description, Data(text.utf8))
    let edit = InlineEdit(line: site.line, column: site.column, closure: closure, isNew: expected == nil, text: text)
    let key = edit.key(in: file)
    let change = expected.flatMap { diffing.diff($0, text) }
    if expected != nil, change == nil, record != .all {
      if !assertion.process.noteMatch(of: key).isPending { PendingRecorder.shared.remove(key, ofSource: file) }
      return outcome.failing(onWarnings: configuration.failsOnWarnings)
    }
    let shown = bounded(change?.0 ?? text)
    outcome.attachments = change?.1 ?? []

    // Record, or leave a pending snapshot.
    let records = record == .all || record == .failed || (record == .missing && expected == nil)
    if record != .never, !assertion.process.noteChange(of: key, to: data, isRecorded: records) {
      PendingRecorder.shared.remove(key, ofSource: file)
      writer.remove(edit, from: file)
      outcome.failure = """
        Cannot record the inline snapshot: this assertion ran more than once, with different texts, and none of them \
        is recorded. Write one assertion for each text. Difference: …

        \(shown)
        """
      return outcome
    }
    if records {
      try writer.add(edit, to: file)
    } else if record != .never {
      outcome.pendingKey = outcome.warning(or: nil, "Cannot leave a pending snapshot") { () throws(SnapshotError) in
        try writer.check(edit, in: file)
        let inline = PendingSnapshot.Inline(expected: expected, closure: closure, built: writer.built)
        return try PendingRecorder.shared.leave(assertion.pending(inline: inline), data) ? key : nil
      }
    }
    let isPending = outcome.pendingKey != nil

    // Report.
    outcome.failure =
      switch (change == nil, records) {
      case (true, true):
        """
        Automatically recorded a new snapshot in the source. Run the test again to assert against it.

        \(shown)
        """
      case (true, false):
        """
        No inline snapshot was found. \(unrecordedReason(isPending: isPending)). If the new snapshot is correct, \
        \(acceptance(assertion.testName, isPending: isPending, .missing))

        \(shown)
        """
      case (false, true):
        """
        Snapshot did not match. A new snapshot was automatically recorded in the source. Difference: …

        \(shown)
        """
      case (false, false):
        // The difference is last and indented, as in swift-snapshot-testing.
        """
        If the new snapshot is correct, \(acceptance(assertion.testName, isPending: isPending, .failed))

        Snapshot did not match. Difference: …

        \(shown.replacing(/(?m)^(?=.)/, with: "  "))
        """
      }
    return outcome
  }
}
