/// Classifies signals by the signals before them.
struct HeardSignals: Sendable {
  /// The meaning of a signal.
  enum Meaning {
    /// The first signal: the process should end.
    case wish
    /// A duplicate of the first signal: `timeout` signals both the process and its group.
    case echo
    /// A further signal: the process should end at once.
    case impatience
  }

  /// The first signal.
  private(set) var first: ExitReason?

  private var instant: ContinuousClock.Instant?

  /// Classifies a signal.
  ///
  /// The same signal within 0.1 s of the first is a duplicate, because nobody presses a key so fast.
  mutating func hear(_ signal: ExitReason, at now: ContinuousClock.Instant) -> Meaning {
    guard let first, let instant else {
      (self.first, self.instant) = (signal, now)
      return .wish
    }
    return signal == first && instant.duration(to: now) < .milliseconds(100) ? .echo : .impatience
  }
}
