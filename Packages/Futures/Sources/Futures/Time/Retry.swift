/// Repeats an operation until it succeeds, fails with an error that is not retryable, or has no attempts left.
///
/// Cancelling the future cancels the current attempt or wait, and ends the retries. If the error type has no
/// cancellation value, the future then has the result of the cancelled attempt, or the last error. If the last listener
/// leaves during a wait, a later listener makes the retry continue. Memory does not grow with the number of attempts.
///
/// The first attempt starts before this returns. The argument of `operation` is the attempt's number, from 1. A later
/// attempt starts on the thread that ended the wait. Without a wait, it starts on the thread that completed the
/// previous attempt. `isRetryable` runs on the latter.
///
/// ```swift
/// retry(RetryPolicy(attempts: 3, backoff: .constant(.seconds(1)))) { attempt in fetch(bird) }
/// ```
@preconcurrency
public func retry<T, E>(
  _ policy: RetryPolicy<E>, using generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
  operation: @escaping @Sendable (_ attempt: Int) -> Future<T, E>
) -> Future<T, E> {
  let first = operation(1)
  let state = Retry<T, E>(policy: policy, operation: operation, generator: generator)
  let future = Stage<Retry<T, E>?, T, E>(state, waitingFor: .one(first), reaction: Retry<T, E>.advance)
  first.register(future)
  return future
}

private struct Retry<T: Sendable, E: Error>: Sendable {
  let policy: RetryPolicy<E>
  let operation: @Sendable (Int) -> Future<T, E>
  var generator: any RandomNumberGenerator & Sendable
  var attempt = 1
  var wait: (end: Deadline, error: E)?

  static func advance(_ listener: _Listener, _ upstream: _AsyncCore, _ isInContext: Bool) -> Bool {
    let future = unsafeDowncast(listener, to: Stage<Retry?, T, E>.self)
    guard !future.isSettled, var retry = future.held else {
      future.held = nil
      return true
    }
    switch retry.next(after: upstream, isCancelled: future.isCancelled) {
    case .complete(let result):
      future.held = nil
      future.tryComplete(result)
    case .wait(let other):
      future.held = retry
      // The future may have been cancelled during the attempt's start.
      if !future.replaceUpstream(with: other) { future.held = nil }
    }
    return true
  }

  private enum Next {
    case complete(Result<T, E>)
    case wait(_AsyncCore)
  }

  private mutating func next(after upstream: _AsyncCore, isCancelled: Bool) -> Next {
    if let wait {
      if hasRung(upstream) { return nextAttempt() }
      // The alarm was stopped because all listeners left. Otherwise the future was cancelled, or the clock failed.
      let isLeft = upstream.isCancelled && !isCancelled
      return isLeft ? .wait(wait.end.alarm()) : .complete(.failure(wait.error))
    }
    let result = unsafeDowncast(upstream, to: Future<T, E>.self).completedValue
    guard case .failure(let error) = result, attempt < policy.attempts, !isCancelled, !upstream.isCancelled,
      policy.isRetryable(error)
    else { return .complete(result) }
    let delay = policy.delay(after: attempt, using: &generator)
    guard delay > .zero else { return nextAttempt() }
    let end = Deadline(after: delay, on: policy.clock)
    wait = (end, error)
    return .wait(end.alarm())
  }

  private mutating func nextAttempt() -> Next {
    wait = nil
    attempt += 1
    return .wait(operation(attempt))
  }
}
