public import Foundation
public import Snapshotting

/// Compares a value with its reference, and returns what is wrong.
///
/// For assertions of your own, which report the result in their own way. All else is as with
/// `assertSnapshot`.
///
/// ```swift
/// func assertPage(_ page: Page, file: StaticString = #filePath, testName: String = #function, line: UInt = #line) {
///   let failure = verifySnapshot(
///     of: page, as: .html, snapshotDirectory: "/references", file: file, testName: testName, line: line)
///   if let failure { XCTFail(failure, file: file, line: line) }
/// }
/// ```
///
/// - Parameters:
///   - value: Called once, at once.
///   - snapshotting: How it is shown and compared.
///   - name: Tells the assertion from others in the test; without one they are counted from 1.
///   - record: Which references are written; see ``SnapshotTestingConfiguration/Record``.
///   - snapshotDirectory: The folder of the reference; `__Snapshots__/<file>` beside the test file if `nil`.
///   - timeout: How many seconds the snapshot may take.
///   - fileID: The file of the assertion, with its module.
///   - filePath: The file of the assertion.
///   - testName: The function of the test.
///   - line: The line of the assertion.
///   - column: The column of the assertion.
/// - Returns: What is wrong, or `nil` when the value matches.
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
  let site = AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column)
  return outcome(
    of: value, as: snapshotting, named: name, record: record, snapshotDirectory: snapshotDirectory, timeout: timeout,
    testName: testName, site: site, test: currentTest()
  ).failure
}

/// Makes a synchronous assertion.
func outcome<Value, Format>(
  of value: () throws -> Value, as strategy: Snapshotting<Value, Format>, named name: String?,
  record: SnapshotTestingConfiguration.Record?, snapshotDirectory: String? = nil, timeout: TimeInterval,
  testName: String, site: AssertionSite, test: RunningTest
) -> AssertionOutcome {
  do throws(AssertionError) {
    let assertion = try Assertion(
      strategy, named: name, record: record, snapshotDirectory: snapshotDirectory, testName: testName, site: site,
      test: test)
    let value = try evaluate(value)
    let arrival = Arrival<Format>()
    startBeforeBlocking { assertion.start(value, arrival) }
    let format = try wait(
      for: arrival, strategy: "\(Snapshotting<Value, Format>.self)", timeout: Duration(timeout: timeout),
      log: assertion.log)
    return assertion.finish(format)
  } catch {
    return AssertionOutcome(failure: error.description)
  }
}

private func evaluate<Value>(_ value: () throws -> Value) throws(AssertionError) -> Value {
  do { return try value() } catch {
    throw AssertionError("Cannot take the snapshot: the value threw an error: \(error)")
  }
}
