internal import Foundation

/// Lets so many captures go on at a time, and the others wait in turn.
///
/// `@unchecked Sendable`: `lock` guards everything that changes.
final class TabSlots: @unchecked Sendable {
  private let lock = NSLock()
  private var free: Int
  private var waiting: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var lastID = 0
  private var cancelled: Set<Int> = []

  init(_ count: Int) {
    free = max(1, count)
  }

  /// How many wait for a slot.
  var waitingCount: Int { lock.withLock { waiting.count } }

  /// Takes a slot, as soon as there is one.
  ///
  /// - Throws: `CancellationError` when the task is cancelled while it waits.
  func take() async throws {
    let id = lock.withLock {
      lastID += 1
      return lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled: Bool? = lock.withLock {
          if cancelled.remove(id) != nil { return true }
          if free > 0 {
            free -= 1
            return false
          }
          waiting.append((id, continuation))
          return nil
        }
        if isCancelled == true { continuation.resume(throwing: CancellationError()) }
        if isCancelled == false { continuation.resume() }
      }
    } onCancel: {
      let waiter: CheckedContinuation<Void, any Error>? = lock.withLock {
        guard let index = waiting.firstIndex(where: { $0.id == id }) else {
          cancelled.insert(id)
          return nil
        }
        return waiting.remove(at: index).continuation
      }
      waiter?.resume(throwing: CancellationError())
    }
    lock.withLock { _ = cancelled.remove(id) }
  }

  /// Gives a slot back.
  func giveBack() {
    let next: CheckedContinuation<Void, any Error>? = lock.withLock {
      guard waiting.isEmpty else { return waiting.removeFirst().continuation }
      free += 1
      return nil
    }
    next?.resume()
  }
}
