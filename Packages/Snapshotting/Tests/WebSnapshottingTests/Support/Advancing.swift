import ParallelTesting

/// Does work while a clock goes from one sleep to the next, as long as the work needs.
func advancing<Value: Sendable>(
  _ clock: ManualClock, _ work: @Sendable () async throws -> Value
) async throws -> Value {
  let hand = Task { while true { try await clock.advanceToNextSleep() } }
  defer { hand.cancel() }
  return try await work()
}
