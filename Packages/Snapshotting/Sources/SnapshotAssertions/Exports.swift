@_exported public import Parallel
@_exported public import Snapshotting

/// The spelling of `Parallel` that strategies written for swift-snapshot-testing use.
public typealias Async = Parallel

#if !canImport(Darwin)
  /// The spelling of `SnapshotAttachment` that strategies written for swift-snapshot-testing use.
  public typealias XCTAttachment = SnapshotAttachment
#endif
