public import Foundation
public import Snapshotting
internal import SnapshotStore
public import XCTest

// Names that swift-snapshot-testing deprecates and still compiles.

@available(*, deprecated, renamed: "XCTestCase")
public typealias SnapshotTestCase = XCTestCase

/// The trait's name in swift-snapshot-testing.
public typealias _SnapshotsTestTrait = SnapshotsTrait

@available(*, deprecated, message: "Use withSnapshotTesting(diffTool: …) { … } or the trait .snapshots(diffTool: …).")
public var diffTool: SnapshotTestingConfiguration.DiffTool {
  get { processDefaults.diffTool ?? .default }
  set { processDefaults.diffTool = newValue }
}

@available(*, deprecated, message: "Use '.default' instead of 'nil'.")
extension SnapshotTestingConfiguration.DiffTool: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) {
    self = .default
  }
}

@available(*, deprecated, renamed: "assertSnapshots(of:as:record:timeout:fileID:file:testName:line:column:)")
public func assertSnapshots<Value, Format>(
  matching value: @autoclosure () throws -> Value,
  as strategies: [String: Snapshotting<Value, Format>],
  record recording: Bool? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  assertSnapshots(
    of: try value(), as: strategies, record: .init(recording), timeout: timeout, fileID: fileID, file: filePath,
    testName: testName, line: line, column: column)
}

@available(*, deprecated, renamed: "assertSnapshots(of:as:record:timeout:fileID:file:testName:line:column:)")
public func assertSnapshots<Value, Format>(
  matching value: @autoclosure () throws -> Value,
  as strategies: [Snapshotting<Value, Format>],
  record recording: Bool? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  assertSnapshots(
    of: try value(), as: strategies, record: .init(recording), timeout: timeout, fileID: fileID, file: filePath,
    testName: testName, line: line, column: column)
}

@available(
  *, deprecated,
  renamed: "verifySnapshot(of:as:named:record:snapshotDirectory:timeout:fileID:file:testName:line:column:)"
)
public func verifySnapshot<Value, Format>(
  matching value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record recording: Bool? = nil,
  snapshotDirectory: String? = nil,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) -> String? {
  verifySnapshot(
    of: try value(), as: snapshotting, named: name, record: .init(recording), snapshotDirectory: snapshotDirectory,
    timeout: timeout, fileID: fileID, file: filePath, testName: testName, line: line, column: column)
}

/// Asserts that a value matches the text in the argument `with`.
///
/// White space around both texts is ignored. An empty text is recorded: the argument becomes a literal of several lines.
@available(*, deprecated, message: "Use 'assertInlineSnapshot(of:as:matches:)'.")
public func _assertInlineSnapshot<Value>(
  matching value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, String>,
  record recording: Bool = false,
  timeout: TimeInterval = 5,
  with reference: String,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  let assertion = Assertion(
    record: recording ? .all : nil, timeout: timeout, testName: testName,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), test: currentTest())
  report(verifyArgument(value, as: snapshotting, in: assertion, reference: reference), of: assertion)
}

/// Compares a value with the text in the argument `with`, and returns the failure.
@available(*, deprecated, message: "Use 'assertInlineSnapshot(of:as:matches:)'.")
public func _verifyInlineSnapshot<Value>(
  matching value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, String>,
  record recording: Bool = false,
  timeout: TimeInterval = 5,
  with reference: String,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) -> String? {
  let assertion = Assertion(
    record: recording ? .all : nil, timeout: timeout, testName: testName,
    site: AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column), test: currentTest())
  return verifyArgument(value, as: snapshotting, in: assertion, reference: reference).failure
}

private func verifyArgument<Value>(
  _ value: () throws -> Value, as strategy: Snapshotting<Value, String>, in assertion: Assertion, reference: String
) -> AssertionOutcome {
  let trimmed = reference.trimmingCharacters(in: .whitespacesAndNewlines)
  return verifyInline(
    value, as: strategy.mapFormat { text, _ in text.trimmingCharacters(in: .whitespacesAndNewlines) }, in: assertion,
    expected: trimmed.isEmpty ? nil : trimmed
  ) { text, _ throws(SnapshotError) in try assertion.record(text, over: reference, in: .argument("with")) }
}
