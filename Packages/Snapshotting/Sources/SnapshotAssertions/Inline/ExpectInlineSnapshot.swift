public import Foundation
public import Snapshotting

/// Asserts that a value looks as the text in the closure says, and waits for it without blocking.
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
/// The asynchronous form of
/// `assertInlineSnapshot`, which
/// records in the same way. It holds no thread while it waits, so it works on the main actor and in any number of tests at once.
///
/// The wait ends when the snapshot is there, when time is up, or when the task is cancelled; the last two fail.
///
/// - Parameters:
///   - value: Called once, on the caller's actor; `nil` has no snapshot, and matches where there is no closure.
///   - snapshotting: How it is shown and compared.
///   - message: Said first when it fails.
///   - record: Which snapshots are written; see ``SnapshotTestingConfiguration/Record``.
///   - timeout: How many seconds the snapshot may take.
///   - syntaxDescriptor: Which closure it is, for helpers with closures of their own.
///   - isolation: The actor to work on; the caller's.
///   - expected: The text; one string literal.
///   - fileID: The file of the assertion, with its module.
///   - filePath: The file of the assertion.
///   - function: The function of the test.
///   - line: The line of the assertion.
///   - column: The column of the assertion.
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
  let site = AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let test = currentTest()
  let outcome = await inlineOutcome(
    of: value, as: snapshotting, record: record, timeout: Duration(timeout: timeout), on: ContinuousClock(),
    expected: expected?(), testName: function.description,
    test: test
  ) { text, expected throws(AssertionError) in
    try InlineSources.shared.record(
      text, over: expected, in: filePath.description, line: line, column: column, function: function.description,
      target: .closure(syntaxDescriptor))
  }
  report(outcome.saying(message), at: site, to: test.runner)
}
