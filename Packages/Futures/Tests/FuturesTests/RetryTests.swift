import Futures
import ParallelTesting
import TestSupport
import Testing

private typealias Policy = RetryPolicy<TestError>

/// An operation that fails a number of times and then succeeds, and logs its attempts.
private final class Flaky: Sendable {
  let attempts = Log<Int>()
  private let failures: Int

  init(failures: Int) {
    self.failures = failures
  }

  func callAsFunction(_ attempt: Int) -> Future<Int, TestError> {
    attempts.append(attempt)
    return attempt <= failures ? Future(error: .numbered(attempt)) : Future(value: attempt)
  }
}

@Suite("Retries", .timeLimit(.minutes(5)))
struct RetryTests {
  let clock = ManualClock()

  private func policy(
    _ attempts: Int, _ backoff: Policy.Backoff = .none, jitter: Policy.Jitter = .none,
    isRetryable: @escaping @Sendable (TestError) -> Bool = { _ in true }
  ) -> Policy {
    RetryPolicy(attempts: attempts, backoff: backoff, jitter: jitter, clock: clock, isRetryable: isRetryable)
  }

  @Test("retry ends with the first value", arguments: 0..<4)
  func success(failures: Int) {
    let operation = Flaky(failures: failures)
    #expect(retry(policy(4)) { operation($0) }.value == failures + 1)
    #expect(operation.attempts.all == Array(1...failures + 1))
  }

  @Test(
    "retry fails with the last error after the maximum number of attempts, which is at least one",
    arguments: [-1, 0, 1, 3])
  func exhausted(attempts: Int) {
    let operation = Flaky(failures: 9)
    #expect(retry(policy(attempts)) { operation($0) }.error == .numbered(max(1, attempts)))
    #expect(operation.attempts.count == max(1, attempts))
  }

  @Test("retry ends with the first error that is not retryable")
  func predicate() {
    let operation = Flaky(failures: 9)
    #expect(retry(policy(9) { $0 != .numbered(3) }) { operation($0) }.error == .numbered(3))
    #expect(operation.attempts.count == 3)
  }

  @Test("retry waits between attempts for the back-off of its policy, on the policy's clock")
  func waits() async throws {
    let operation = Flaky(failures: 5)
    let future = retry(policy(9, .exponential(from: .seconds(1), atMost: .seconds(5)))) { operation($0) }
    for (attempt, seconds) in [1, 2, 4, 5, 5].enumerated() {
      #expect(operation.attempts.count == attempt + 1)
      let before = clock.now
      #expect(try await clock.advanceToNextSleep() == before.advanced(by: .seconds(seconds)))
      await operation.attempts.first(attempt + 2)
    }
    #expect(try await future.get() == 6)
  }

  // MARK: Policies

  @Test("full jitter draws a delay between zero and the full back-off, which a seed determines")
  func jitter() {
    let policy = policy(9, .exponential(from: .seconds(1), factor: 3, atMost: .seconds(100)), jitter: .full)
    for (failures, full) in [(1, 1.0), (2, 3), (5, 81), (6, 100), (1_000_000, 100)] {
      var generator = SeededGenerator(seed: 7)
      let delays = (0..<200).map { _ in policy.delay(after: failures, using: &generator) / .seconds(1) }
      #expect(delays.allSatisfy { (0...full).contains($0) })
      #expect(delays.contains { $0 < full * 0.1 } && delays.contains { $0 > full * 0.9 })
      var again = SeededGenerator(seed: 7)
      #expect(policy.delay(after: failures, using: &again) / .seconds(1) == delays[0])
    }
  }

  @Test("a policy with extreme or negative durations does not trap and never has a negative delay")
  func extremeDurations() {
    let backoffs: [Policy.Backoff] = [
      .exponential(from: .seconds(Int64.min), atMost: .seconds(9)),
      .constant(.seconds(-1)), .exponential(from: .seconds(-1), atMost: .seconds(-5)),
      .exponential(from: .seconds(3), factor: -2, atMost: .seconds(9)),
      .exponential(from: .seconds(Int64.max / 4), factor: 1e300, atMost: .seconds(Int64.max / 2)),
    ]
    var generator = SeededGenerator(seed: 1)
    for backoff in backoffs {
      for failures in [Int.min, -1, 0, 1, 2, 100] {
        for jitter in [Policy.Jitter.none, .full] {
          #expect(policy(2, backoff, jitter: jitter).delay(after: failures, using: &generator) >= .zero)
        }
      }
    }
  }

  @Test("an exponential factor below one counts as one", arguments: [0.5, 0, -2, .nan])
  func factor(factor: Double) {
    var generator = SeededGenerator(seed: 1)
    let policy = policy(9, .exponential(from: .seconds(3), factor: factor, atMost: .seconds(9)))
    for failures in 1...4 { #expect(policy.delay(after: failures, using: &generator) == .seconds(3)) }
  }

  // MARK: Cancellation

  @Test(
    "a cancelled retry whose error type lacks a cancellation value has the result of its attempt, which it does not repeat",
    arguments: [true, false])
  func cancelledPlain(canStop: Bool) {
    let attempts = Log<Promise<Int, TestError>>()
    let future = retry(policy(9)) { _ in
      let promise = Promise<Int, TestError>()
      if canStop { promise.onCancel { promise.failure(.second) } }
      attempts.append(promise)
      return promise.future
    }
    future.onComplete(now) { _ in }.cancel()
    #expect(future.isCompleted == canStop)
    attempts.all[0].failure(.first)
    #expect(future.error == (canStop ? .second : .first))
    #expect(attempts.count == 1)
  }

  @Test("cancelling a retry ends the wait between attempts, with the last error if the error type cannot be cancelled")
  func cancelledInWait() async throws {
    let operation = Flaky(failures: 9)
    let future = retry(policy(9, .constant(.seconds(1)))) { operation($0) }
    _ = try await clock.nextSleep()
    future.cancel()
    await #expect(throws: TestError.numbered(1)) { try await future.get() }
    #expect(operation.attempts.count == 1)
  }

  @Test("a retry that its listeners have left continues at its time for a new listener", arguments: Operator.allCases)
  func left(listener: Operator) async throws {
    let attempts = Log<Int>()
    let policy = RetryPolicy<StoppableError>(
      attempts: 3, backoff: .constant(.seconds(3)), jitter: .none, clock: clock)
    let future = retry(policy) { attempt -> Future<Int, StoppableError> in
      attempts.append(attempt)
      return attempt < 2 ? Future(error: .failed) : Future(value: attempt)
    }
    _ = try await clock.nextSleep()
    listener.derive(future).cancel()
    try await clock.idle()
    clock.advance(by: .seconds(1))
    let next = future.map(now) { $0 }
    #expect(try await clock.nextSleep() == .init(offset: .seconds(3)))
    #expect(attempts.all == [1])
    clock.advance(by: .seconds(2))
    #expect(try await next.get() == 2)
    #expect(attempts.all == [1, 2])
  }
}
