internal import Synchronization

extension Parallel {
  /// Creates a value from asynchronous work.
  ///
  /// - Parameter operation: Started in a new task by each run, on the actor that it was formed on. Nothing cancels the
  ///   task.
  ///
  /// ```swift
  /// Parallel { await weather(in: "Utrecht") }.run { print($0) }
  /// ```
  @preconcurrency
  public init(@_inheritActorContext _ operation: @escaping @Sendable @isolated(any) () async -> sending Value) {
    self.init(starting: { receiver in
      Task { receiver.deliver(await operation()) }
    })
  }

  /// Runs the parallel and waits for its value.
  ///
  /// A cancelled wait always ends, also when the callback never comes; the work itself goes on, since a `Parallel` has
  /// no way to be cancelled. A task that is cancelled already does not start the work.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled before the value arrives.
  ///
  /// ```swift
  /// let page = try await webPage.value()
  /// ```
  public func value() async throws(CancellationError) -> sending Value {
    let waiter = Waiter<Value>()
    let parcel = await withTaskCancellationHandler {
      // Checked, since ThreadSanitizer takes the resuming of an unsafe one for a race.
      await withCheckedContinuation { continuation in
        if waiter.wait(with: continuation) { start(for: waiter) }
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

/// A receiver that resumes a task with the value, or with `nil` when that task is cancelled first.
///
/// `@unchecked Sendable`: `continuation` is written before `state` becomes `waiting` (release), and read by the one
/// caller that takes `state` from `waiting` to `ended` (acquire).
private final class Waiter<Value>: Receiver<Value>, @unchecked Sendable {
  private let state = Atomic(WaitState.new)
  private var continuation: CheckedContinuation<Parcel<Value>?, Never>?

  /// Begins to wait, and says whether the work is still wanted.
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

  override func receive(_ value: sending Value) {
    end(with: Parcel(value))
  }

  private func end(with parcel: Parcel<Value>?) {
    guard state.exchange(WaitState.ended, ordering: .acquiringAndReleasing) == WaitState.waiting else { return }
    continuation?.resume(returning: parcel)
  }
}
