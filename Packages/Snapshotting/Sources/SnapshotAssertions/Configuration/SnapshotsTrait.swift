internal import SnapshotStore
public import Testing

/// Sets the record mode and the diff tool of a test or a suite.
public struct SnapshotsTrait: SuiteTrait, TestTrait, TestScoping {
  public let configuration: SnapshotTestingConfiguration

  public let isRecursive = true

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let configuration = configuration.inheriting(from: .current)
    if testCase != nil { ReferenceResolver.shared.resetNumbers(of: currentTest().identity) }
    try await SnapshotTestingConfiguration.$current.withValue(configuration) { try await function() }
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

  public static func snapshots(_ configuration: SnapshotTestingConfiguration) -> Self {
    SnapshotsTrait(configuration: configuration)
  }

  public static func snapshots(diffTool: SnapshotTestingConfiguration.DiffTool) -> Self {
    snapshots(record: nil, diffTool: diffTool)
  }
}
