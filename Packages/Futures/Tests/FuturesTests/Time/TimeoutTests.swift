import Futures
import ParallelTesting
import TestSupport
import Testing

@Suite("Timeouts of futures", .timeLimit(.minutes(5)))
struct TimeoutTests {
  typealias Stoppable = Work<Int, StoppableError>
  let clock = ManualClock()

  @Test("a result before the timeout passes through and cancels the timer")
  func inTime() async throws {
    for result in [Result<Int, StoppableError>.success(1), .failure(.failed)] {
      let work = Stoppable()
      let limited = work.future.timeout(after: .seconds(5), on: clock, failingWith: .stopped)
      #expect(try await clock.nextSleep() == clock.now.advanced(by: .seconds(5)))
      work.promise.complete(result)
      #expect(limited.result == result)
      #expect(work.stopCount == 0)
      try await clock.idle()
    }
  }

  @Test("a timeout that passes fails the future and stops its work")
  func late() async throws {
    let work = Stoppable()
    let stopped = Log<Int>()
    work.promise.onCancel { stopped.append(1) }
    let limited = work.future.timeout(after: .seconds(5), on: clock, failingWith: .failed)
    _ = try await clock.nextSleep()
    clock.advance(by: .milliseconds(4_999))
    #expect(!limited.isCompleted)
    clock.advance(by: .milliseconds(1))
    await #expect(throws: StoppableError.failed) { try await limited.get() }
    // Another thread stops the work after the future has failed, and only without a listener: wait for the handler.
    _ = await stopped.first(1)
    await #expect(throws: StoppableError.stopped) { try await work.future.get() }
    #expect(work.stopCount == 1)
  }

  @Test("a timeout does not cancel work that has another listener")
  func shared() async throws {
    let work = Stoppable()
    let other = work.future.map(immediateExecutionContext) { $0 }
    let limited = work.future.timeout(after: .seconds(5), on: clock, failingWith: .failed)
    _ = try await clock.advanceToNextSleep()
    await #expect(throws: StoppableError.failed) { try await limited.get() }
    work.promise.success(1)
    #expect(other.value == 1)
  }

  @Test("a timeout without an error argument fails with TimeoutError")
  func defaultError() async throws {
    let any = Promise<Int, any Error>().future.timeout(after: .seconds(1), on: clock)
    let never = Promise<Int, Never>()
    let limited = never.future.timeout(after: .seconds(2), on: clock)
    _ = try await clock.sleeps(count: 2)
    clock.advance(by: .seconds(2))
    await #expect(throws: TimeoutError(limit: .seconds(1))) { try await any.get() }
    let error = await #expect(throws: TimeoutError.self) { try await limited.get() }
    #expect(
      error?.description
        == "Timed out after 2.0 seconds. Try again, or raise the timeout.")
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

  @Test("a timeout keeps its limit after its listeners have left", arguments: LeavingTests.Departure.allCases)
  func leftByListeners(departure: LeavingTests.Departure) async throws {
    let promise = Promise<Int, StoppableError>()
    let limited = promise.future.timeout(after: .seconds(5), on: clock, failingWith: .failed)
    _ = try await clock.nextSleep()
    await departure.leave(limited)
    #expect(!limited.isCompleted)
    clock.advance(by: .seconds(5))
    await #expect(throws: StoppableError.failed) { try await limited.get() }
  }

  @Test("a cancelled task in get() ends at the limit, if the error type lacks a cancellation value")
  func cancelledTask() async throws {
    let promise = Promise<Int, TestError>()
    let task = Task.immediate { [clock] in
      try await promise.future.timeout(after: .seconds(5), on: clock, failingWith: .first).get()
    }
    _ = try await clock.nextSleep()
    task.cancel()
    clock.advance(by: .seconds(5))
    await #expect(throws: TestError.first) { try await task.value }
  }

  @Test("a task that is cancelled before it waits ends at the limit, if the error type lacks a cancellation value")
  func cancelledBefore() async throws {
    let promise = Promise<Int, Never>()
    let task = Task { [clock] in try await promise.future.timeout(after: .seconds(5), on: clock).get() }
    task.cancel()
    _ = try await clock.nextSleep()
    clock.advance(by: .seconds(5))
    await #expect(throws: TimeoutError(limit: .seconds(5))) { try await task.value }
  }

