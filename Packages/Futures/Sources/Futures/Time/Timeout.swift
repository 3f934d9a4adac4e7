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
  ///   - error: What to fail with; evaluated at most once, when the time is over, or when the future is cancelled and its type
  ///     of error cannot say so.
  ///
  /// ```swift
  /// bird.timeout(after: .seconds(2), failingWith: .tooSlow).onFailure { report($0) }
  /// ```
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock(),
    failingWith error: @autoclosure @escaping @Sendable () -> E
  ) -> Future<T, E> {
    if isCompleted { return self }
    let limited = Future(promised: ())
    let completer = Completer(limited)
    let alarm = alarm(after: limit, on: clock)
    limited.beginWaiting(for: ManyUpstreams([self, alarm]))
    register(Relay(to: limited) { completer.complete($0) })
    alarm.register(Relay<Result<Bool, Never>>(to: limited) { _ in completer.complete(.failure(error())) })
    return limited
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
