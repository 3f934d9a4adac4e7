extension Future {
  /// A future with the same result, completed later by a duration, on a clock that is handed in.
  ///
  /// It is asynchronous also when the duration is 0. Cancelling it ends the delay.
  ///
  /// - Parameters:
  ///   - duration: How long to wait after the result is there.
  ///   - clock: Whose time it is; a test hands in a manual clock.
  public func delay<C: Clock>(for duration: C.Duration, on clock: C) -> Future<T, E> {
    derived((), in: immediateExecutionContext) { _, result, _ in
      .follow(
        alarm(after: duration, on: clock).derived((), in: immediateExecutionContext) { _, _, _ in .complete(result) })
    }
  }

  /// A future with the same result, completed later by a duration of real time.
  ///
  /// As ``delay(for:on:)``.
  ///
  /// - Parameter duration: How long to wait after the result is there.
  public func delay(for duration: Duration) -> Future<T, E> { delay(for: duration, on: ContinuousClock()) }
}

/// A future that completes when a time has come, or at once when it is cancelled; it tells whether the time has come.
func alarm<C: Clock>(after duration: C.Duration, on clock: C) -> Future<Bool, Never> {
  let deadline = clock.now.advanced(by: (duration as? Duration)?.sleepable as? C.Duration ?? duration)
  return Future { (try? await clock.sleep(until: deadline, tolerance: nil)) != nil }
}

extension Duration {
  /// This, or a hundred years if that is less: the system's clocks stop the program when they are to sleep for much longer.
  package var sleepable: Duration { min(self, .seconds(3_155_760_000)) }
}
