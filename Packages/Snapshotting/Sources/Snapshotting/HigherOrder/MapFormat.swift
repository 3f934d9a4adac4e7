internal import Parallel

extension Snapshotting {
  /// Returns a strategy that transforms the format of this one to a different format.
  ///
  /// `transform` is called once for each run, on the thread that delivers the old format.
  ///
  /// This strategy has no ``SnapshotContext/matchesReference``, because the reference has the new format.
  /// ``retrying(every:within:)`` before the transformation waits for two equal snapshots. Call it after the
  /// transformation to compare with the reference.
  ///
  /// ```swift
  /// let digest = Snapshotting<Data, Data>.data.mapFormat(pathExtension: "txt", diffing: .lines) { $0.base64EncodedString() }
  /// ```
  public func mapFormat<NewFormat>(
    pathExtension: String?, diffing: Diffing<NewFormat>,
    _ transform: @escaping @Sendable (sending Format) -> NewFormat
  ) -> Snapshotting<Value, NewFormat> {
    Snapshotting<Value, NewFormat>(pathExtension, diffing, namePrefix: namePrefix) {
      [capture] value, context, callback in
      capture(value, context.with()).map { transform($0) }.run(callback)
    }
  }

  /// Returns a strategy that changes the formats of this one.
  ///
  /// - Parameter transform: Returns the changed format, and has no other effect than failures and warnings, which it reports through
  ///   the context. Called once for each run, on the thread that delivers the format, and again for each comparison of this strategy
  ///   with the reference.
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
      // The inner strategy compares formats after the transformation.
      let inner = context.with(format: Format.self) { format in
        matches?(transform(UnsafeTransfer(format).take(), SnapshotContext())) ?? false
      }
      return capture(value, matches == nil ? context.with() : inner).map { transform($0, context) }
    }
    return strategy
  }
}
