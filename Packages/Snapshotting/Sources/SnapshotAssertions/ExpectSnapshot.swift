public import Foundation
public import Snapshotting
internal import SnapshotStore

/// Asserts that the snapshot of a value matches its reference, and suspends until it is taken.
///
/// ```swift
/// @MainActor @Test func page() async {
///   await expectSnapshot(of: webView, as: .image)
/// }
/// ```
///
/// The asynchronous form of `assertSnapshot`, with the same parameters, and with the `snapshotDirectory` of `verifySnapshot`. It blocks no thread, so it works on the main actor and in any
/// number of concurrent tests. It has a separate name so that a call without `await` keeps its meaning.
///
/// The value is evaluated once, on the caller's actor, and the snapshot starts there too. The wait ends with the snapshot, at the
/// timeout, or when the task is cancelled. The last two fail.
public func expectSnapshot<Value, Format>(
  of value: @autoclosure () async throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record: SnapshotTestingConfiguration.Record? = nil,
  snapshotDirectory: String? = nil,
  timeout: TimeInterval = 5,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) async {
  let assertion = Assertion(
    name: name, record: record, snapshotDirectory: snapshotDirectory, timeout: timeout, testName: testName,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), test: currentTest())
  report(await verify(value, as: snapshotting, in: assertion, on: ContinuousClock()), of: assertion)
}
