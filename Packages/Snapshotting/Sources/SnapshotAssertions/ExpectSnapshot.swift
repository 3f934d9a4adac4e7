public import Foundation
public import Snapshotting

/// Asserts that a value looks as it did when its reference was recorded, and waits for it without blocking.
///
/// ```swift
/// @MainActor @Test func page() async {
///   await expectSnapshot(of: webView, as: .image)
/// }
/// ```
///
/// The asynchronous form of `assertSnapshot`, for strategies
/// that need time: it holds no thread while it waits, so it works on the main actor and in any number of tests at once. It
/// has a name of its own, so that a call without `await` keeps its meaning.
///
/// The wait ends when the snapshot is there, when time is up, or when the task is cancelled; the last two fail.
///
/// - Parameters:
///   - value: Called once, on the caller's actor. The snapshot is begun there, too.
///   - snapshotting: How it is shown and compared.
///   - name: Tells the assertion from others in the test; without one they are counted from 1.
///   - record: Which references are written; see ``SnapshotTestingConfiguration/Record``.
///   - timeout: How many seconds the snapshot may take.
///   - isolation: The actor to work on; the caller's.
///   - fileID: The file of the assertion, with its module.
///   - filePath: The file of the assertion.
///   - testName: The function of the test.
///   - line: The line of the assertion.
///   - column: The column of the assertion.
public func expectSnapshot<Value, Format>(
  of value: @autoclosure () async throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record: SnapshotTestingConfiguration.Record? = nil,
  timeout: TimeInterval = 5,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) async {
  let site = AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let test = currentTest()
  let outcome = await outcome(
    of: value, as: snapshotting, named: name, record: record, timeout: Duration(timeout: timeout),
    on: ContinuousClock(), testName: testName, site: site, test: test)
  report(outcome, at: site, to: test.runner)
}

/// Makes an asynchronous assertion.
func outcome<Value, Format, C: Clock>(
  of value: () async throws -> Value, as strategy: Snapshotting<Value, Format>, named name: String?,
  record: SnapshotTestingConfiguration.Record?, snapshotDirectory: String? = nil, timeout: Duration, on clock: C,
  testName: String, site: AssertionSite, test: RunningTest, isolation: isolated (any Actor)? = #isolation
) async -> AssertionOutcome where C.Duration == Duration {
  do {
    let assertion = try Assertion(
      strategy, named: name, record: record, snapshotDirectory: snapshotDirectory, testName: testName, site: site,
      test: test)
    let snapshotted: Value
    do { snapshotted = try await value() } catch {
      throw AssertionError("Cannot take the snapshot: the value threw an error: \(error)")
    }
    let arrival = Arrival<Format>()
    assertion.start(snapshotted, arrival)
    let format = try await wait(
      for: arrival, strategy: "\(Snapshotting<Value, Format>.self)", timeout: timeout,
      log: assertion.log, on: clock)
    return assertion.finish(format)
  } catch {
    return AssertionOutcome(failure: "\(error)")
  }
}
