public import Foundation
public import Snapshotting

/// Asserts that a value looks as it did when its reference was recorded.
///
/// ```swift
/// @Test func user() {
///   assertSnapshot(of: User(name: "Blobby"), as: .readable)
/// }
/// ```
///
/// The first time it writes the reference, to `__Snapshots__/<file>/<function>.<name or number>.<path extension>` beside the
/// test file, and fails to say so; on a server for continuous integration, which sets `CI`, it writes nothing. From then on
/// it fails when the value looks different.
///
/// It blocks until an asynchronous strategy finishes. On the main thread it runs the run loop while it waits. In a test on the main actor
/// it cannot succeed with a strategy that needs the main actor: use
/// ``expectSnapshot(of:as:named:record:timeout:isolation:fileID:file:testName:line:column:)``. It can be called from any thread, and
/// any number of tests can wait at the same time.
///
/// - Parameters:
///   - value: Called once, at once.
///   - snapshotting: How it is shown and compared.
///   - name: Tells the assertion from others in the test; without one they are counted from 1.
///   - record: Which references are written; see ``SnapshotTestingConfiguration/Record``.
///   - timeout: How many seconds the snapshot may take.
///   - fileID: The file of the assertion, with its module.
///   - filePath: The file of the assertion.
///   - testName: The function of the test.
///   - line: The line of the assertion.
///   - column: The column of the assertion.
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
  let site = AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let test = currentTest()
  report(
    outcome(
      of: value, as: snapshotting, named: name, record: record, timeout: timeout, testName: testName, site: site,
      test: test),
    at: site, to: test.runner)
}

/// Asserts that a value looks as it did when its reference was recorded, in the episode's spelling.
///
/// The same as `assertSnapshot`.
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

/// Asserts that a value looks as it did in several ways, each with a name.
///
/// The value is called once for each strategy. The keys are the names of the assertions, which are made in their order. The
/// rest is as in `assertSnapshot`.
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
  for (name, strategy) in strategies.sorted(by: { $0.key < $1.key }) {
    assertSnapshot(
      of: try value(), as: strategy, named: name, record: record, timeout: timeout, fileID: fileID, file: filePath,
      testName: testName, line: line, column: column)
  }
}

/// Asserts that a value looks as it did in several ways, which are counted.
///
/// The value is called once for each strategy, in the order of the array, which is the one in which they are counted. The
/// rest is as in `assertSnapshot`.
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
