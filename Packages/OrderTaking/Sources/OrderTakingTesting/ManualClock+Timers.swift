public import OrderTaking
public import ParallelTesting

extension ManualClock {
  /// Timers that fire when this clock advances.
  ///
  /// At the clock's zero it is the start of 1970, and the machine starts. The callbacks run on the thread that advances
  /// the clock, before that call returns.
  public var timers: Timers { timers(boot: 1) }

  /// Timers like ``timers``, on a machine that has restarted.
  public func timers(boot: UInt64) -> Timers {
    Timers(
      schedule: { delay, callback in
        let scheduled = self.schedule(after: delay, callback)
        return { scheduled.cancel() }
      },
      now: {
        let now = self.now.offset
        return Moment(sinceEpoch: now, sinceBoot: now, boot: boot)
      })
  }
}
