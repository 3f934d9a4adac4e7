@_exported public import Parallel
@_exported public import Snapshotting

/// The spelling of `Parallel` that strategies written for swift-snapshot-testing use.
public typealias Async = Parallel

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
