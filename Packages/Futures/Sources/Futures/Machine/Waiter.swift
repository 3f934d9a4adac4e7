internal import Synchronization

/// A task that waits for an async.
///
/// `@unchecked Sendable`: `continuation` is written once, before `isWaiting` is set, and used by the one caller that sets
/// `hasResumed`.
final class Waiter<Value: Sendable>: _Listener, @unchecked Sendable {
  private let async: Async<Value>
  /// What the wait ends with when its task is cancelled, or `nil` when nothing but the async's value can end it.
  private let cancelled: Value?
  private let flags = Atomic(0)
  private var continuation: CheckedContinuation<Value, Never>?

  init(for async: Async<Value>, cancelled: Value?) {
    self.async = async
    self.cancelled = cancelled
    super.init { listener, source, _, _ in
      unsafeDowncast(listener, to: Waiter.self)
        .resume(unsafeDowncast(source, to: Async<Value>.self).completedValue)
      return nil
    }
  }

  /// Waits for the value, or for what stands for a cancellation.
  func value() async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        self.continuation = continuation
        async.register(self)
        if set(Flag.isWaiting) & Flag.isCancelled != 0 { end() }
      }
    } onCancel: {
      if set(Flag.isCancelled) & Flag.isWaiting != 0 { end() }
    }
  }

  override var interest: Interest {
    let flags = flags.load(ordering: .acquiring)
    if flags & Flag.hasResumed != 0 { return .ended }
    return flags & Flag.isCancelled != 0 ? .resigned : .wanted
  }

  /// Nothing will come. The wait ends where it can, since nobody may ever cancel it.
  override func giveUp() {
    if let cancelled { resume(cancelled) }
  }

  private func end() {
    Nesting.current.leave(async, isCancelled: true)
    if let cancelled { resume(cancelled) }
  }

  private func resume(_ value: Value) {
    if set(Flag.hasResumed) & Flag.hasResumed == 0 { continuation?.resume(returning: value) }
  }

  private func set(_ flag: Int) -> Int {
    flags.bitwiseOr(flag, ordering: .acquiringAndReleasing).oldValue
  }
}

/// What has happened to a waiter.
private enum Flag {
  static let isWaiting = 1
  static let isCancelled = 2
  static let hasResumed = 4
}
