internal import Synchronization

/// A callback on behalf of another async, which it helps to complete.
///
/// It is dropped when that one is settled.
///
/// For asyncs that several others may complete, which therefore cannot be the listener themselves.
///
/// `@unchecked Sendable`: nothing is written after it was created; see ``_Listener``.
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

/// Is notified when an async is cancelled, or settled in another way; an entry in that async's own list.
///
/// `@unchecked Sendable`: nothing is written after it was created; see ``_Listener``.
final class CancellationHandler: _Listener, @unchecked Sendable {
  private enum Action {
    case call(@Sendable () -> Void)
    /// Leave the async that the owner will have the result of.
    case leave(_AsyncCore)
    /// Tell an async which has not counted the owner as a listener.
    case drop(_AsyncCore)
  }

  private let action: Action
  private let isDone = Atomic(false)

  private init(_ action: Action) {
    self.action = action
    super.init { listener, _, _ in
      unsafeDowncast(listener, to: CancellationHandler.self).ownerHasSettled()
      return true
    }
  }

  convenience init(_ handler: @escaping @Sendable () -> Void) { self.init(.call(handler)) }

  convenience init(leaving source: _AsyncCore) { self.init(.leave(source)) }

  convenience init(dropping source: _AsyncCore) { self.init(.drop(source)) }

  /// Whether it stops work, so that its owner is cancelled when nobody wants it.
  var stopsWork: Bool {
    if case .drop = action { false } else { true }
  }

  /// The async that the owner will have the result of, if it was completed with one.
  var source: _AsyncCore? {
    if case .leave(let source) = action { source } else { nil }
  }

  override var hasEnded: Bool {
    switch action {
    case .call: false
    case .leave(let source), .drop(let source): source.isSettled
    }
  }

  override func abandon() {
    ownerHasSettled()
  }

  func cancelWork() {
    guard case .call(let handler) = action else { return ownerHasSettled() }
    handler()
  }

  func ownerHasSettled() {
    if case .call = action { return }
    guard !isDone.exchange(true, ordering: .acquiringAndReleasing) else { return }
    switch action {
    case .call: break
    case .leave(let source): source.leave(stopsWork: true)
    case .drop(let source): source.dropEndedListener()
    }
  }
}

extension Async {
  /// Calls back in the immediate context until another async is settled, which waits for this one.
  final func relay(to target: _AsyncCore, _ callback: @escaping @Sendable (Value) -> Void) {
    if hasResult { return callback(completedValue) }
    register(Relay(to: target, callback))
    target.addHandler(CancellationHandler(leaving: self))
  }

  /// Calls back in the immediate context until another async is settled, which does not wait for this one.
  package final func signal(to target: Async<some Sendable>, _ callback: @escaping @Sendable (Value) -> Void) {
    register(Relay(to: target, callback), isCounted: false)
    target.addHandler(CancellationHandler(dropping: self))
  }
}
