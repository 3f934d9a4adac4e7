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
/// The closure contains one string literal. Without a closure the first run writes one into the source file, and fails. The record modes are those of references in files.
///
/// A source file is written immediately after each recorded snapshot, atomically, and only closures change. A source file
/// that has changed since the build is not written, and the assertion fails with the reason.
///
/// The call blocks until an asynchronous strategy finishes. To suspend instead, use
/// ``expectInlineSnapshot(of:as:message:record:timeout:syntaxDescriptor:isolation:matches:fileID:file:function:line:column:)``.
///
/// The parameters are those of `assertSnapshot`, and three more. `message` is the beginning of the failure. `syntaxDescriptor` names
/// the closure, for helpers with closures of their own. `matches` is the closure. A value that is `nil` has no snapshot, and
/// matches if there is no closure.
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
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), test: currentTest())
  let outcome = verifyInline(
    value, as: snapshotting, in: assertion, expected: expected?(), closure: syntaxDescriptor.closure
  ) { text, expected throws(SnapshotError) in
    try assertion.record(text, over: expected, in: .closure(syntaxDescriptor.closure))
  }
  report(outcome.prefixed(by: message), of: assertion)
}

extension Assertion {
  func record(_ text: String, over expected: String?, in target: InlineCall.Target) throws(SnapshotError) {
    try InlineSources.shared.record(
      text, over: expected, in: site.filePath.description, line: site.line, column: site.column, target: target)
  }
}
