internal import Foundation
internal import SnapshotStore

/// The record mode and the diff tool of assertions, for a part of the tests.
public struct SnapshotTestingConfiguration: Sendable {
  /// The record mode; `nil` inherits the outer mode.
  public var record: Record?

  public var diffTool: DiffTool?

  public init(record: Record? = nil, diffTool: DiffTool? = nil) {
    self.record = record
    self.diffTool = diffTool
  }

  /// The configuration of the current task; `nil` outside of ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)`` and of
  /// tests with the trait.
  @TaskLocal public static var current: SnapshotTestingConfiguration?

  func inheriting(from outer: SnapshotTestingConfiguration?) -> SnapshotTestingConfiguration {
    SnapshotTestingConfiguration(record: record ?? outer?.record, diffTool: diffTool ?? outer?.diffTool)
  }
}

/// Sets the record mode and the diff tool for the assertions of an operation.
///
/// ```swift
/// withSnapshotTesting(record: .all) {
///   assertSnapshot(of: user, as: .readable)
/// }
/// ```
///
/// The configuration applies to the operation's task and its child tasks, not to detached tasks. An omitted argument
/// inherits the outer configuration.
public func withSnapshotTesting<R>(
  record: SnapshotTestingConfiguration.Record? = nil,
  diffTool: SnapshotTestingConfiguration.DiffTool? = nil,
  operation: () throws -> R
) rethrows -> R {
  let inner = SnapshotTestingConfiguration(record: record, diffTool: diffTool)
  return try SnapshotTestingConfiguration.$current.withValue(
    inner.inheriting(from: .current), operation: operation)
}

/// Sets the record mode and the diff tool for the assertions of an asynchronous operation.
public func withSnapshotTesting<R>(
  record: SnapshotTestingConfiguration.Record? = nil,
  diffTool: SnapshotTestingConfiguration.DiffTool? = nil,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  let inner = SnapshotTestingConfiguration(record: record, diffTool: diffTool)
  return try await SnapshotTestingConfiguration.$current.withValue(
    inner.inheriting(from: .current), operation: operation, isolation: isolation)
}

/// Whether every assertion of the process records, for older suites.
///
/// `false` is ``SnapshotTestingConfiguration/Record/missing``, except that in CI nothing is recorded.
///
/// Prefer ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)``, which applies to a part of the tests.
@available(*, deprecated, message: "Use withSnapshotTesting(record: .all) { … }, or set SNAPSHOT_TESTING_RECORD.")
public var isRecording: Bool {
  get { processDefaults.isRecording }
  set { processDefaults.isRecording = newValue }
}

@available(*, deprecated, message: "Use withSnapshotTesting(record: .all) { … }, or set SNAPSHOT_TESTING_RECORD.")
public var record: Bool {
  get { processDefaults.isRecording }
  set { processDefaults.isRecording = newValue }
}

/// The configuration that older suites set for the process.
let processDefaults = ProcessDefaults()

/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
final class ProcessDefaults: @unchecked Sendable {
  private let lock = NSLock()
  private var chosen: SnapshotTestingConfiguration.Record?
  private var tool: SnapshotTestingConfiguration.DiffTool?

  var record: SnapshotTestingConfiguration.Record? {
    get { lock.withLock { chosen } }
    set { lock.withLock { chosen = newValue } }
  }

  var diffTool: SnapshotTestingConfiguration.DiffTool? {
    get { lock.withLock { tool } }
    set { lock.withLock { tool = newValue } }
  }

  /// The mode of the environment, which is read once.
  let environment: Result<SnapshotTestingConfiguration.Record, SnapshotError>

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = recordMode(in: environment)
  }

  /// The mode of `false`, which does not enable recording where the environment forbids it.
  var notRecording: SnapshotTestingConfiguration.Record {
    switch try? environment.get() {
    case .never, nil: .init(mode: .never, isFalse: true)
    case .pending: .init(mode: .pending, isFalse: true)
    default: .init(mode: .missing, isFalse: true)
    }
  }

  var isRecording: Bool {
    get { (record ?? (try? environment.get())) == .all }
    // An invalid environment stays an error.
    set { record = newValue ? .all : (try? environment.get()).map { _ in notRecording } }
  }
}
