public import Foundation
public import Snapshotting
internal import SnapshotStore

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
/// The asynchronous form of `assertInlineSnapshot`, with the same parameters. It blocks no thread, so it works on the main actor and in
/// any number of concurrent tests.
///
/// The value is evaluated once, on the caller's actor, and the snapshot starts there too. The wait ends with the snapshot, at the
/// timeout, or when the task is cancelled. The last two fail.
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
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), test: currentTest())
  let outcome = await verifyInline(
    value, as: snapshotting, in: assertion, expected: expected?(), closure: syntaxDescriptor.closure,
    on: ContinuousClock()
  ) { text, expected throws(SnapshotError) in
    try assertion.record(text, over: expected, in: .closure(syntaxDescriptor.closure))
  }
  report(outcome.prefixed(by: message), of: assertion)
}
