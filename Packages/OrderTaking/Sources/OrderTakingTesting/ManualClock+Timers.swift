public import OrderTaking
public import ParallelTesting

extension ManualClock {
  /// Timers for a taker whose time passes when this clock is moved; its zero is 1970.
  ///
  /// The callbacks run on the thread that moves the clock, inside the call that moves it.
  public var timers: Timers {
    Timers(
      schedule: { delay, callback in
        let scheduled = self.schedule(after: delay, callback)
        return { scheduled.cancel() }
      },
      now: { self.now.offset })
  }
}
