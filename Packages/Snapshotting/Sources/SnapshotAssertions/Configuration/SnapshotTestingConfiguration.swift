internal import Foundation
internal import SnapshotStore

/// What assertions do about references, for a part of the tests.
public struct SnapshotTestingConfiguration: Sendable {
  /// Which references are written; `nil` for what is said further out.
  public var record: Record?

  /// How failures tell where the files are; `nil` for what is said further out.
  public var diffTool: DiffTool?

  /// Creates a configuration.
  public init(record: Record? = nil, diffTool: DiffTool? = nil) {
    self.record = record
    self.diffTool = diffTool
  }

  /// The configuration of the current task; `nil` outside of ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)`` and of
  /// tests with the trait.
  @TaskLocal public static var current: SnapshotTestingConfiguration?

  /// This configuration, with what it leaves open taken from another one.
  func inheriting(from outer: SnapshotTestingConfiguration?) -> SnapshotTestingConfiguration {
    SnapshotTestingConfiguration(record: record ?? outer?.record, diffTool: diffTool ?? outer?.diffTool)
  }
}

/// Makes the assertions of an operation record, or show their failures, in another way.
///
/// ```swift
/// withSnapshotTesting(record: .all) {
///   assertSnapshot(of: user, as: .readable)
/// }
/// ```
///
/// It holds for the operation's task and its child tasks, not for detached ones. What is left out stays as it is further out.
///
/// - Parameters:
///   - record: Which references are written.
///   - diffTool: How failures tell where the files are.
///   - operation: Called once, at once.
/// - Returns: What the operation returns.
public func withSnapshotTesting<R>(
  record: SnapshotTestingConfiguration.Record? = nil,
  diffTool: SnapshotTestingConfiguration.DiffTool? = nil,
  operation: () throws -> R
) rethrows -> R {
  let inner = SnapshotTestingConfiguration(record: record, diffTool: diffTool)
  return try SnapshotTestingConfiguration.$current.withValue(
    inner.inheriting(from: .current), operation: operation)
}

/// Makes the assertions of an asynchronous operation record, or show their failures, in another way.
///
/// As the form that does not await.
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

/// Whether every assertion records, as older suites set it for the whole process.
///
/// `false` is ``SnapshotTestingConfiguration/Record/missing``, but where the environment lets nothing be written, as on a
/// server for continuous integration, that stays so.
///
/// Prefer ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)``, which says it for a part of the tests.
@available(*, deprecated, message: "Use withSnapshotTesting(record: .all) { … }, or set SNAPSHOT_TESTING_RECORD.")
public var isRecording: Bool {
  get { processDefaults.isRecording }
  set { processDefaults.isRecording = newValue }
}

/// The same as ``isRecording``.
@available(*, deprecated, message: "Use withSnapshotTesting(record: .all) { … }, or set SNAPSHOT_TESTING_RECORD.")
public var record: Bool {
  get { processDefaults.isRecording }
  set { processDefaults.isRecording = newValue }
}

/// What older suites set for the whole process.
let processDefaults = ProcessDefaults()

/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
final class ProcessDefaults: @unchecked Sendable {
  private let lock = NSLock()
  private var chosen: SnapshotTestingConfiguration.Record?
  private var tool: SnapshotTestingConfiguration.DiffTool?

  /// The mode that was set, if one was.
  var record: SnapshotTestingConfiguration.Record? {
    get { lock.withLock { chosen } }
    set { lock.withLock { chosen = newValue } }
  }

  /// The diff tool that was set, if one was.
  var diffTool: SnapshotTestingConfiguration.DiffTool? {
    get { lock.withLock { tool } }
    set { lock.withLock { tool = newValue } }
  }

  /// The mode of the environment, which is looked at once.
  let environment: Result<SnapshotTestingConfiguration.Record, SnapshotError>

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.environment = recordMode(in: environment)
  }

  /// Whether every assertion records; what is not to be written is not written because somebody turns that off.
  var isRecording: Bool {
    get { (record ?? (try? environment.get())) == .all }
    set { record = newValue ? .all : (try? environment.get()) == .never ? nil : .missing }
  }
}
