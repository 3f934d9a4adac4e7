internal import Foundation

/// The work is cancelled when the last waiter is cancelled.
///
/// A value that arrives later is discarded.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class SingleFlight<Value: Sendable>: @unchecked Sendable {
  /// The work was cancelled.
  ///
  /// Start another flight.
  struct Abandoned: Error {}

  private let lock = NSLock()
  private var waiters: [Waiter<Value>] = []
  private var result: Result<Value, any Error>?
  private var isAbandoned = false
  private var task: Task<Void, Never>?
  private let discard: @Sendable (Value) async -> Void

  /// `discard` disposes of a value that arrives while the last waiter cancels.
  init(
    discard: @escaping @Sendable (Value) async -> Void, _ work: @escaping @Sendable () async throws -> Value
  ) {
    self.discard = discard
    let task = Task(executorPreference: BrowserExecutor.shared) { [self] in
      do { complete(.success(try await work())) } catch { complete(.failure(error)) }
    }
    lock.withLock { self.task = task }
  }

  /// Waits for the value.
  ///
  /// - Throws: The error of the work; ``Abandoned``; `CancellationError` if the task is cancelled. A cancelled waiter returns at
  ///   once. The last one returns after the work has ended.
  func value() async throws -> Value {
    let waiter = Waiter<Value>()
    let known: Result<Value, any Error>? = lock.withLock {
      if isAbandoned { return .failure(Abandoned()) }
      if result == nil { waiters.append(waiter) }
      return result
    }
    if let known { return try known.get() }
    do {
      return try await waiter.value()
    } catch  where Task.isCancelled {
      if leave(waiter) {
        _ = await finalValue()
        if let value = completed { await discard(value) }
      }
      throw CancellationError()
    }
  }

  func abandon(_ error: any Error) {
    let waiters = lock.withLock {
      isAbandoned = true
      defer { self.waiters = [] }
      return self.waiters
    }
    lock.withLock { task }?.cancel()
    for waiter in waiters { waiter.resume(with: .failure(error)) }
  }

  /// Waits until the work has ended, and returns its value, also after ``abandon(_:)``.
  func finalValue() async -> Value? {
    await lock.withLock { task }?.value
    return completed
  }

  var completed: Value? { lock.withLock { try? result?.get() } }

  /// Returns whether the waiter was the last one; then cancels the work.
  private func leave(_ waiter: Waiter<Value>) -> Bool {
    let isLast = lock.withLock {
      guard let index = waiters.firstIndex(where: { $0 === waiter }) else { return false }
      waiters.remove(at: index)
      if waiters.isEmpty { isAbandoned = true }
      return waiters.isEmpty
    }
    if isLast { lock.withLock { task }?.cancel() }
    return isLast
  }

  private func complete(_ result: Result<Value, any Error>) {
    let waiters = lock.withLock {
      self.result = result
      defer { self.waiters = [] }
      return self.waiters
    }
    for waiter in waiters { waiter.resume(with: result) }
  }
}
