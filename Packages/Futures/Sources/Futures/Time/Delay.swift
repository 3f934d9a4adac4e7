extension Future {
  /// Returns a future with the same result, which is completed later by a duration.
  ///
  /// The completion is asynchronous, on Swift's cooperative pool, even if the duration is 0. Cancelling the future ends
  /// the delay. If the error type has no cancellation value, the future is then completed at once.
  ///
  /// - Parameters:
  ///   - duration: The time between this future's completion and the new future's.
  ///   - clock: The clock that measures the time. In a test, pass a manual clock.
  public func delay<C: Clock>(for duration: C.Duration, on clock: C) -> Future<T, E> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      .follow(
        alarm(after: duration, on: clock).derived((), in: immediateExecutionContext) { _, _, _ in .complete(result) })
    }
  }

  /// Returns a future with the same result, which is completed later by a duration of real time.
  ///
  /// Like ``delay(for:on:)`` with a `ContinuousClock`.
  ///
  /// - Parameter duration: The time between this future's completion and the new future's.
  public func delay(for duration: Duration) -> Future<T, E> { delay(for: duration, on: ContinuousClock()) }
}
