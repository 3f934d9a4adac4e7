extension ManualClock {
  /// A callback that a manual clock holds for a deadline.
  public struct ScheduledCallback: Sendable {
    private let clock: ManualClock
    private let ticket: Int

    /// When the callback is due.
    public let deadline: Instant

    init(clock: ManualClock, ticket: Int, deadline: Instant) {
      self.clock = clock
      self.ticket = ticket
      self.deadline = deadline
    }

    /// Calls the callback off.
    ///
    /// May be called from any thread, from the callback itself, and more than once.
    ///
    /// - Returns: Whether this call prevented it: `true` means that it has not run and never will, `false` that it has
    ///   run, is running, or was called off before.
    @discardableResult
    public func cancel() -> Bool { clock.disarm(ticket) }
  }

  /// Thrown by ``run(limit:)`` when the clock's agenda does not come to an end.
  public struct EndlessScheduleError: Error, CustomStringConvertible {
    /// How many sleepers and callbacks were fired.
    public let fired: Int
    /// How many were armed when it gave up.
    public let stillArmed: Int
    /// The earliest deadline among those.
    public let next: Instant

    /// What happened, and the way out.
    public var description: String {
      """
      Cannot run the manual clock to the end: it fired \(fired) sleepers and callbacks, and \(stillArmed) are still \
      armed, the next at \(next). If a callback reschedules itself, cancel it first or use advance(to:). Otherwise \
      raise the limit of run(limit:).
      """
    }
  }
}
