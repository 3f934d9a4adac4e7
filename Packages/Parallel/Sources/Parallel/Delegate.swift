internal import Isolation

extension Parallel {
  /// Creates a parallel from an interface that calls a delegate.
  ///
  /// ```swift
  /// Parallel.delegate { callback in
  ///   let delegate = NavigationDelegate { webView.takeSnapshot(callback) }
  ///   webView.navigationDelegate = delegate
  ///   return delegate
  /// }
  /// ```
  ///
  /// The run retains the delegate until it calls back or releases the callback. Most objects retain their delegate
  /// weakly, so without the run's reference it would be released before it can call back. `makeDelegate` creates, sets
  /// and returns the delegate, once for each run, on the actor where it was created.
  @preconcurrency
  public static func delegate(
    reportingTo misuse: Misuse.Reporter = .standardError,
    file: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ makeDelegate:
      @escaping @Sendable @isolated(any) (@escaping Callback) -> AnyObject
  ) -> Parallel {
    let home = makeDelegate.isolation
    let raw = erasingIsolation(makeDelegate)
    return Parallel(reportingTo: misuse, file: file, line: line) { callback in
      let keeper = OnceSlot<AnyObject>()
      Isolation.run(on: home) {
        let delegate = raw { value in
          callback(value)
          _ = keeper.take()
        }
        // Already released if it has called back.
        _ = keeper.put(delegate)
      }
    }
  }
}
