// So that who imports Futures can catch what its futures fail with.
@_exported public import struct Parallel.TimeoutError

extension Future {
  /// A future with the same result, which fails when that is not there in time.
  ///
  /// When the time is over, this future is cancelled, unless somebody else waits for it.
  ///
  /// - Parameters:
  ///   - limit: How long to wait, from now.
  ///   - clock: Whose time it is, real time when left out; a test hands in a manual clock.
  ///   - error: What to fail with; evaluated at most once, when the time is over.
  ///
  /// ```swift
  /// bird.timeout(after: .seconds(2), failingWith: .tooSlow).onFailure { report($0) }
  /// ```
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock(),
    failingWith error: @autoclosure @escaping @Sendable () -> E
  ) -> Future<T, E> {
    if isCompleted { return self }
    let alarm = alarm(after: limit, on: clock)
    return makeRace([self, alarm]) { completer in
      relayCounted(to: completer) { $0 }
      // Cancelled with the whole, it has not rung.
      alarm.relayCounted(to: completer) { hasRung in hasRung == .success(true) ? .failure(error()) : nil }
    }
  }

  /// A future with the same result, which fails with a `TimeoutError` when that is not there in time.
  ///
  /// When the time is over, this future is cancelled, unless somebody else waits for it.
  ///
  /// - Parameters:
  ///   - limit: How long to wait, from now.
  ///   - clock: Whose time it is, real time when left out; a test hands in a manual clock.
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Future<T, any Error> where E == any Error {
    timeout(after: limit, on: clock, failingWith: TimeoutError(limit: limit))
  }

  /// A future with the same value, which fails with a `TimeoutError` when that is not there in time.
  ///
  /// When the time is over, this future is cancelled, unless somebody else waits for it.
  ///
  /// - Parameters:
  ///   - limit: How long to wait, from now.
  ///   - clock: Whose time it is, real time when left out; a test hands in a manual clock.
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Future<T, TimeoutError> where E == Never {
    promoteError().timeout(after: limit, on: clock, failingWith: TimeoutError(limit: limit))
  }
}
