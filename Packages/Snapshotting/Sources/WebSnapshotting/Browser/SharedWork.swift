internal import Foundation

/// Work that is done once for all who wait for it, and is cancelled when the last of them has given up.
///
/// A task's value cannot be waited for in a way that ends with the one who waits; this can.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class SharedWork<Value: Sendable>: @unchecked Sendable {
  /// The work was given up by those who waited for it: begin another.
  struct GivenUp: Error {}

  private let lock = NSLock()
  private var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
  private var lastWaiter = 0
  private var outcome: Result<Value, any Error>?
  private var isGivenUp = false
  private var task: Task<Void, Never>?
  private let discard: @Sendable (Value) async -> Void

  /// Begins work, away from the cooperative pool.
  ///
  /// - Parameters:
  ///   - discard: What is done with that which is there in the moment in which the last one gives up, before that one goes on.
  ///   - work: The work.
  init(
    discardingBy discard: @escaping @Sendable (Value) async -> Void = { _ in },
    _ work: @escaping @Sendable () async throws -> Value
  ) {
    self.discard = discard
    let task = Task(executorPreference: BrowserExecutor.shared) { [self] in
      do { finish(.success(try await work())) } catch { finish(.failure(error)) }
    }
    lock.withLock { self.task = task }
  }

  /// Waits for the work.
  ///
  /// - Throws: What the work throws; ``GivenUp`` when nobody wanted it any more before; `CancellationError` when the task that waits
  ///   is cancelled: at once while others wait, and after the end of the work when it was the last.
  func value() async throws -> Value {
    let id = lock.withLock {
      lastWaiter += 1
      return lastWaiter
    }
    do {
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let known: Result<Value, any Error>? = lock.withLock {
            if isGivenUp { return .failure(GivenUp()) }
            if outcome == nil { waiting[id] = continuation }
            return outcome
          }
          if let known { return continuation.resume(with: known) }
          // Cancelled before there was anything to cancel.
          if Task.isCancelled { leave(id) }
        }
      } onCancel: {
        leave(id)
      }
    } catch let left as Left {
      if left.wasLast, let value = await finished() { await discard(value) }
      throw CancellationError()
    }
  }

  /// Gives the work up: whoever waits for it gets an error.
  ///
  /// - Returns: What came of the work, if it is done.
  @discardableResult
  func giveUp(_ error: any Error) -> Value? {
    let (waiters, value) = lock.withLock {
      isGivenUp = true
      defer { waiting = [:] }
      return (waiting, try? outcome?.get())
    }
    cancel()
    for waiter in waiters.values { waiter.resume(throwing: error) }
    return value
  }

  /// Waits until the work has ended, in whichever way.
  ///
  /// - Returns: What came of it, also when it was given up a moment before that was there.
  @discardableResult
  func finished() async -> Value? {
    await lock.withLock { task }?.value
    return lock.withLock { try? outcome?.get() }
  }

  private struct Left: Error {
    let wasLast: Bool
  }

  private func leave(_ id: Int) {
    let left: (waiter: CheckedContinuation<Value, any Error>, wasLast: Bool)? = lock.withLock {
      guard let waiter = waiting.removeValue(forKey: id) else { return nil }
      if waiting.isEmpty { isGivenUp = true }
      return (waiter, waiting.isEmpty)
    }
    guard let left else { return }
    if left.wasLast { cancel() }
    left.waiter.resume(throwing: Left(wasLast: left.wasLast))
  }

  private func cancel() {
    lock.withLock { task }?.cancel()
  }

  private func finish(_ outcome: Result<Value, any Error>) {
    let waiters = lock.withLock {
      self.outcome = outcome
      defer { waiting = [:] }
      return waiting
    }
    for waiter in waiters.values { waiter.resume(with: outcome) }
  }
}
