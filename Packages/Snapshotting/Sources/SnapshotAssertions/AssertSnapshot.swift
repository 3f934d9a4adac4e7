public import Foundation
public import Snapshotting
internal import SnapshotStore

/// Asserts that the snapshot of a value matches its reference.
///
/// ```swift
/// @Test func user() {
///   assertSnapshot(of: User(name: "Blobby"), as: .readable)
/// }
/// ```
///
/// The first run writes the reference `__Snapshots__/<file>/<function>.<name or number>.<path extension>` beside the
/// test file, and fails. Later runs fail if the snapshot differs. In CI, nothing is written by default: see
/// ``SnapshotTestingConfiguration/Record``.
///
/// The value is evaluated once, immediately. Unnamed assertions of a test are numbered from 1. Two tests that reach one
/// file fail: give one of the assertions a name.
///
/// The call blocks until an asynchronous strategy finishes. On the main thread it runs the run loop while it waits. In
/// a test on the main actor it cannot succeed with a strategy that needs the main actor: use
/// ``expectSnapshot(of:as:named:record:snapshotDirectory:timeout:isolation:fileID:file:testName:line:column:)``. On
/// Apple's systems before version 26, concurrent tests that wait can block the tasks of their strategies.
///
/// `snapshotDirectory` is the folder of the reference, in place of `__Snapshots__/<file>`. A relative path is relative
/// to the package of the test.
///
/// `timeout` is in seconds, above 0. The time that the strategy reserves is added to it: the wait of `waiting`, the
/// limit of `retrying`, and the limits of a web page.
public func assertSnapshot<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record: SnapshotTestingConfiguration.Record? = nil,
  snapshotDirectory: String? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  let assertion = Assertion(
    name: name, record: record, snapshotDirectory: snapshotDirectory, timeout: timeout, testName: testName,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column))
  report(verifyBlocking(value, as: snapshotting, in: assertion), at: assertion.site, to: assertion.test.runner)
}

/// Asserts that the snapshot of a value matches its reference, with the label in *Async Functional Refactoring*.
public func assertSnapshot<Value, Format>(
  matching value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record: SnapshotTestingConfiguration.Record? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  assertSnapshot(
    of: try value(), as: snapshotting, named: name, record: record, timeout: timeout, fileID: fileID, file: filePath,
    testName: testName, line: line, column: column)
}

/// Asserts that the snapshots of a value by several strategies match their references.
///
/// The keys are the names of the assertions. The value is evaluated once for each strategy, in the order of the keys.
public func assertSnapshots<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as strategies: [String: Snapshotting<Value, Format>],
  record: SnapshotTestingConfiguration.Record? = nil,
  snapshotDirectory: String? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  for (name, strategy) in strategies.sorted(by: { $0.key < $1.key }) {
    assertSnapshot(
      of: try value(), as: strategy, named: name, record: record, snapshotDirectory: snapshotDirectory,
      timeout: timeout, fileID: fileID, file: filePath, testName: testName, line: line, column: column)
  }
}

/// Asserts that the snapshots of a value by several strategies match their numbered references.
///
/// The value is evaluated once for each strategy, in the order of the array.
public func assertSnapshots<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as strategies: [Snapshotting<Value, Format>],
  record: SnapshotTestingConfiguration.Record? = nil,
  snapshotDirectory: String? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  for strategy in strategies {
    assertSnapshot(
      of: try value(), as: strategy, record: record, snapshotDirectory: snapshotDirectory, timeout: timeout,
      fileID: fileID, file: filePath, testName: testName, line: line, column: column)
  }
}

/// Asserts that the snapshot of a value matches its reference, and suspends until it is taken.
///
/// ```swift
/// @MainActor @Test func page() async {
///   await expectSnapshot(of: webView, as: .image)
/// }
/// ```
///
/// The asynchronous form of `assertSnapshot`, with the same parameters. It blocks no thread, so it works on the main
/// actor and in any number of concurrent tests.
///
/// The value is evaluated once, on the caller's actor, and the snapshot starts there too. The wait ends with the
/// snapshot, or fails at the timeout or when the task is cancelled.
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
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column))
  report(await verify(value, as: snapshotting, in: assertion), at: assertion.site, to: assertion.test.runner)
}

/// Compares a value with its reference, and returns the failure.
///
/// For assertions of your own that report the result themselves. The parameters are those of `assertSnapshot`.
///
/// ```swift
/// func assertPage(_ page: Page, file: StaticString = #filePath, testName: String = #function, line: UInt = #line) {
///   let failure = verifySnapshot(
///     of: page, as: .html, snapshotDirectory: "/references", file: file, testName: testName, line: line)
///   if let failure { XCTFail(failure, file: file, line: line) }
/// }
/// ```
///
/// Warnings and attachments are dropped: use `assertSnapshot` or `expectSnapshot`, which report them.
///
/// - Returns: The failure, or `nil` if the value matches.
public func verifySnapshot<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record: SnapshotTestingConfiguration.Record? = nil,
  snapshotDirectory: String? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) -> String? {
  let assertion = Assertion(
    name: name, record: record, snapshotDirectory: snapshotDirectory, timeout: timeout, testName: testName,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column))
  return verifyBlocking(value, as: snapshotting, in: assertion).failure.map(printable)
}
