/// Which signals have come, and what the next one means.
struct HeardSignals: Sendable {
  /// What a signal means after those before it.
  enum Meaning {
    /// Somebody asks the process to end.
    case wish
    /// The same wish once more: `timeout` sends its signal to the process and to its group.
    case echo
    /// Somebody does not want to wait for the end.
    case impatience
  }

  /// The first signal that came.
  private(set) var first: ExitReason?

  private var instant: ContinuousClock.Instant?

  /// Hears a signal; one of the first one's kind is its echo for a tenth of a second, since nobody presses a key so fast.
  mutating func hear(_ signal: ExitReason, at now: ContinuousClock.Instant) -> Meaning {
    guard let first, let instant else {
      (self.first, self.instant) = (signal, now)
      return .wish
    }
    return signal == first && instant.duration(to: now) < .milliseconds(100) ? .echo : .impatience
  }
}
