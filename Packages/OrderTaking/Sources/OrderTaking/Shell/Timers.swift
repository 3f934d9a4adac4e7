public import Dispatch

/// The timers and the clock of a taker, as a struct of closures.
public struct Timers: Sendable {
  /// Calls back once after a time, on any thread, unless the returned function is called first.
  ///
  /// The callback must not run before this returns.
  public var schedule: @Sendable (Duration, _ callback: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  public var now: @Sendable () -> Moment

  public init(
    schedule: @escaping @Sendable (Duration, _ callback: @escaping @Sendable () -> Void) -> @Sendable () -> Void,
    now: @escaping @Sendable () -> Moment
  ) {
    self.schedule = schedule
    self.now = now
  }

  /// Returns timers on a Dispatch queue, and the system's clock.
  ///
  /// All timers share one timer of the system. On a concurrent queue, callbacks can run concurrently. The timers stop
  /// while the machine sleeps, so an operation compares its deadline with the time before each request.
  public static func dispatch(on queue: DispatchQueue = .global()) -> Timers {
    let timers = TimerQueue(queue)
    return Timers(
      schedule: { delay, callback in
        let timer = timers.schedule(after: delay.clampedNanoseconds, callback)
        return { timer.cancel() }
      },
      now: { .current })
  }
}

extension Duration {
  /// The time in nanoseconds, at most a century, so that a deadline cannot overflow.
  fileprivate var clampedNanoseconds: UInt64 {
    UInt64(max(0, min(self, .seconds(3_155_760_000 as Int64)).wholeNanoseconds))
  }
}
