internal import Isolation
public import Parallel

extension Snapshotting {
  /// A strategy for other values, each of which has or makes a value of this one.
  ///
  /// - Parameter transform: From the new value to the old one. Called once for each run, on the actor that it was formed on;
  ///   when it was formed on none, on the thread that runs the snapshot. This strategy goes on there.
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
  /// Source: *Async Functional Refactoring*.
  @preconcurrency
  public func pullback<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (_ newValue: NewValue) -> Value
  ) -> Snapshotting<NewValue, Format> {
    let home = transform.isolation
    let raw = erasingIsolation(transform)
    return Snapshotting<NewValue, Format>(copying: pathExtension, diffing, namePrefix: namePrefix) {
      [capture] newValue, context in
      let newValue = UnsafeTransfer(newValue)
      return Parallel { callback in
        Isolation.run(on: home) { capture(raw(newValue.value), context).run(callback) }
      }
    }
  }

  /// A strategy for other values, each of which leads to a value of this one in its own time.
  ///
  /// - Parameter transform: From the new value to a parallel of the old one. Called once for each run, on the actor that it
  ///   was formed on; when it was formed on none, on the thread that runs the snapshot. Its parallel is run there. This
  ///   strategy goes on where the value arrives.
  ///
  /// ```swift
  /// let page = Snapshotting<Picture, Picture>.image.asyncPullback { (webView: WebView) in
  ///   Parallel { callback in webView.takeSnapshot(callback) }
  /// }
  /// ```
  ///
  /// With a function that answers at once it is ``pullback(_:)``.
  ///
  /// Source: *Async Functional Refactoring*.
  @preconcurrency
  public func asyncPullback<NewValue>(
    @_inheritActorContext _ transform: @escaping @Sendable @isolated(any) (_ newValue: NewValue) -> Parallel<Value>
  ) -> Snapshotting<NewValue, Format> {
    let home = transform.isolation
    let raw = erasingIsolation(transform)
    return Snapshotting<NewValue, Format>(copying: pathExtension, diffing, namePrefix: namePrefix) {
      [capture] newValue, context in
      let newValue = UnsafeTransfer(newValue)
      return Parallel { callback in
        Isolation.run(on: home) { raw(newValue.value).flatMap { capture($0, context) }.run(callback) }
      }
    }
  }
}
