internal import Synchronization

/// A task that waits for an async.
///
/// `@unchecked Sendable`: `continuation` is written once, before `isWaiting` is set, and used by the one caller that sets
/// `hasResumed`.
final class Waiter<Value: Sendable>: _Listener, @unchecked Sendable {
  private let async: Async<Value>
  private let endsWhenCancelled: Bool
  private let flags = Atomic(0)
  private var continuation: CheckedContinuation<Value?, Never>?

  /// - Parameter endsWhenCancelled: Whether cancelling the task ends the wait; otherwise nothing but the value does.
  init(for async: Async<Value>, endsWhenCancelled: Bool) {
    self.async = async
    self.endsWhenCancelled = endsWhenCancelled
    super.init { listener, source, _, _ in
      unsafeDowncast(listener, to: Waiter.self)
        .resume(unsafeDowncast(source, to: Async<Value>.self).completedValue)
      return nil
    }
  }

  /// Waits for the value; `nil` when the task was cancelled or nothing will come, and that ends the wait.
  func value() async -> Value? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        self.continuation = continuation
        if !async.registerUnlessCompleted(self) { resume(async.completedValue) }
        if set(Flag.isWaiting) & Flag.isCancelled != 0 { end() }
      }
    } onCancel: {
      if set(Flag.isCancelled) & Flag.isWaiting != 0 { end() }
    }
  }

  override var isWaiting: Bool { true }

  override var interest: Interest {
    let flags = flags.load(ordering: .acquiring)
    if flags & Flag.hasResumed != 0 { return .ended }
    return flags & Flag.isCancelled != 0 ? .resigned : .wanted
  }

  /// Ends the wait where it can, since nothing will come and nobody may ever cancel it.
  override func giveUp() {
    if endsWhenCancelled { resume(nil) }
  }

  private func end() {
    Nesting.current.leave(async, isCancelled: true)
    // A result that is there may be on its way for long, behind a callback whose context is busy.
    if let value = async.result { resume(value) } else if endsWhenCancelled { resume(nil) }
  }

  private func resume(_ value: Value?) {
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
