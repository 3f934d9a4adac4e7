/// How often to try, which failures to try again after, and how long to wait in between.
///
/// ```swift
/// let policy = RetryPolicy<NetworkError>(attempts: 5, backoff: .exponential(from: .milliseconds(200), atMost: .seconds(10))) {
///   $0.kind == .connectionLost
/// }
/// retry(policy) { _ in session.dataFuture(with: url) }
/// ```
public struct RetryPolicy<E: Error>: Sendable {
  /// How long to wait before the next attempt, by how many have failed.
  public enum Backoff: Sendable, Hashable {
    /// No time at all.
    case none
    /// Always the same time.
    case constant(Duration)
    /// The first time, then always `factor` times as long as before, and never longer than `atMost`; a
    /// factor below 1 counts as 1.
    case exponential(from: Duration, factor: Double = 2, atMost: Duration)
  }

  /// How much of that time is left to chance, so that many who failed together do not come again together.
  public enum Jitter: Sendable, Hashable {
    /// Nothing.
    case none
    /// All of it: any time from 0 to the full one, each as likely.
    case full
  }

  /// How often to try in all; less than 1 counts as 1.
  public var attempts: Int
  /// How long to wait before the next attempt.
  public var backoff: Backoff
  /// How much of that is left to chance.
  public var jitter: Jitter
  /// Whose time it is; a test hands in a manual clock.
  public var clock: any Clock<Duration>
  /// Whether to try again after an error; called once for each failure but the last.
  public var isRetryable: @Sendable (E) -> Bool

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attempts: How often to try in all; less than 1 counts as 1.
  ///   - backoff: How long to wait before the next attempt.
  ///   - jitter: How much of that is left to chance.
  ///   - clock: Whose time it is.
  ///   - isRetryable: Whether to try again after an error; always, when left out.
  public init(
    attempts: Int, backoff: Backoff, jitter: Jitter = .full, clock: any Clock<Duration> = ContinuousClock(),
    isRetryable: @escaping @Sendable (E) -> Bool = { _ in true }
  ) {
    self.attempts = attempts
    self.backoff = backoff
    self.jitter = jitter
    self.clock = clock
    self.isRetryable = isRetryable
  }

  /// How long to wait after so many attempts have failed.
  ///
  /// - Parameters:
  ///   - failures: How many have failed, at least 1.
  ///   - generator: Where the chance comes from; the same one gives the same time.
  /// - Returns: A time that is not negative, and in no case longer than the back-off says.
  public func delay(after failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let full = max(.zero, fullDelay(after: failures))
    guard jitter == .full, full > .zero else { return full }
    return min(full, full * Double.random(in: 0...1, using: &generator))
  }

  private func fullDelay(after failures: Int) -> Duration {
    switch backoff {
    case .none: return .zero
    case .constant(let duration): return duration
    case .exponential(let first, let factor, let longest):
      // In seconds, and no further than the longest, since a duration traps when it overflows.
      let longestSeconds = longest / .seconds(1)
      var (seconds, steps) = (first / .seconds(1), failures - 1)
      while steps > 0, seconds > 0, seconds < longestSeconds, factor > 1 {
        seconds *= factor
        steps -= 1
      }
      return seconds < longestSeconds ? .seconds(seconds) : longest
    }
  }
}
