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
  let future = Future<T, E>(promised: ())
  Retry(policy, operation, for: future).begin(1, generator)
  return future
}

/// One operation that is tried again and again.
private final class Retry<T: Sendable, E: Error>: Sendable {
  private let policy: RetryPolicy<E>
  private let operation: @Sendable (Int) -> Future<T, E>
  private let future: Future<T, E>
  private let completer: Completer<Result<T, E>>

  init(_ policy: RetryPolicy<E>, _ operation: @escaping @Sendable (Int) -> Future<T, E>, for future: Future<T, E>) {
    self.policy = policy
    self.operation = operation
    self.future = future
    completer = Completer(future)
  }

  func begin(_ attempt: Int, _ generator: any RandomNumberGenerator & Sendable) {
    operation(attempt).relay(to: future) { result in
      guard case .failure(let error) = result, attempt < self.policy.attempts, !self.future.isCancelled,
        self.policy.isRetryable(error)
      else { return self.completer.complete(result) }
      var generator = generator
      let delay = self.policy.delay(after: attempt, using: &generator)
      guard delay > .zero else { return self.begin(attempt + 1, generator) }
      alarm(after: delay, on: self.policy.clock).relay(to: self.future) { [generator] timeHasCome in
        // Cancelled, where the error cannot say so: what is known is the last failure.
        if timeHasCome == .success(true) { self.begin(attempt + 1, generator) } else { self.completer.complete(result) }
      }
    }
  }
}
