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
/// The call blocks until an asynchronous strategy finishes. On the main thread it runs the run loop while it waits. In
/// a test on the main actor it cannot succeed with a strategy that needs the main actor: use
/// ``expectSnapshot(of:as:named:record:snapshotDirectory:timeout:isolation:fileID:file:testName:line:column:)``. It can
/// be called from any thread, and any number of tests can wait at the same time. On Apple's systems before version 26,
/// concurrent tests that wait can block the tasks of their strategies: use `expectSnapshot` there.
///
/// The value is evaluated once, immediately. Unnamed assertions of a test are numbered from 1.
///
/// `timeout` is in seconds, from 0 to a year. The time that the strategy reserves is added to it: the wait of
/// `waiting`, the limit of `retrying`, and the limits of a web page.
public func assertSnapshot<Value, Format>(
  of value: @autoclosure () throws -> Value,
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
  let assertion = Assertion(
    name: name, record: record, timeout: timeout, testName: testName,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), test: currentTest())
  report(verify(value, as: snapshotting, in: assertion), of: assertion)
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
/// The keys are the names of the assertions, and their order. The value is evaluated once for each strategy. For asynchronous
/// strategies, call `expectSnapshot` with `named:` in a loop.
public func assertSnapshots<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as strategies: [String: Snapshotting<Value, Format>],
  record: SnapshotTestingConfiguration.Record? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  for name in strategies.keys.sorted() {
    guard let strategy = strategies[name] else { continue }
    assertSnapshot(
      of: try value(), as: strategy, named: name, record: record, timeout: timeout, fileID: fileID, file: filePath,
      testName: testName, line: line, column: column)
  }
}

/// Asserts that the snapshots of a value by several strategies match their numbered references.
///
/// The value is evaluated once for each strategy, in the order of the array.
public func assertSnapshots<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as strategies: [Snapshotting<Value, Format>],
  record: SnapshotTestingConfiguration.Record? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  for strategy in strategies {
    assertSnapshot(
      of: try value(), as: strategy, record: record, timeout: timeout, fileID: fileID, file: filePath,
      testName: testName, line: line, column: column)
  }
}
