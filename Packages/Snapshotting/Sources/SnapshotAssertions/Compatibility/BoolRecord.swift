public import Foundation
public import Snapshotting

// The overloads of swift-snapshot-testing that accept a variable of type `Bool` for `record`.

/// Asserts that a value matches its reference, with `true` for ``SnapshotTestingConfiguration/Record/all``.
///
/// `false` records missing references, except where the environment forbids recording, as in CI. `nil` inherits the mode.
@available(*, deprecated, message: "Use the overload with 'record: SnapshotTestingConfiguration.Record?'.")
@_disfavoredOverload
public func assertSnapshot<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record recording: Bool?,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  assertSnapshot(
    of: try value(), as: snapshotting, named: name, record: .init(recording), timeout: timeout, fileID: fileID,
    file: filePath, testName: testName, line: line, column: column)
}

@available(*, deprecated, message: "Use 'assertSnapshot(of:…)' with 'record: SnapshotTestingConfiguration.Record?'.")
@_disfavoredOverload
public func assertSnapshot<Value, Format>(
  matching value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record recording: Bool?,
  timeout: TimeInterval = 5,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  testName: String = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  assertSnapshot(
    of: try value(), as: snapshotting, named: name, record: .init(recording), timeout: timeout, fileID: fileID,
    file: filePath, testName: testName, line: line, column: column)
}

@available(*, deprecated, message: "Use the overload with 'record: SnapshotTestingConfiguration.Record?'.")
@_disfavoredOverload
public func assertSnapshots<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as strategies: [String: Snapshotting<Value, Format>],
  record recording: Bool?,
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

@available(*, deprecated, message: "Use the overload with 'record: SnapshotTestingConfiguration.Record?'.")
@_disfavoredOverload
public func assertSnapshots<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as strategies: [Snapshotting<Value, Format>],
  record recording: Bool?,
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

@available(*, deprecated, message: "Use the overload with 'record: SnapshotTestingConfiguration.Record?'.")
@_disfavoredOverload
public func verifySnapshot<Value, Format>(
  of value: @autoclosure () throws -> Value,
  as snapshotting: Snapshotting<Value, Format>,
  named name: String? = nil,
  record recording: Bool?,
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

@available(*, deprecated, message: "Use the overload with 'record: SnapshotTestingConfiguration.Record?'.")
@_disfavoredOverload
public func assertInlineSnapshot<Value>(
  of value: @autoclosure () throws -> Value?,
  as snapshotting: Snapshotting<Value, String>,
  message: @autoclosure () -> String = "",
  record recording: Bool?,
  timeout: TimeInterval = 5,
  syntaxDescriptor: InlineSnapshotSyntaxDescriptor = InlineSnapshotSyntaxDescriptor(),
  matches expected: (() -> String)? = nil,
  fileID: StaticString = #fileID,
  file filePath: StaticString = #filePath,
  function: StaticString = #function,
  line: UInt = #line,
  column: UInt = #column
) {
  assertInlineSnapshot(
    of: try value(), as: snapshotting, message: message(), record: .init(recording), timeout: timeout,
    syntaxDescriptor: syntaxDescriptor, matches: expected, fileID: fileID, file: filePath, function: function,
    line: line, column: column)
}

extension SnapshotTestingConfiguration.Record {
  init?(_ recording: Bool?) {
    guard let recording else { return nil }
    self.init(booleanLiteral: recording)
  }
}
