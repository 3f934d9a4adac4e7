import Futures
import ParallelTesting
import TestSupport
import Testing

private typealias Stoppable = Work<Int, StoppableError>

/// A clock whose sleeps fail.
struct FailingClock: Clock {
  var now: ContinuousClock.Instant { ContinuousClock().now }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { throw TestError.second }
}

/// Durations whose deadline has passed at the start.
private let past = [Duration.seconds(-1), .seconds(Int64.min), Duration(attoseconds: .min)]

@Suite("Timeouts", .timeLimit(.minutes(5)))
struct TimeoutTests {
  let clock = ManualClock()

  @Test(
    "a result before the timeout passes through, cancels the timer, and does not evaluate the error",
    arguments: [Result<Int, StoppableError>.success(1), .failure(.failed)])
  func inTime(result: Result<Int, StoppableError>) async throws {
    let (work, log) = (Stoppable(), Log<Int>())
    @Sendable func error() -> StoppableError {
      log.append(1)
      return .stopped
    }
    let limited = work.future.timeout(after: .seconds(5), on: clock, failingWith: error())
    #expect(try await clock.nextSleep() == clock.now.advanced(by: .seconds(5)))
    work.promise.complete(result)
    #expect(limited.result == result)
    try await clock.idle()
    await settle()
    #expect(work.stopCount == 0)
    #expect(log.all == [])
  }

  @Test("a timeout that passes fails the future, and stops its work unless that has another listener")
  func late() async throws {
    for isShared in [true, false] {
      let (work, stopped, start) = (Stoppable(), Log<Int>(), clock.now)
      work.promise.onCancel { stopped.append(1) }
      let other = isShared ? work.future.map(now) { $0 } : nil
      let limited = work.future.timeout(after: .seconds(5), on: clock, failingWith: .failed)
      _ = try await clock.nextSleep()
      clock.advance(to: start.advanced(by: .milliseconds(4_999)))
      await settle()
      #expect(!limited.isCompleted)
      clock.advance(by: .milliseconds(1))
      await #expect(throws: StoppableError.failed) { try await limited.get() }
      // Another thread stops the work after the future has failed: wait for the handler.
      if !isShared { await stopped.first(1) }
      work.promise.success(1)
      #expect(other == nil ? work.future.error == .stopped : other?.value == 1)
    }
  }

  @Test("a timeout without an error argument fails with TimeoutError")
  func defaultError() async throws {
    let any = Promise<Int, any Error>().future.timeout(after: .seconds(1), on: clock)
    let never = Promise<Int, Never>().future.timeout(after: .seconds(2), on: clock)
    _ = try await clock.sleeps(count: 2)
    clock.advance(by: .seconds(2))
    await #expect(throws: TimeoutError(limit: .seconds(1))) { try await any.get() }
    let error = await #expect(throws: TimeoutError.self) { try await never.get() }
    #expect(error?.description == "Timed out after 2.0 seconds. Try again, or raise the timeout.")
  }

  @Test("cancelling a future with a timeout cancels its timer and its work")
  func cancelled() async throws {
    let work = Stoppable()
    let limited = work.future.timeout(after: .seconds(5), on: clock, failingWith: .failed)
    _ = try await clock.nextSleep()
    limited.cancel()
    #expect(limited.error == .stopped)
    #expect(work.stopCount == 1)
    try await clock.idle()
  }

  @Test("a timeout keeps its limit after its listeners have left", arguments: Operator.allCases)
  func left(listener: Operator) async throws {
    let limited = Promise<Int, StoppableError>().future.timeout(after: .seconds(5), on: clock, failingWith: .failed)
    _ = try await clock.nextSleep()
    listener.derive(limited).cancel()
    try await clock.idle()
    #expect(!limited.isCompleted)
    clock.advance(by: .seconds(5))
    await #expect(throws: StoppableError.failed) { try await limited.get() }
  }

  @Test("a cancelled timeout whose error type lacks a cancellation value passes a result on, or fails at its limit")
  func cancelledWithoutCancellationValue() async throws {
    let (early, late) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    let limited = [early, late].map { $0.future.timeout(after: .seconds(5), on: clock, failingWith: .first) }
    let log = Log<Result<Int, TestError>>()
    for future in limited { future.onComplete(now) { log.append($0) } }
    _ = try await clock.sleeps(count: 2)
    for future in limited { future.cancel() }
    early.success(1)
    clock.advance(by: .milliseconds(4_999))
    await settle()
    #expect(!limited[1].isCompleted)
    clock.advance(by: .milliseconds(1))
    #expect(await log.first(2) == [.success(1), .failure(.first)])
  }

  @Test("a negative timeout has passed already", arguments: past)
  func negative(limit: Duration) async {
    let limited = Promise<Int, Never>().future.timeout(after: limit)
    await #expect(throws: TimeoutError(limit: limit)) { try await limited.get() }
  }

  @Test("a timeout of a completed future returns that future without a timer")
  func completed() {
    let future = Future<Int, TestError>(value: 1)
    #expect(future.timeout(after: .zero, on: clock, failingWith: .first) === future)
  }
}

@Suite("Delays", .timeLimit(.minutes(5)))
struct DelayTests {
  let clock = ManualClock()

  @Test("a delay starts when the result arrives, and passes a value or an error on when it has passed")
  func delay() async throws {
    let promises = (0..<2).map { _ in Promise<Int, TestError>() }
    let delayed = promises.map { $0.future.delay(for: .seconds(3), on: clock) }
    #expect(clock.armedCount == 0)
    promises[0].success(1)
    promises[1].failure(.first)
    _ = try await clock.sleeps(count: 2)
    #expect(delayed.allSatisfy { !$0.isCompleted })
    clock.advance(by: .seconds(3))
    #expect(try await delayed[0].get() == 1)
    await #expect(throws: TestError.first) { try await delayed[1].get() }
  }

  @Test("a cancelled delay ends at once, with the result if the error type lacks a cancellation value")
  func cancelled() async throws {
    let stoppable = Future<Int, StoppableError>(value: 1).delay(for: .seconds(3), on: clock)
    let (certain, log) = (Future<Int, Never>(value: 1).delay(for: .seconds(3), on: clock), Log<Int>())
    certain.onSuccess(now) { log.append($0) }
    _ = try await clock.sleeps(count: 2)
    stoppable.cancel()
    certain.cancel()
    #expect(stoppable.error == .stopped)
    #expect(await log.first(1) == [1])
    try await clock.idle()
  }

  @Test("a delay that its listeners have left has no timer, and ends for a new listener at its time")
  func left() async throws {
    let delayed = Future<Int, StoppableError>(value: 1).delay(for: .seconds(3), on: clock)
    _ = try await clock.nextSleep()
    delayed.map(now) { $0 }.cancel()
    try await clock.idle()
    clock.advance(by: .seconds(1))
    let next = delayed.map(now) { $0 + 1 }
    #expect(try await clock.nextSleep() == .init(offset: .seconds(3)))
    clock.advance(by: .seconds(2))
    #expect(try await next.get() == 2)
  }

  @Test("a delay can be zero or negative, or have a clock that fails", arguments: past + [.zero])
  func negative(duration: Duration) async {
    #expect(await Future<Int, Never>(value: 1).delay(for: duration).get() == 1)
    #expect(await Future<Int, Never>(value: 3).delay(for: .seconds(60), on: FailingClock()).get() == 3)
  }
}
