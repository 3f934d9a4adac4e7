internal import SnapshotStore
public import Testing

/// Says for a test or a suite which references are written and how failures are shown.
public struct SnapshotsTrait: SuiteTrait, TestTrait, TestScoping {
  /// Which references are written, and how failures are shown.
  public let configuration: SnapshotTestingConfiguration

  /// Suites say it for the tests in them.
  public let isRecursive = true

  /// Runs a test with the configuration, what it leaves open being that of the suites around it.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let configuration = configuration.inheriting(from: .current)
    if testCase != nil { ReferenceStore.shared.resetNumbers(of: currentTest().identity) }
    try await SnapshotTestingConfiguration.$current.withValue(configuration) { try await function() }
  }
}

extension Trait where Self == SnapshotsTrait {
  /// Says for a test or a suite which references are written and how failures are shown.
  ///
  /// ```swift
  /// @Suite(.snapshots(record: .failed)) struct UserTests { … }
  /// ```
  ///
  /// It also lets a test that is repeated count its unnamed assertions from 1 again.
  ///
  /// - Parameters:
  ///   - record: Which references are written.
  ///   - diffTool: How failures tell where the files are.
  public static func snapshots(
    record: SnapshotTestingConfiguration.Record? = nil, diffTool: SnapshotTestingConfiguration.DiffTool? = nil
  ) -> Self {
    SnapshotsTrait(configuration: SnapshotTestingConfiguration(record: record, diffTool: diffTool))
  }

  /// Lets a test that is repeated count its unnamed assertions from 1 again, and keeps the outer configuration.
  public static var snapshots: Self { snapshots() }

  /// Sets the configuration of a test or a suite.
  public static func snapshots(_ configuration: SnapshotTestingConfiguration) -> Self {
    SnapshotsTrait(configuration: configuration)
  }

  /// Says for a test or a suite how failures are shown.
  public static func snapshots(diffTool: SnapshotTestingConfiguration.DiffTool) -> Self {
    snapshots(record: nil, diffTool: diffTool)
  }
}
