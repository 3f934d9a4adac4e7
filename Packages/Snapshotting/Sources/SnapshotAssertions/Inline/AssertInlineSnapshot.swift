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
/// as for references in files.
///
/// A source is written immediately after each recorded snapshot, as a whole, and only closures change. A source that has changed since
/// the build is not written, and the assertion fails with the reason.
///
/// It waits for strategies that need time by blocking; see
/// ``expectInlineSnapshot(of:as:message:record:timeout:syntaxDescriptor:isolation:matches:fileID:file:function:line:column:)``.
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
  let outcome = inlineOutcome(
    of: value, as: snapshotting, record: record, timeout: Duration(timeout: timeout), expected: expected?(),
    testName: function.description,
    test: test
  ) { text, expected throws(AssertionError) in
    try InlineSources.shared.record(
      text, over: expected, in: filePath.description, line: line, column: column, function: function.description,
      target: .closure(syntaxDescriptor))
  }
  report(outcome.saying(message), at: site, to: test.runner)
}
