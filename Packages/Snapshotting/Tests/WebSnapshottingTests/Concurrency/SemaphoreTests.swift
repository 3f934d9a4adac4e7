import TestSupport
import Testing

@testable import WebSnapshotting

@Suite("Semaphore", .timeLimit(.minutes(1)))
struct SemaphoreTests {
  @Test("a waiter that is cancelled ends at once, and the next one gets the slot")
  func cancelled() async throws {
    let slots = Semaphore(1)
    try await slots.wait()
    let second = Task { try await slots.wait() }
    try await poll(while: slots.waitingCount < 1)
    let third = Task { try await slots.wait() }
    try await poll(while: slots.waitingCount < 2)
    second.cancel()
    #expect(await failure { try await second.value }?.kind == .cancelled)
    slots.signal()
    try await third.value
    let fourth = Task { try await slots.wait() }
    slots.signal()
    try await fourth.value
  }

  @Test("a task that is cancelled before it waits takes no slot")
  func cancelledBefore() async throws {
    let slots = Semaphore(1)
    let begin = Signal()
    let task = Task {
      await begin.wait()
      try await slots.wait()
    }
    task.cancel()
    begin.raise()
    #expect(await failure { try await task.value }?.kind == .cancelled)
    try await slots.wait()
  }
}
