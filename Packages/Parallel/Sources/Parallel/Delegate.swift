internal import Isolation
internal import Synchronization

extension Parallel {
  /// A value from an interface that answers through a delegate, which is kept alive until it answers.
  ///
  /// Most objects hold their delegate weakly. A delegate that nothing else holds is gone before it can answer, and the
  /// callback never comes. Here the run holds it, from the moment that it is returned until the callback is called.
  ///
  /// - Parameters:
  ///   - misuse: Where a second callback is reported.
  ///   - file: The file that a report names.
  ///   - line: The line that a report names.
  ///   - makeDelegate: Called once for each run, on the actor that it was formed on. It makes the delegate, sets it,
  ///     and returns it; the delegate calls back.
  ///
  /// ```swift
  /// Parallel.delegate { callback in
  ///   let delegate = NavigationDelegate { webView.takeSnapshot(callback) }
  ///   webView.navigationDelegate = delegate
  ///   return delegate
  /// }
  /// ```
  ///
  /// Source: the last bug of *Async Functional Refactoring*.
  @preconcurrency
  public static func delegate(
    reportingTo misuse: Misuse.Reporter = .standardError,
    file: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ makeDelegate:
      @escaping @Sendable @isolated(any) (@escaping Callback) -> AnyObject
  ) -> Parallel {
    let origin = Origin(file: file, line: line, reporter: misuse)
    let home = makeDelegate.isolation
    let raw = erasingIsolation(makeDelegate)
    return Parallel(starting: { receiver in
      let callback = receiver.callback(from: origin)
      let keeper = Keeper()
      Isolation.run(on: home) {
        let delegate = raw { value in
          callback(value)
          keeper.release()
        }
        keeper.keep(delegate)
      }
    })
  }
}

/// Holds an object until it is told to release it, in whichever order the two calls come.
///
/// `@unchecked Sendable`: `object` is written before `state` becomes `holding` (release), and cleared by the one caller
/// that finds it so (acquire).
private final class Keeper: @unchecked Sendable {
  private enum State {
    static let empty = 0
    static let holding = 1
    static let released = 2
  }

  private let state = Atomic(State.empty)
  private var object: AnyObject?

  func keep(_ object: AnyObject) {
    self.object = object
    let kept = state.compareExchange(
      expected: State.empty, desired: State.holding, successOrdering: .releasing, failureOrdering: .relaxed)
    if !kept.exchanged { self.object = nil }
  }

  func release() {
    if state.exchange(State.released, ordering: .acquiringAndReleasing) == State.holding { object = nil }
  }
}
