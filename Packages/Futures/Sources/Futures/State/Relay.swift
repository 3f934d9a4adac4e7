/// A callback that helps to complete another async, and is dropped when that async is settled.
///
/// It is for asyncs that several others may complete. Such an async cannot be the listener itself, because a listener
/// is in one list.
///
/// `@unchecked Sendable`: its own fields are constants; see `_Listener`.
final class Relay<Value: Sendable>: _Listener, @unchecked Sendable {
  private let target: _AsyncCore
  private let callback: @Sendable (Value) -> Void

  init(to target: _AsyncCore, _ callback: @escaping @Sendable (Value) -> Void) {
    self.target = target
    self.callback = callback
    super.init { listener, upstream, _ in
      let relay = unsafeDowncast(listener, to: Relay.self)
      if !relay.target.isSettled { relay.callback(unsafeDowncast(upstream, to: Async<Value>.self).completedValue) }
      return true
    }
  }

  override var hasEnded: Bool { target.isSettled }
  override var passesResultOn: Bool { true }
  override var feedsAnotherAsync: Bool { true }

  override func abandon(_ origin: PromiseOrigin?) {
    target.note(origin)
  }
}

extension Async {
  /// Calls back in the immediate context until another async is settled, and counts as a listener.
  final func relay(to target: _AsyncCore, _ callback: @escaping @Sendable (Value) -> Void) {
    if hasResult { return callback(completedValue) }
    register(Relay(to: target, callback))
    target.addHandler(UpstreamHandler(leaving: self))
  }

  /// Calls back in the immediate context until another async is settled, without counting as a listener.
  package final func observe(until target: Async<some Sendable>, _ callback: @escaping @Sendable (Value) -> Void) {
    register(Relay(to: target, callback), isCounted: false)
    target.addHandler(RelayRemover(from: self))
  }

  /// The caller must call ``leave(stopsWork:)`` when that async is settled.
  ///
  /// - Returns: `false`, without calling back, if the value is available.
  package final func listen(
    for target: Async<some Sendable>, _ callback: @escaping @Sendable (Value) -> Void
  ) -> Bool {
    registerUnlessCompleted(Relay(to: target, callback))
  }
}
