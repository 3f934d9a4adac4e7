import ParallelTesting

/// Does work, and advances a clock from sleep to sleep until the work is done.
///
/// The clock does not advance after the function returns. Later sleeps never end.
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
