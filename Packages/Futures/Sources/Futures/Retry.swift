/// The number of attempts, the errors to retry, and the waits between attempts.
///
/// ```swift
/// let policy = RetryPolicy<NetworkError>(
///   attempts: 5, backoff: .exponential(from: .milliseconds(200), atMost: .seconds(10)), isRetryable: \.isTransient)
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
  public var clock: any Clock<Duration>
  /// Returns whether to retry after an error.
  ///
  /// It is called after each failure, except after the last allowed attempt or a cancelled attempt.
  public var isRetryable: @Sendable (E) -> Bool

  /// By default, a wait has a random part, and every error is retried.
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

  /// Returns the wait after a number of failed attempts, at least 1.
  ///
  /// Equal generators give equal waits.
  public func delay(after failures: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    let full = max(.zero, fullDelay(after: failures))
    return jitter == .none ? full : full * Double.random(in: 0...1, using: &generator)
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

/// Repeats an operation until it succeeds, fails with an error that is not retryable, or has no attempts left.
///
/// Cancelling the future cancels the current attempt or wait, and ends the retries. Without a cancellation value, the future then has the
/// result of the cancelled attempt, or the last error. If the last listener leaves, the attempt or wait is cancelled, and a later listener
/// makes the retry continue; a cancelled attempt counts.
///
/// The first attempt starts before this returns. The argument of `operation` is the attempt's number, from 1. A later attempt starts on the
/// thread that ended the wait or the previous attempt. Memory does not grow with the number of attempts.
///
/// ```swift
/// retry(RetryPolicy(attempts: 3, backoff: .constant(.seconds(1)))) { attempt in fetch(bird) }
/// ```
@preconcurrency
public func retry<T, E>(
  _ policy: RetryPolicy<E>, using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
  operation: @escaping @Sendable (_ attempt: Int) -> Future<T, E>
) -> Future<T, E> {
  let core = FutureCore<T, E>(completers: 0)
  Retry(policy: policy, operation: operation, generator: generator).start(for: core)
  return Future(core: core)
}

/// The attempts of a retry, one after the other.
private struct Retry<T: Sendable, E: Error>: Sendable {
  let policy: RetryPolicy<E>
  let operation: @Sendable (Int) -> Future<T, E>
  var generator: any RandomNumberGenerator & Sendable
  var attempt = 1

  func start(for future: FutureCore<T, E>) {
    link(operation(attempt).core, to: future) { [self] result, future in
      finish(with: result.completedResult, for: future)
    }
  }

  private func finish(with result: Result<T, E>, for future: FutureCore<T, E>) {
    guard case .failure(let error) = result, attempt < policy.attempts else {
      future.tryComplete(result)
      return
    }
    whenWanted(future, lastError: error) { future in
      guard policy.isRetryable(error) else {
        future.tryComplete(result)
        return
      }
      var next = self
      next.attempt += 1
      let delay = policy.delay(after: attempt, using: &next.generator)
      guard delay > .zero else { return next.start(for: future) }
      next.start(for: future, after: delay, on: policy.clock, lastError: error)
    }
  }

  private func start<C: Clock<Duration>>(
    for future: FutureCore<T, E>, after delay: Duration, on clock: C, lastError: E
  ) {
    link(deadline: clock.now.advanced(by: delay.sleepable), on: clock, to: future, isNeededWhileHeld: false) { future in
      whenWanted(future, lastError: lastError) { start(for: $0) }
    }
  }

  /// Continues at once, or with the next listener if everyone has left; a cancelled future gets the last error.
  private func whenWanted(
    _ future: FutureCore<T, E>, lastError: E, _ body: @escaping @Sendable (FutureCore<T, E>) -> Void
  ) {
    switch future.demand {
    case .wanted: body(future)
    case .ended: future.tryComplete(.failure(lastError))
    case .left:
      link(FutureCore<Void, Never>(result: .success(())), to: future) { _, future in
        whenWanted(future, lastError: lastError, body)
      }
    }
  }
}
