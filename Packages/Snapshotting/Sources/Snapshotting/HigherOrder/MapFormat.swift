internal import Parallel

extension Snapshotting {
  /// A strategy that goes on from this one's format to another one.
  ///
  /// - Parameters:
  ///   - pathExtension: The path extension of reference files.
  ///   - diffing: How the new format is compared, written and read.
  ///   - transform: From the old format to the new one. Called once for each run, where the old one arrives, which may be any
  ///     thread.
  ///
  /// ```swift
  /// let digest = Snapshotting<Data, Data>.data.mapFormat(pathExtension: "txt", diffing: .lines) { $0.base64EncodedString() }
  /// ```
  public func mapFormat<NewFormat>(
    pathExtension: String?, diffing: Diffing<NewFormat>,
    _ transform: @escaping @Sendable (sending Format) -> NewFormat
  ) -> Snapshotting<Value, NewFormat> {
    Snapshotting<Value, NewFormat>(copying: pathExtension, diffing, namePrefix: namePrefix) {
      [capture] value, context in
      capture(value, context.with()).map { transform($0) }
    }
  }

  /// A strategy that changes this one's format.
  ///
  /// - Parameter transform: Called once for each run, where the format arrives, which may be any thread. It may tell the
  ///   assertion something through the context.
  ///
  /// ```swift
  /// let calm = SimplySnapshotting.lines.mapFormat { text, _ in text.replacing("!", with: ".") }
  /// ```
  public func mapFormat(
    _ transform: @escaping @Sendable (_ format: sending Format, _ context: SnapshotContext<Format>) -> Format
  ) -> Snapshotting {
    var strategy = self
    strategy.capture = { [capture] value, context in
      let matches = context.matchesReference
      // A strategy below compares what will be compared in the end.
      let inner = context.with(format: Format.self) { format in
        matches?(transform(UnsafeTransfer(format).take(), SnapshotContext())) ?? false
      }
      return capture(value, matches == nil ? context.with() : inner).map { transform($0, context) }
    }
    return strategy
  }
}
