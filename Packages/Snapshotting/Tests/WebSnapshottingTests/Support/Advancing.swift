import ParallelTesting

/// Does work while a clock goes from one sleep to the next, as long as the work needs.
///
/// The clock stands when the function returns. Later sleeps never end.
func advancing<Value: Sendable>(
  _ clock: ManualClock, _ work: @Sendable () async throws -> Value
) async throws -> Value {
  let hand = Task { while true { try await clock.advanceToNextSleep() } }
  let result: Result<Value, any Error>
  do { result = .success(try await work()) } catch { result = .failure(error) }
  hand.cancel()
  _ = await hand.result
  return try result.get()
}
