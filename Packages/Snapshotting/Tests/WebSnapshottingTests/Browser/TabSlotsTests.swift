import Testing

@testable import WebSnapshotting

@Suite("Slots for captures", .timeLimit(.minutes(1)))
struct TabSlotsTests {
  @Test("One who is cancelled while others hold all of them ends at once, and the next gets the slot")
  func cancelled() async throws {
    let slots = TabSlots(1)
    try await slots.take()
    let (second, third) = (Task { try await slots.take() }, Task { try await slots.take() })
    while slots.waitingCount < 2 { await Task.yield() }
    second.cancel()
    #expect(await failure { try await second.value }?.kind == .cancelled)
    slots.giveBack()
    try await third.value
    let fourth = Task { try await slots.take() }
    slots.giveBack()
    try await fourth.value
  }

  @Test("One who is cancelled before asking takes none")
  func cancelledBefore() async throws {
    let slots = TabSlots(1)
    let begin = Signal()
    let task = Task {
      await begin.wait()
      try await slots.take()
    }
    task.cancel()
    begin.raise()
    #expect(await failure { try await task.value }?.kind == .cancelled)
    try await slots.take()
  }
}
