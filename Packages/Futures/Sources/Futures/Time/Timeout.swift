// An import of Futures alone must suffice to catch the errors of its futures.
@_exported public import struct Isolation.TimeoutError

extension Future {
  /// Returns a future with the same result, which fails after a time limit from now.
  ///
  /// After the time limit, the new future leaves this one: work without another listener is stopped. The future fails
  /// on Swift's cooperative pool. A result in time is passed on by the thread that completes this future. The time
  /// limit holds although all listeners have left, or the future was cancelled without a cancellation value.
  ///
  /// ```swift
  /// bird.timeout(after: .seconds(2), failingWith: .tooSlow).onFailure { report($0) }
  /// ```
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock(),
    failingWith error: @autoclosure @escaping @Sendable () -> E
  ) -> Future<T, E> {
    if isCompleted { return self }
    let alarm = Deadline(after: limit, on: clock).alarm()
    return makeRace([self]) { completer in
      relayCounted(to: completer) { $0 }
      alarm.register(
        Relay<Result<Bool, Never>>(to: completer.async) { hasRung in
          if hasRung == .success(true) { completer.complete(.failure(error())) }
        })
      completer.async.addHandler(AlarmHandler(alarm))
    }
  }

  /// Returns a future with the same result, which fails with a `TimeoutError` after a time limit.
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Future<T, any Error> where E == any Error {
    timeout(after: limit, on: clock, failingWith: TimeoutError(limit: limit))
  }

  /// Returns a future with the same value, which fails with a `TimeoutError` after a time limit.
  public func timeout(
    after limit: Duration, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Future<T, TimeoutError> where E == Never {
    promoteError().timeout(after: limit, on: clock, failingWith: TimeoutError(limit: limit))
  }
}

/// Stops an alarm when its owner is settled.
///
/// The alarm is not a member of the race, because a member without a listener is stopped: the future would lose its time
/// limit when its listeners leave.
///
/// `@unchecked Sendable`: its own fields are constants; see `_Listener`.
private final class AlarmHandler: CancellationHandler, @unchecked Sendable {
  private let alarm: Future<Bool, Never>

  init(_ alarm: Future<Bool, Never>) {
    self.alarm = alarm
  }

  override func ownerHasSettled() {
    alarm.cancel()
  }
}
