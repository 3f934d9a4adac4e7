import Futures
import ParallelTesting
import TestSupport
import Testing

/// A situation of a source: a `retry` whose first attempt is pending, or has failed.
private struct Situation: CustomStringConvertible {
  /// Whether the first attempt has failed, and the retry waits for the next one.
  var waitsForRetry: Bool
  var hasBackoff: Bool
  /// Whether each request has a time limit; otherwise its error is mapped.
  var isLimited: Bool
  /// Whether the handler of a cancelled request fails the request.
  var failsInHandler: Bool

  static let all: [Situation] = [(false, false), (false, true), (true, true)].flatMap { waits, hasBackoff in
    [(true, true), (true, false), (false, true), (false, false)].map {
      Situation(waitsForRetry: waits, hasBackoff: hasBackoff, isLimited: $0.0, failsInHandler: $0.1)
    }
  }

  var description: String {
    """
    \(waitsForRetry ? "waiting for a retry" : "pending"), \(hasBackoff ? "with" : "without") back-off, \
    \(isLimited ? "timeout" : "mapError"), \(failsInHandler ? "failing" : "silent") handler
    """
  }
}

private enum End: String, CaseIterable { case left, cancelled, cancelledWithListener }

@Suite("A retry behind an operator that is cancelled, or that its last listener leaves", .timeLimit(.minutes(5)))
struct RetryingSourceTests {
  @Test(
    "cancelling or leaving a future stops the request or the timer of a retry once, and starts no further attempt",
    arguments: Operator.allCases)
  func stops(derivation: Operator) async throws {
    for situation in Situation.all {
      for end in End.allCases where end != .cancelledWithListener || !derivation.neverFails {
        try await check(derivation, situation, end, StoppableError.self)
      }
      for end in [End.left, .cancelled] { try await check(derivation, situation, end, TestError.self) }
    }
  }

  @Test(
    "cancelling a future that keeps a listener, and whose error type lacks a cancellation value, starts no further attempt",
    arguments: Operator.allCases)
  func stopsWithListener(derivation: Operator) async throws {
    for situation in Situation.all { try await check(derivation, situation, .cancelledWithListener, TestError.self) }
  }

  @Test("a cancelled task in get() does not arm the timer of a delay again and again")
  func get() async {
    let clock = CountingClock()
    let delayed = Future<Int, Never>(value: 1).delay(for: .seconds(60), on: clock)
    let task = Task.immediate { await delayed.get() }
    task.cancel()
    for _ in 0..<100 { await Task.yield() }
    #expect(clock.sleeps.value < 9)
    clock.manual.advance(by: .seconds(60))
    #expect(await task.value == 1)
  }

  private func check<E: SampleError>(
    _ derivation: Operator, _ situation: Situation, _ end: End, _ error: E.Type
  ) async throws {
    let comment = Comment(rawValue: "\(situation), \(end), \(E.self)")
    let (clock, own) = (CountingClock(), ManualClock())
    let (attempts, stops, calls) = (Log<Int>(), Log<Int>(), Log<String>())
    let requests = Log<Promise<Int, E>>()
    @Sendable func request() -> Future<Int, E> {
      if situation.waitsForRetry, attempts.count == 1 { return Future(error: .sample) }
      let promise = Promise<Int, E>()
      promise.onCancel {
        stops.append(1)
        if situation.failsInHandler { promise.failure(.sample) }
      }
      requests.append(promise)
      return promise.future
    }
    let policy = RetryPolicy<E>(
      attempts: 3, backoff: situation.hasBackoff ? .constant(.seconds(1)) : .none, jitter: .none, clock: clock)
    let source = retry(policy) { attempt in
      attempts.append(attempt)
      return situation.isLimited
        ? request().timeout(after: .seconds(2), on: clock, failingWith: .sample) : request().mapError(now) { $0 }
    }
    let derived = derivation.derive(source, on: own, calls)
    if situation.waitsForRetry || situation.isLimited { try await clock.manual.nextSleep() }
    if end == .cancelledWithListener { derived.listen() }
    if end == .left { derived.leave() } else { derived.cancel() }
    for _ in 0..<3 {
      await settle()
      // With a listener, a time limit still ends a request that ignores its cancellation.
      if end != .cancelledWithListener { try await clock.manual.idle() }
      clock.manual.advance(by: .seconds(10))
    }
    await settle()
    #expect(attempts.all == [1], comment)
    #expect(stops.count == (situation.waitsForRetry ? 0 : 1), comment)
    #expect(clock.sleeps.value < 9, comment)
    if end != .cancelledWithListener {
      try await own.idle()
      #expect(calls.all == [], comment)
    }
    for request in requests.all { request.success(0) }
    source.cancel()
  }
}

/// A manual clock that counts its sleeps.
private struct CountingClock: Clock {
  let manual = ManualClock()
  let sleeps = Box(0)

  var now: ManualClock.Instant { manual.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    sleeps.update { $0 += 1 }
    try await manual.sleep(until: deadline)
  }
}
