/// A callback on behalf of another async, which it helps to complete.
///
/// It is dropped when that one is settled.
///
/// For asyncs that several others may complete, which therefore cannot be the listener themselves.
///
/// `@unchecked Sendable`: nothing is written after it was created; see `_Listener`.
final class Relay<Value: Sendable>: _Listener, @unchecked Sendable {
  private let target: _AsyncCore
  private let callback: @Sendable (Value) -> Void

  init(to target: _AsyncCore, _ callback: @escaping @Sendable (Value) -> Void) {
    self.target = target
    self.callback = callback
    super.init { listener, source, _ in
      let relay = unsafeDowncast(listener, to: Relay.self)
      if !relay.target.isSettled { relay.callback(unsafeDowncast(source, to: Async<Value>.self).completedValue) }
      return true
    }
  }

  override var hasEnded: Bool { target.isSettled }
}

extension Async {
  /// Calls back in the immediate context until another async is settled, which waits for this one.
  final func relay(to target: _AsyncCore, _ callback: @escaping @Sendable (Value) -> Void) {
    if hasResult { return callback(completedValue) }
    register(Relay(to: target, callback))
    target.addHandler(SourceHandler(leaving: self))
  }

  /// Calls back in the immediate context until another async is settled, which does not wait for this one.
  package final func signal(to target: Async<some Sendable>, _ callback: @escaping @Sendable (Value) -> Void) {
    register(Relay(to: target, callback), isCounted: false)
    target.addHandler(SourceHandler(dropping: self))
  }

  /// Registers a callback in the immediate context until another async is settled; it counts as a listener until ``leave(stopsWork:)``.
  ///
  /// - Returns: `false`, without calling back, if the value is available.
  package final func listen(
    for target: Async<some Sendable>, _ callback: @escaping @Sendable (Value) -> Void
  ) -> Bool {
    registerUnlessCompleted(Relay(to: target, callback))
  }
}
