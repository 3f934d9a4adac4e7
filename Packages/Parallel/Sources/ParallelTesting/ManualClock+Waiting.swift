extension ManualClock {
  /// Waits until a sleep or a callback is armed, and returns the earliest deadline.
  ///
  /// Returns at once if one is already armed, so the code under test and the test can run in any order.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func nextSleep() async throws(CancellationError) -> Instant {
    try await sleeps(count: 1)[0]
  }

  /// Waits until at least `count` sleeps and callbacks are armed at the same time, and returns all armed deadlines,
  /// earliest first.
  ///
  /// Use it if several tasks must be asleep before the test advances the clock.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func sleeps(count: Int) async throws(CancellationError) -> [Instant] {
    try await deadlines(.atLeast(count))
  }

  /// Waits until a sleep or a callback is armed, then advances to the earliest deadline and fires everything due.
  ///
  /// ```swift
  /// for _ in 1...3 { try await clock.advanceToNextSleep() }  // through three retries with any delays
  /// ```
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  @discardableResult
  public func advanceToNextSleep() async throws(CancellationError) -> Instant {
    while true {
      try await nextSleep()
      // The armed sleep may have been cancelled. Then wait for the next one.
      if let deadline = advanceToNextDeadline() { return deadline }
    }
  }

  /// Waits until no task sleeps on this clock and no callback is scheduled.
  ///
  /// Use it to check that a cancellation has removed its timers. Returns at once if nothing is armed, so first wait
  /// with ``sleeps(count:)`` until the timers are armed.
  ///
  /// ```swift
  /// try await clock.nextSleep()
  /// order.cancel()
  /// try await clock.idle()  // its timers were removed
  /// ```
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled.
  public func idle() async throws(CancellationError) {
    _ = try await deadlines(.nothing)
  }
}
