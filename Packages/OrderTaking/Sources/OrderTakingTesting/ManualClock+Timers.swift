public import OrderTaking
public import ParallelTesting

extension ManualClock {
  /// Timers that fire when this clock advances.
  ///
  /// Its zero is 1970.
  ///
  /// The callbacks run on the thread that advances the clock, before that call returns.
  public var timers: Timers {
    Timers(
      schedule: { delay, callback in
        let scheduled = self.schedule(after: delay, callback)
        return { scheduled.cancel() }
      },
      now: { self.now.offset })
  }
}
