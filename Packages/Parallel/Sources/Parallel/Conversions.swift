extension Parallel {
  /// Creates a parallel from asynchronous work.
  ///
  /// Each run starts the work in a new task, on the actor where it was created. The task is never cancelled.
  ///
  /// ```swift
  /// Parallel { await weather(in: "Utrecht") }.run { print($0) }
  /// ```
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
  /// - Throws: `CancellationError` if the waiting task is cancelled before the value arrives, or if the work releases its
  ///   callback without calling it.
  public func value() async throws(CancellationError) -> sending Value {
    let waiter = Waiter<Value>()
    let parcel = await withTaskCancellationHandler {
      // Checked, because ThreadSanitizer reports a false race for an unsafe one. `Waiter` of `Futures` is unsafe for speed.
      await withCheckedContinuation { continuation in
        guard waiter.put(continuation) else { return continuation.resume(returning: nil) }
        let arrival = Arrival(for: waiter)
        start { (value: sending Value) in arrival.resume(with: Parcel(value)) }
      }
    } onCancel: {
      waiter.take()?.resume(returning: nil)
    }
    guard let parcel else { throw CancellationError() }
    return parcel.take()
  }
}

private typealias Waiter<Value> = OnceSlot<CheckedContinuation<Parcel<Value>?, Never>>

/// The callback of a run, for a task that waits.
///
/// Releasing it without a value ends the wait.
private final class Arrival<Value>: Sendable {
  private let waiter: Waiter<Value>

  init(for waiter: Waiter<Value>) {
    self.waiter = waiter
  }

  deinit {
    waiter.take()?.resume(returning: nil)
  }

  func resume(with parcel: Parcel<Value>) {
    waiter.take()?.resume(returning: parcel)
  }
}
