public import OrderTaking
public import ParallelTesting

extension ManualClock {
  /// Timers that fire when this clock advances.
  ///
  /// Its zero is 1970, and the start of the machine. The callbacks run on the thread that advances the clock, before that call
  /// returns.
  public var timers: Timers { timers(boot: 1) }

  /// Timers like ``timers``, on a machine that was started again.
  ///
  /// - Parameters:
  ///   - boot: A number that is different after each start of the machine.
  ///   - error: The difference of the clock that people set to the right time.
  public func timers(boot: UInt64, clockError error: Duration = .zero) -> Timers {
    Timers(
      schedule: { delay, callback in
        let scheduled = self.schedule(after: delay, callback)
        return { scheduled.cancel() }
      },
      now: {
        let now = self.now.offset
        return Moment(sinceEpoch: now + error, sinceBoot: now, boot: boot)
      })
  }
}
