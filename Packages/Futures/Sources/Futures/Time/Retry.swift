/// Repeats an operation until it succeeds, fails with an error that is not retryable, or has no attempts left.
///
/// Cancelling the future cancels the current attempt or wait, and ends the retries. If the error type has no
/// cancellation value, the future then has the result of the cancelled attempt, or the last error. Memory does not grow
/// with the number of attempts.
///
/// The first attempt starts before this returns. A later attempt starts on the thread that ended the wait before it or,
/// without a wait, on the thread that completed the attempt before it. `isRetryable` runs on the latter.
///
/// - Parameters:
///   - policy: The number of attempts, the errors to retry, and the waits.
///   - generator: The source of the random part of the waits. In a test, pass a generator with a seed.
///   - operation: A function that starts an attempt. Its argument is the attempt's number, from 1.
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

/// An operation that is repeated according to a policy.
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
          // Cancelled, and the error type cannot represent that: fail with the last error.
          hasRung == .success(true) ? .follow(retry.begin(attempt + 1, generator)) : .complete(result)
        })
    }
  }
}
