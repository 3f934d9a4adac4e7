/// A callback on behalf of another async, which it helps to complete: it wants its own async just as much as that one is
/// wanted, and is taken out of the list when that one has ended.
///
/// For asyncs that several others may complete, and that can therefore not be the listener themselves.
///
/// `@unchecked Sendable`: see `_Listener`.
final class Relay<Value: Sendable>: _Listener, @unchecked Sendable {
  private let target: _AsyncState
  private let callback: @Sendable (Value) -> Void

  init(to target: _AsyncState, _ callback: @escaping @Sendable (Value) -> Void) {
    self.target = target
    self.callback = callback
    super.init { listener, source, _, _ in
      let relay = unsafeDowncast(listener, to: Relay.self)
      if !relay.target.isSettled { relay.callback(unsafeDowncast(source, to: Async<Value>.self).completedValue) }
      return nil
    }
  }

  override var interest: Interest { target.interest }
}

extension Async {
  /// Calls back in the immediate context for as long as another async has no result and is wanted; that one waits for
  /// this.
  final func relay(to target: _AsyncState, _ callback: @escaping @Sendable (Value) -> Void) {
    target.addUpstream(self)
    register(Relay(to: target, callback))
  }

  /// Calls back in the immediate context for as long as another async has no result; that one does not wait for this.
  package final func signal(to target: Async<some Sendable>, _ callback: @escaping @Sendable (Value) -> Void) {
    target.addUpstream(Signal(self))
    register(Relay(to: target, callback))
  }
}

extension Future {
  /// A future that one of several others will complete; the others are left then.
  ///
  /// Nobody can complete it any more when all of them have been dropped.
  static func race(_ futures: [Future<T, E>]) -> Future<T, E> {
    let winner = Future(promised: ())
    let completer = Completer(winner)
    winner.beginWaiting(for: ManyUpstreams(futures))
    for future in futures { future.register(Relay(to: winner) { completer.complete($0) }) }
    return winner
  }

  /// The same future, which waits for others one after the other, and so cancels them with itself.
  func waitingInTurn(for others: [_AsyncState]) -> Future<T, E> {
    if isCompleted { return self }
    let future = Future(promised: ())
    let completer = Completer(future)
    future.beginWaiting(for: ManyUpstreams([self, SuccessiveUpstreams(others)]))
    register(Relay(to: future) { completer.complete($0) })
    return future
  }
}
