internal import Foundation

/// `@unchecked Sendable`: `lock` guards everything that changes.
final class Semaphore: @unchecked Sendable {
  private let lock = NSLock()
  private var free: Int
  private var waiters: [Waiter<Void>] = []

  init(_ count: Int) {
    free = max(1, count)
  }

  var waitingCount: Int { lock.withLock { waiters.count } }

  /// - Throws: `CancellationError` if the task is cancelled. No slot is taken then.
  func wait() async throws {
    try Task.checkCancellation()
    let waiter: Waiter<Void>? = lock.withLock {
      if free > 0 {
        free -= 1
        return nil
      }
      let waiter = Waiter<Void>()
      waiters.append(waiter)
      return waiter
    }
    try await waiter?.value()
  }

  func signal() {
    while true {
      let next: Waiter<Void>? = lock.withLock {
        guard waiters.isEmpty else { return waiters.removeFirst() }
        free += 1
        return nil
      }
      // A waiter that was cancelled does not take the slot.
      guard let next, !next.resume(with: .success(())) else { return }
    }
  }
}
