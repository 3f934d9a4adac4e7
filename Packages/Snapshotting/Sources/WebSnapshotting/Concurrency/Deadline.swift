/// A time limit that the steps of one capture share.
struct Deadline: Sendable {
  let limit: Duration
  private let clock: any Clock<Duration>
  private let remaining: @Sendable () -> Duration

  init(after limit: Duration, on clock: any Clock<Duration>) {
    (self.limit, self.clock) = (limit, clock)
    // No clock can count to the maximum of a duration.
    remaining = Self.countdown(from: min(limit, .seconds(1_000_000_000)), on: clock)
  }

  private static func countdown(from limit: Duration, on clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { limit - start.duration(to: clock.now) }
  }

  /// Does work, and cancels it when the time is up.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await first(
      work,
      or: { [clock, remaining] in
        try await clock.sleep(for: remaining())
        throw TimedOut()
      })
  }

  struct TimedOut: Error {}
}

/// Returns the result of the function that ends first, and cancels the other one.
func first<Value: Sendable>(
  _ one: @escaping @Sendable () async throws -> Value, or other: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask(executorPreference: BrowserExecutor.shared) { try await one() }
    group.addTask(executorPreference: BrowserExecutor.shared) { try await other() }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}
