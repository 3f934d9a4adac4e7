/// Tries an operation until it succeeds, its failure is none to try again after, or there were enough attempts.
///
/// Cancelling the future cancels the attempt or the wait that is under way, and nothing is tried again. Each attempt
/// begins on the thread on which the wait before it ended; the first before this returns. Memory does not grow with the
/// number of attempts.
///
/// - Parameters:
///   - policy: How often, after what, and when.
///   - generator: Where the chance in the waits comes from; a test hands in one with a seed.
///   - operation: Starts an attempt; called with its number, from 1.
/// - Returns: A future of the first value, or of the last error.
///
/// ```swift
/// retry(RetryPolicy(attempts: 3, backoff: .constant(.seconds(1)))) { attempt in fetch(bird) }
/// ```
@preconcurrency
public func retry<T, E>(
  _ policy: RetryPolicy<E>, using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
  operation: @escaping @Sendable (_ attempt: Int) -> Future<T, E>
) -> Future<T, E> {
  Retry(policy, operation).begin(1, generator)
}

/// An operation that is tried again and again.
private struct Retry<T: Sendable, E: Error>: Sendable {
  private let policy: RetryPolicy<E>
  private let operation: @Sendable (Int) -> Future<T, E>

  init(_ policy: RetryPolicy<E>, _ operation: @escaping @Sendable (Int) -> Future<T, E>) {
    self.policy = policy
    self.operation = operation
  }

  func begin(_ attempt: Int, _ generator: any RandomNumberGenerator & Sendable) -> Future<T, E> {
    let current = operation(attempt)
    return current.derived(self, in: immediateExecutionContext) { retry, result, _ in
      let policy = retry.policy
      guard case .failure(let error) = result, attempt < policy.attempts, !current.isCancelled,
        policy.isRetryable(error)
      else { return .complete(result) }
      var generator = generator
      let delay = policy.delay(after: attempt, using: &generator)
      guard delay > .zero else { return .follow(retry.begin(attempt + 1, generator)) }
      let alarm = alarm(after: delay, on: policy.clock)
      return .follow(
        alarm.derived(generator, in: immediateExecutionContext) { generator, hasRung, _ in
          // Cancelled, where the error type cannot represent it: the last failure is known.
          hasRung == .success(true) ? .follow(retry.begin(attempt + 1, generator)) : .complete(result)
        })
    }
  }
}
