internal import Foundation
internal import SnapshotStore
public import Testing

/// The settings of assertions, for a part of the tests.
///
/// A setting that is `nil` is inherited: from the outer
/// ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)``, the trait of the suite, or the environment.
public struct SnapshotTestingConfiguration: Sendable {
  /// The references that assertions record.
  public var record: Record?

  /// The text in a failure that names the two files.
  public var diffTool: DiffTool?

  /// The folder that has a folder of references for each test file, in place of `__Snapshots__` beside the test file.
  ///
  /// A relative path is relative to the package of the test: the nearest folder with a `Package.swift`. The environment
  /// variable `SNAPSHOT_TESTING_DIRECTORY` sets it for all tests.
  public var snapshotDirectory: String?

  /// The precision of image strategies that set none, from 0 to 1.
  public var precision: Float?

  /// The perceptual precision of image strategies that set none, from 0 to 1.
  public var perceptualPrecision: Float?

  /// Whether the first unnamed assertion of a test has no number in its file name: `user.txt`, `user.2.txt`.
  public var omitsFirstNumber: Bool?

  /// Whether a warning fails the test.
  ///
  /// Assertions warn if a snapshot matches a reference that the same process has just recorded, if two assertions share
  /// a reference, and if the names of two references differ only in case. Strategies have warnings too, for example
  /// of an image of one colour.
  public var failsOnWarnings: Bool?

  public init(
    record: Record? = nil, diffTool: DiffTool? = nil, snapshotDirectory: String? = nil, precision: Float? = nil,
    perceptualPrecision: Float? = nil, omitsFirstNumber: Bool? = nil, failsOnWarnings: Bool? = nil
  ) {
    self.record = record
    self.diffTool = diffTool
    self.snapshotDirectory = snapshotDirectory
    self.precision = precision
    self.perceptualPrecision = perceptualPrecision
    self.omitsFirstNumber = omitsFirstNumber
    self.failsOnWarnings = failsOnWarnings
  }

  /// The configuration of the current task; `nil` outside of
  /// ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)`` and of tests with the trait.
  ///
  /// Its record mode and its diff tool are set: those of the environment and the default, if no code sets them.
  @TaskLocal public static var current: SnapshotTestingConfiguration?

  /// Returns the settings, and in place of `nil` the settings of the task, the process and the environment.
  func resolved(in process: ProcessSettings = .shared) -> SnapshotTestingConfiguration {
    let outer = Self.current
    return SnapshotTestingConfiguration(
      record: record ?? outer?.record ?? process.record ?? process.environmentRecord,
      diffTool: diffTool ?? outer?.diffTool ?? process.diffTool ?? .default,
      snapshotDirectory: snapshotDirectory ?? outer?.snapshotDirectory ?? process.environmentDirectory,
      precision: precision ?? outer?.precision,
      perceptualPrecision: perceptualPrecision ?? outer?.perceptualPrecision,
      omitsFirstNumber: omitsFirstNumber ?? outer?.omitsFirstNumber,
      failsOnWarnings: failsOnWarnings ?? outer?.failsOnWarnings)
  }

  /// The references that an assertion records.
  ///
  /// The first of these sets the mode: the argument `record` of the assertion,
  /// ``withSnapshotTesting(record:diffTool:operation:)-(_,_,()->R)`` or the trait
  /// ``Testing/Trait/snapshots(record:diffTool:)``, and the environment variable `SNAPSHOT_TESTING_RECORD` (`all`,
  /// `failed`, `missing`, `pending` or `never`). The default is ``missing``. If `CI` is set, and not empty, `0` or
  /// `false`, the default is ``never``, which records nothing.
  public enum Record: String, Sendable, CaseIterable, ExpressibleByBooleanLiteral {
    /// Records every reference, and fails, so that the mode is not left on.
    case all
    /// Records references that differ or are absent, and fails for each.
    case failed
    /// Records absent references, and fails for each.
    ///
    /// A reference that differs leaves a pending snapshot, which the command `snapshots` reviews.
    case missing
    /// Records nothing, and leaves a pending snapshot for each reference that differs or is absent.
    case pending
    /// Records nothing, and leaves no pending snapshots.
    case never

    /// Creates ``all`` for `true`, and ``missing`` for `false`, for older suites.
    public init(booleanLiteral value: Bool) {
      self = value ? .all : .missing
    }
  }

  /// The text in a failure that names the two files, for example a command that opens them.
  ///
  /// ```swift
  /// withSnapshotTesting(diffTool: "opendiff") { … }  // prints: opendiff <reference> <failed>
  /// ```
  public struct DiffTool: Sendable, ExpressibleByStringLiteral {
    private let text: @Sendable (_ currentFilePath: String, _ failedFilePath: String) -> String

