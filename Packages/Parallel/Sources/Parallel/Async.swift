internal import Synchronization

extension Parallel {
  /// Creates a parallel from asynchronous work.
  ///
  /// ```swift
  /// Parallel { await weather(in: "Utrecht") }.run { print($0) }
  /// ```
  ///
  /// - Parameter operation: The work. Each run starts it in a new task, on the actor where it was formed. The task is
  ///   never cancelled.
  @preconcurrency
  public init(@_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async -> sending Value) {
    self.init(starting: { next in
      Task { next(await operation()) }
    })
  }

  /// Runs the parallel and waits for its value.
  ///
  /// ```swift
  /// let page = try await webPage.value()
  /// ```
  ///
  /// A cancelled wait always ends, even if the work never calls back. The work itself continues, because a `Parallel`
  /// cannot be cancelled. A task that was cancelled before does not start the work.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled before the value arrives.
  public func value() async throws(CancellationError) -> sending Value {
    let waiter = Waiter<Value>()
    let parcel = await withTaskCancellationHandler {
      // Checked, because ThreadSanitizer reports a false race for an unsafe continuation.
      await withCheckedContinuation { continuation in
        if waiter.wait(with: continuation) { start { waiter.end(with: Parcel($0)) } }
      }
    } onCancel: {
      waiter.cancel()
    }
    guard let parcel else { throw CancellationError() }
    return parcel.take()
  }
}

private enum WaitState {
  static let new = 0
  static let waiting = 1
  static let ended = 2
}

/// A wait that ends with a value, or with `nil` if its task is cancelled first.
///
/// `@unchecked Sendable`: `continuation` is written before `state` becomes `waiting`, and read by the one caller that
/// changes `state` from `waiting` to `ended`.
private final class Waiter<Value>: @unchecked Sendable {
  private let state = Atomic(WaitState.new)
  private var continuation: CheckedContinuation<Parcel<Value>?, Never>?

  /// Begins to wait, and returns whether the task was not cancelled before.
  func wait(with continuation: CheckedContinuation<Parcel<Value>?, Never>) -> Bool {
    self.continuation = continuation
    let begun = state.compareExchange(
      expected: WaitState.new, desired: WaitState.waiting, successOrdering: .releasing, failureOrdering: .relaxed)
    if !begun.exchanged { continuation.resume(returning: nil) }
    return begun.exchanged
  }

  func cancel() {
    end(with: nil)
  }

  func end(with parcel: Parcel<Value>?) {
    guard state.exchange(WaitState.ended, ordering: .acquiringAndReleasing) == WaitState.waiting else { return }
    continuation?.resume(returning: parcel)
  }
}
