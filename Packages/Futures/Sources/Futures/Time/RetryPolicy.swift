/// The number of attempts, the errors to retry, and the waits between attempts.
///
/// ```swift
/// let policy = RetryPolicy<NetworkError>(attempts: 5, backoff: .exponential(from: .milliseconds(200), atMost: .seconds(10))) {
///   $0.kind == .connectionLost
/// }
/// retry(policy) { _ in session.dataFuture(with: url) }
/// ```
public struct RetryPolicy<E: Error>: Sendable {
  public enum Backoff: Sendable, Hashable {
    case none
    case constant(Duration)
    /// A wait that is multiplied by `factor` after each failure, up to `atMost`. A factor below 1 counts as 1.
    case exponential(from: Duration, factor: Double = 2, atMost: Duration)
  }

  /// The random part of a wait, which keeps clients that failed together from retrying together.
  public enum Jitter: Sendable, Hashable {
    case none
    /// A uniformly random time from 0 to the full wait.
    case full
  }

  /// The maximum number of attempts.
  ///
  /// A number below 1 counts as 1.
  public var attempts: Int
  public var backoff: Backoff
  public var jitter: Jitter
  /// The clock that measures the waits.
  ///
  /// In a test, use a manual clock.
  public var clock: any Clock<Duration>
  /// Returns whether to retry after an error.
  ///
  /// It is called after each failure, except after the last allowed attempt or a cancelled attempt.
  public var isRetryable: @Sendable (E) -> Bool

  /// By default, a wait has a random part and is measured in real time, and every error is retried.
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

  /// Returns the wait after a number of failed attempts, at least 1: a duration from 0 to the back-off's wait.
  ///
  /// Equal generators give equal waits.
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
      // Computed as floating-point seconds and clamped, because a duration traps when it overflows.
      let longestSeconds = longest / .seconds(1)
      var (seconds, steps) = (first / .seconds(1), max(1, failures) - 1)
      while steps > 0, seconds > 0, seconds < longestSeconds, factor > 1 {
        seconds *= factor
        steps -= 1
      }
      return seconds < longestSeconds ? .seconds(seconds) : longest
    }
  }
}