    public init(_ tool: @escaping @Sendable (_ currentFilePath: String, _ failedFilePath: String) -> String) {
      text = tool
    }

    /// Creates a tool that prints a command before the two paths.
    public init(stringLiteral command: String) {
      text = { "\(command) \($0) \($1)" }
    }

    public static let ksdiff = Self { "ksdiff \"\($0)\" \"\($1)\"" }

    public static let `default` = Self { "@\u{2212}\n\"file://\($0)\"\n@+\n\"file://\($1)\"" }

    public func callAsFunction(currentFilePath: String, failedFilePath: String) -> String {
      text(currentFilePath, failedFilePath)
    }
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
  try withSnapshotTesting(SnapshotTestingConfiguration(record: record, diffTool: diffTool), operation: operation)
}

/// Sets the record mode and the diff tool for the assertions of an asynchronous operation.
public func withSnapshotTesting<R>(
  record: SnapshotTestingConfiguration.Record? = nil,
  diffTool: SnapshotTestingConfiguration.DiffTool? = nil,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  try await withSnapshotTesting(
    SnapshotTestingConfiguration(record: record, diffTool: diffTool), operation: operation)
}

/// Sets the configuration for the assertions of an operation.
///
/// ```swift
/// let configuration = SnapshotTestingConfiguration(snapshotDirectory: "Tests/References", failsOnWarnings: true)
/// withSnapshotTesting(configuration) { assertSnapshot(of: user, as: .readable) }
/// ```
public func withSnapshotTesting<R>(
  _ configuration: SnapshotTestingConfiguration, operation: () throws -> R
) rethrows -> R {
  try SnapshotTestingConfiguration.$current.withValue(configuration.resolved(), operation: operation)
}

/// Sets the configuration for the assertions of an asynchronous operation.
public func withSnapshotTesting<R>(
  _ configuration: SnapshotTestingConfiguration, isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  try await SnapshotTestingConfiguration.$current.withValue(
    configuration.resolved(), operation: operation, isolation: isolation)
}

/// Sets the configuration of a test or a suite.
public struct SnapshotsTrait: SuiteTrait, TestTrait, TestScoping {
  public let configuration: SnapshotTestingConfiguration

  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let running = CurrentTest.running
    if testCase != nil { TestProcess.shared.resetNumbers(of: running.numberingKey(running.id ?? "")) }
    try await withSnapshotTesting(configuration) { try await function() }
  }
}

extension Trait where Self == SnapshotsTrait {
  /// Sets the record mode and the diff tool of a test or a suite.
  ///
  /// ```swift
  /// @Suite(.snapshots(record: .failed)) struct UserTests { … }
  /// ```
  ///
  /// A repeated test numbers its unnamed assertions from 1 again.
  public static func snapshots(
    record: SnapshotTestingConfiguration.Record? = nil, diffTool: SnapshotTestingConfiguration.DiffTool? = nil
  ) -> Self {
    SnapshotsTrait(configuration: SnapshotTestingConfiguration(record: record, diffTool: diffTool))
  }

  /// Numbers the unnamed assertions of a repeated test from 1 again, and keeps the outer configuration.
  public static var snapshots: Self { snapshots() }

  /// Sets the configuration of a test or a suite.
  ///
  /// ```swift
  /// @Suite(.snapshots(.init(snapshotDirectory: "Tests/References"))) struct UserTests { … }
  /// ```
  public static func snapshots(_ configuration: SnapshotTestingConfiguration) -> Self {
    SnapshotsTrait(configuration: configuration)
  }
}

/// The settings of the environment, and the global variables of older suites.
///
/// `@unchecked Sendable`: the state is read and written only while `lock` is held.
final class ProcessSettings: @unchecked Sendable {
  static let shared = ProcessSettings()

  private let lock = NSLock()
  private var chosenRecord: SnapshotTestingConfiguration.Record?
  private var chosenTool: SnapshotTestingConfiguration.DiffTool?

  /// The mode of the environment; `nil` if its value is invalid.
  let environmentRecord: SnapshotTestingConfiguration.Record?
  let environmentDirectory: String?

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    environmentDirectory = environment["SNAPSHOT_TESTING_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    if let name = environment["SNAPSHOT_TESTING_RECORD"], !name.isEmpty {
      environmentRecord = SnapshotTestingConfiguration.Record(rawValue: name)
    } else {
      environmentRecord = ["", "0", "false"].contains(environment["CI"] ?? "") ? .missing : .never
    }
  }

  var record: SnapshotTestingConfiguration.Record? {
    get { lock.withLock { chosenRecord } }
    set { lock.withLock { chosenRecord = newValue } }
  }

  var diffTool: SnapshotTestingConfiguration.DiffTool? {
    get { lock.withLock { chosenTool } }
    set { lock.withLock { chosenTool = newValue } }
  }
}