  @Test("a cancelled timeout whose error type lacks a cancellation value fails at its limit")
  func cancelledWithoutCancellationValue() async throws {
    let promise = Promise<Int, TestError>()
    let limited = promise.future.timeout(after: .seconds(5), on: clock, failingWith: .first)
    let log = Log<Result<Int, TestError>>()
    limited.onComplete(immediateExecutionContext) { log.append($0) }
    _ = try await clock.nextSleep()
    limited.cancel()
    clock.advance(by: .milliseconds(4_999))
    for _ in 0..<100 { await Task.yield() }
    withKnownIssue("it fails at once") { #expect(!limited.isCompleted) }
    clock.advance(by: .milliseconds(1))
    #expect(await log.first(1) == [.failure(.first)])
  }

  @Test("a timeout evaluates its error only if it passes")
  func error() async throws {
    let log = Log<TestError>()
    let promise = Promise<Int, TestError>()
    @Sendable func failure() -> TestError {
      log.append(.first)
      return .first
    }
    let limited = promise.future.timeout(after: .seconds(5), on: clock, failingWith: failure())
    _ = try await clock.nextSleep()
    promise.success(1)
    try await clock.idle()
    for _ in 0..<100 { await Task.yield() }
    #expect(limited.value == 1)
    #expect(log.all.isEmpty)
  }

  @Test("a timeout is at most a hundred years, so that system clocks can sleep that long")
  func longest() async throws {
    let century = Duration.seconds(3_155_760_000 as Int64)
    let limited = Promise<Int, Never>().future.timeout(after: .seconds(Int64.max), on: clock)
    #expect(try await clock.nextSleep() == clock.now.advanced(by: century))
    clock.advance(by: century)
    await #expect(throws: TimeoutError(limit: .seconds(Int64.max))) { try await limited.get() }
  }

  @Test(
    "a negative timeout has passed already",
    arguments: [Duration.seconds(-1), .seconds(Int64.min), Duration(attoseconds: .min)])
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

@Suite("Delays of futures")
struct DelayTests {
  typealias Stoppable = Work<Int, StoppableError>
  let clock = ManualClock()

  @Test("a delay starts when the result arrives, and can be cancelled until it has passed")
  func cancelled() async throws {
    let work = Stoppable()
    let delayed = work.future.delay(for: .seconds(3), on: clock)
    #expect(clock.armedCount == 0)
    work.promise.success(1)
    _ = try await clock.nextSleep()
    delayed.cancel()
    #expect(delayed.error == .stopped)
    #expect(work.future.value == 1)
  }

  @Test("a delay without a clock uses real time, and can be zero")
  func realTime() async {
    let delayed = Future<Int, Never>(value: 1).delay(for: .zero)
    #expect(await delayed.get() == 1)
  }

  @Test(
    "a negative delay has passed already",
    arguments: [Duration.seconds(-1), .seconds(Int64.min), Duration(attoseconds: .min)])
  func negative(duration: Duration) async {
    #expect(await Future<Int, Never>(value: 1).delay(for: duration).get() == 1)
  }

  @Test("a cancelled delay of a future that cannot fail completes at once with the result")
  func withoutCancellationValue() async throws {
    let delayed = Future<Int, Never>(value: 1).delay(for: .seconds(3), on: clock)
    let log = Log<Int>()
    delayed.onSuccess(immediateExecutionContext) { log.append($0) }
    _ = try await clock.nextSleep()
    delayed.cancel()
    #expect(await log.first(1) == [1])
    #expect(await delayed.get() == 1)
  }

  @Test(
    "a delay that its listeners have left ends for a new listener at its time",
    arguments: LeavingTests.Departure.allCases)
  func leftByListeners(departure: LeavingTests.Departure) async throws {
    let delayed = Future<Int, StoppableError>(value: 1).delay(for: .seconds(3), on: clock)
    _ = try await clock.nextSleep()
    await departure.leave(delayed)
    try await clock.idle()
    clock.advance(by: .seconds(1))
    let next = delayed.map(immediateExecutionContext) { $0 + 1 }
    #expect(try await clock.nextSleep() == .init(offset: .seconds(3)))
    #expect(!delayed.isCompleted)
    clock.advance(by: .seconds(2))
    #expect(try await next.get() == 2)
  }

  @Test("a cancelled task in get() waits until the delay has passed, if the error type lacks a cancellation value")
  func cancelledTask() async throws {
    let delayed = Future<Int, Never>(value: 1).delay(for: .seconds(3), on: clock)
    let task = Task.immediate { await delayed.get() }
    _ = try await clock.nextSleep()
    task.cancel()
    #expect(try await clock.advanceToNextSleep() == .init(offset: .seconds(3)))
    #expect(await task.value == 1)
  }
}
