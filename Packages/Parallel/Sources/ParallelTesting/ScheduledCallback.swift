extension ManualClock {
  /// A handle of a callback that is scheduled on a manual clock.
  public struct ScheduledCallback: Sendable {
    private let clock: ManualClock
    private let ticket: Int

    public let deadline: Instant

    init(clock: ManualClock, ticket: Int, deadline: Instant) {
      self.clock = clock
      self.ticket = ticket
      self.deadline = deadline
    }

    /// Cancels the callback.
    ///
    /// May be called from any thread, from the callback itself, and more than once.
    ///
    /// - Returns: `true` if this call prevented the callback, and `false` if it has run, is running, or was already
    ///   cancelled.
    @discardableResult
    public func cancel() -> Bool { clock.disarm(ticket) }
  }

  /// The error of ``run(limit:)`` if something is still armed after the maximum number of entries has fired.
  public struct EndlessScheduleError: Error, CustomStringConvertible {
    public let fired: Int
    public let stillArmed: Int
    public let next: Instant

    public var description: String {
      """
      Cannot run the manual clock to the end: it fired \(fired) sleepers and callbacks, and \(stillArmed) are still \
      armed, the next at \(next). If a callback reschedules itself, cancel it first or use advance(to:). Otherwise \
      raise the limit of run(limit:).
      """
    }
  }
}
