internal import Isolation
public import Parallel

extension Snapshotting {
  /// Returns a strategy for values that contain or create a value of this strategy.
  ///
  /// - Parameter transform: Called once for each run, on the actor of its declaration, or on the thread that runs the
  ///   snapshot. This strategy continues there.
  ///
  /// ```swift
  /// @MainActor func testTitle() {
  ///   assertSnapshot(of: screen, as: SimplySnapshotting.lines.pullback { $0.title })
  /// }
  /// ```
  ///
  /// The laws, for a strategy `s` and pure functions `f` and `g`: `s.pullback { $0 }` is `s`, and
  /// `s.pullback(f).pullback(g)` is `s.pullback { f(g($0)) }`.
  ///
  /// Source: *Async Functional Refactoring* (Point-Free, 2018).
  @preconcurrency
  public func pullback<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (_ newValue: NewValue) -> Value
  ) -> Snapshotting<NewValue, Format> {
    let raw = erasingIsolation(transform)
    return Snapshotting<NewValue, Format>(
      pathExtension, diffing, namePrefix: namePrefix, on: transform.isolation
    ) { [capture] newValue, context, callback in
      capture(raw(newValue), context).run(callback)
    }
  }

  /// Returns a strategy for values that create a value of this strategy asynchronously.
  ///
  /// - Parameter transform: Called once for each run, as that of ``pullback(_:)``. Its parallel runs there. This
  ///   strategy continues on the thread that delivers the value.
  ///
  /// ```swift
  /// let page = Snapshotting<Image, Image>.image.asyncPullback { (webView: WebView) in
  ///   Parallel { callback in webView.takeSnapshot(callback) }
  /// }
  /// ```
  ///
  /// With a synchronous function it is equivalent to ``pullback(_:)``.
  ///
  /// Source: *Async Functional Refactoring* (Point-Free, 2018).
  @preconcurrency
  public func asyncPullback<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (_ newValue: NewValue) -> Parallel<Value>
  ) -> Snapshotting<NewValue, Format> {
    let raw = erasingIsolation(transform)
    return Snapshotting<NewValue, Format>(
      pathExtension, diffing, namePrefix: namePrefix, on: transform.isolation
    ) { [capture] newValue, context, callback in
      raw(newValue).flatMap { capture($0, context) }.run(callback)
    }
  }
}
