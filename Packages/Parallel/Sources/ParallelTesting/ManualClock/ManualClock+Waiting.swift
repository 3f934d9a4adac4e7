extension ManualClock {
  /// Waits until something is armed, and answers the earliest deadline.
  ///
  /// Returns at once when a sleep or a callback is armed already, so it does not matter whether the code under test or the
  /// test gets there first.
  ///
  /// - Returns: The earliest deadline armed.
  /// - Throws: `CancellationError` when the waiting task is cancelled; then nothing is left behind.
  @discardableResult
  public func nextSleep() async throws(CancellationError) -> Instant {
    try await sleeps(count: 1)[0]
  }

  /// Waits until at least `count` sleeps and callbacks are armed at the same time.
  ///
  /// Use it when several tasks have to be asleep before time moves.
  ///
  /// - Parameter count: How many; zero or less returns at once.
  /// - Returns: The deadlines of all that are armed then, earliest first: `count` or more of them.
  /// - Throws: `CancellationError` when the waiting task is cancelled; then nothing is left behind.
  @discardableResult
  public func sleeps(count: Int) async throws(CancellationError) -> [Instant] {
    try await deadlines(.atLeast(count))
  }

  /// Waits until something is armed, then moves time to the earliest deadline and fires everything due there.
  ///
  /// ```swift
  /// for _ in 1...3 { try await clock.advanceToNextSleep() }  // through three retries, whatever their delays
  /// ```
  ///
  /// - Returns: The time it went to.
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  @discardableResult
  public func advanceToNextSleep() async throws(CancellationError) -> Instant {
    while true {
      try await nextSleep()
      // What was armed may have been cancelled since; then wait for the next.
      if let deadline = advanceToNextDeadline() { return deadline }
    }
  }
  /// Waits until nothing is armed: no task sleeps on this clock, and no callback is due.
  ///
  /// That is what should be left after a cancellation. Returns at once when nothing is armed already; so first wait with
  /// ``sleeps(count:)`` for what is to go.
  ///
  /// ```swift
  /// try await clock.nextSleep()
  /// order.cancel()
  /// try await clock.idle()  // its timers are gone
  /// ```
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled; then nothing is left behind.
  public func idle() async throws(CancellationError) {
    _ = try await deadlines(.nothing)
  }
}
