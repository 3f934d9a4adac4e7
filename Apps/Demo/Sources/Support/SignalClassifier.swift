/// Classifies signals by the signals before them.
struct SignalClassifier: Sendable {
  enum Meaning {
    /// The first signal: the process should end.
    case first
    /// A duplicate of the first signal: `timeout` signals both the process and its group.
    case duplicate
    /// A further signal: the process should end at once.
    case further
  }

  private(set) var first: ExitReason?

  private var instant: ContinuousClock.Instant?

  /// Classifies a signal; a repeated signal within 0.1 s is a duplicate, because no key is pressed so fast.
  mutating func classify(_ signal: ExitReason, at now: ContinuousClock.Instant) -> Meaning {
    guard let first, let instant else {
      (self.first, self.instant) = (signal, now)
      return .first
    }
    return signal == first && instant.duration(to: now) < .milliseconds(100) ? .duplicate : .further
  }
}
