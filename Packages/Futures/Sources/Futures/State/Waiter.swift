internal import Synchronization

/// `@unchecked Sendable`: `continuation` is written once, before the registration.
///
/// Only the caller that records `resumed` uses it.
final class Waiter<Value: Sendable>: _Listener, @unchecked Sendable {
  private let async: Async<Value>
  private let cancellation: Cancellation
  private let events = Atomic<UInt8>(0)
  private var continuation: UnsafeContinuation<Value?, Never>?

  enum Cancellation {
    case continuesWaiting
    /// The wait ends with the result of the async if the cancellation of its last listener completes it, and otherwise
    /// without a value.
    case endsWithResult
    case endsWithoutValue
  }

  init(for async: Async<Value>, whenCancelled cancellation: Cancellation) {
    self.async = async
    self.cancellation = cancellation
    super.init { listener, upstream, _ in
      unsafeDowncast(listener, to: Waiter.self)
        .resume(unsafeDowncast(upstream, to: Async<Value>.self).completedValue)
      return true
    }
  }

  func value() async -> Value? {
    await withTaskCancellationHandler {
      // Unsafe, which saves an allocation: `claimResumption()` ensures that it is resumed once. For the false race that
      // ThreadSanitizer reports, see `Scripts/threads.suppressions`.
      await withUnsafeContinuation { continuation in
        self.continuation = continuation
        if !async.registerUnlessCompleted(self) { resume(async.completedValue) }
        if record(.registered).contains(.cancelled) { cancel() }
      }
    } onCancel: {
      if record(.cancelled).contains(.registered) { cancel() }
    }
  }

  override var hasEnded: Bool { Events(rawValue: events.load(ordering: .acquiring)).contains(.resumed) }

  override var isWaiter: Bool { true }

  override func abandon(_ origin: PromiseOrigin?) {
    resume(nil)
  }

  private func cancel() {
    if hasEnded { return }
    if cancellation == .continuesWaiting { return async.leave(stopsWork: true) }
    // This cancellation may complete the async, so claim the continuation first.
    guard claimResumption() else { return }
    let wasCompleted = async.hasResult
    async.leave(stopsWork: true)
    // Not `result`, which would make the async return to its upstream.
    let hasValue = wasCompleted || cancellation == .endsWithResult && async.hasResult
    continuation?.resume(returning: hasValue ? async.completedValue : nil)
  }

  private func resume(_ value: Value?) {
    if claimResumption() { continuation?.resume(returning: value) }
  }

  private func claimResumption() -> Bool { !record(.resumed).contains(.resumed) }

  private func record(_ event: Events) -> Events {
    Events(rawValue: events.bitwiseOr(event.rawValue, ordering: .acquiringAndReleasing).oldValue)
  }
}

private struct Events: OptionSet {
  let rawValue: UInt8

  static let registered = Events(rawValue: 1)
  static let cancelled = Events(rawValue: 2)
  static let resumed = Events(rawValue: 4)
}
