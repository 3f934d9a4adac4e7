// The spelling of swift-snapshot-testing 1.19 that this library deprecates, or has for its users only.

public import Foundation
internal import SnapshotStore
public import XCTest

@_exported public import Parallel
@_exported public import Snapshotting

/// The spelling of `Parallel` that strategies written for swift-snapshot-testing use.
public typealias Async = Parallel

/// The spelling of `SnapshotAttachment` in swift-snapshot-testing 1.19.
public typealias DiffAttachment = SnapshotAttachment

#if !canImport(Darwin)
  /// The spelling of `SnapshotAttachment` that strategies written for swift-snapshot-testing use.
  public typealias XCTAttachment = SnapshotAttachment
#endif

extension Parallel {
  /// Creates a value from a function that takes a callback, as strategies written for swift-snapshot-testing spell it.
  ///
  /// ```swift
  /// Async(run: { callback in webView.takeSnapshot(callback) })
  /// ```
  ///
  /// The same as the initialiser without a label.
  @preconcurrency
  @_disfavoredOverload  // so that a trailing closure means the one without a label
  public init(
    @_inheritActorContext run: @escaping @Sendable @isolated(any) (@escaping Callback) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(file: file, line: line, run)
  }
}

extension Snapshotting {
  /// The same as `waiting(for:on:)`, with the name in swift-snapshot-testing.
  public static func wait(for duration: TimeInterval, on strategy: Snapshotting) -> Snapshotting {
    waiting(for: duration, on: strategy)
  }
}

extension Diffing {
  /// Creates a comparison, with the name in swift-snapshot-testing 1.19.
  @preconcurrency
  public static func diff(
    toData: @escaping @Sendable (_ value: Value) -> Data,
    fromData: @escaping @Sendable (_ data: Data) throws -> Value,
    diffV2: @escaping @Sendable (_ reference: Value, _ new: Value) -> (String, [SnapshotAttachment])?
  ) -> Self {
    Diffing(toData: toData, fromData: fromData, diff: diffV2)
  }

  /// The same as `diff`, with the name in swift-snapshot-testing 1.19.
  public var diffV2: @Sendable (_ reference: Value, _ new: Value) -> (String, [SnapshotAttachment])? {
    get { diff }
    set { diff = newValue }
  }
}

@available(*, deprecated, renamed: "XCTestCase")
public typealias SnapshotTestCase = XCTestCase

/// The trait's name in swift-snapshot-testing.
public typealias _SnapshotsTestTrait = SnapshotsTrait

@available(*, deprecated, message: "Use withSnapshotTesting(diffTool: …) { … } or the trait .snapshots(diffTool: …).")
public var diffTool: SnapshotTestingConfiguration.DiffTool {
  get { SnapshotTestingConfiguration().resolved().diffTool ?? .default }
  set { ProcessSettings.shared.diffTool = newValue }
}

@available(*, deprecated, message: "Use '.default' instead of 'nil'.")
extension SnapshotTestingConfiguration.DiffTool: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) {
    self = .default
  }
}

/// Whether every assertion of the process records, for older suites.
///
/// `false` is ``SnapshotTestingConfiguration/Record/missing``. Prefer
/// ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)``, which applies to a part of the tests.
@available(*, deprecated, message: "Use withSnapshotTesting(record: .all) { … }, or set SNAPSHOT_TESTING_RECORD.")
public var isRecording: Bool {
  get { SnapshotTestingConfiguration().resolved().record == .all }
  set { ProcessSettings.shared.record = newValue ? .all : .missing }
}

@available(*, deprecated, renamed: "isRecording")
public var record: Bool {
  get { SnapshotTestingConfiguration().resolved().record == .all }
  set { ProcessSettings.shared.record = newValue ? .all : .missing }
}

/// Asserts that a value matches its reference, with `true` for ``SnapshotTestingConfiguration/Record/all``.
///
/// `false` records missing references, except where the environment forbids recording, as in CI. `nil` inherits the
/// mode.
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

@available(
  *, deprecated, renamed: "assertSnapshots(of:as:record:snapshotDirectory:timeout:fileID:file:testName:line:column:)"
)
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

@available(
  *, deprecated, renamed: "assertSnapshots(of:as:record:snapshotDirectory:timeout:fileID:file:testName:line:column:)"
)
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

/// Compares a value with the text in the argument `with`, and records nothing.
///
/// White space around both texts is ignored.
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
  let site = AssertionSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let outcome = verifyInlineBlocking(
    value, as: snapshotting.mapFormat { text, _ in text.trimmingCharacters(in: .whitespacesAndNewlines) },
    in: Assertion(record: .never, timeout: timeout, testName: testName, site: site),
    expected: reference.trimmingCharacters(in: .whitespacesAndNewlines))
  let advised = outcome.prefixed { "Write it with 'assertInlineSnapshot(of:as:matches:)', which can record it." }
  report(AssertionOutcome(failure: advised.failure), at: site, to: CurrentTest.running.runner)
}

extension SnapshotTestingConfiguration.Record {
  fileprivate init?(_ recording: Bool?) {
    guard let recording else { return nil }
    self = recording ? .all : .missing
  }
}

#if !canImport(Darwin)
  extension SnapshotAttachment {
    @available(*, deprecated, renamed: "data(_:name:)")
    public static func xcTest(_ attachment: XCTAttachment) -> SnapshotAttachment { attachment }
  }
#endif
