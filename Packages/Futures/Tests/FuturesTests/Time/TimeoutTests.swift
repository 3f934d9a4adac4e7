import Futures
import ParallelTesting
import Testing

@Suite("A time-out", .timeLimit(.minutes(5)))
struct TimeoutTests {
  typealias Stoppable = Work<Int, StoppableError>
  let clock = ManualClock()

  @Test("passes on what is there in time, and disarms its alarm")
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

  @Test("fails when its time is over, and cancels the work")
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
    // Which is cancelled after the future has failed, by a thread of its own. Who waited for it before would be wanting it.
    _ = await stopped.first(1)
    await #expect(throws: StoppableError.stopped) { try await work.future.get() }
    #expect(work.stopCount == 1)
  }

  @Test("cancels nothing that somebody else waits for")
  func shared() async throws {
    let work = Stoppable()
    let other = work.future.map(immediateExecutionContext) { $0 }
    let limited = work.future.timeout(after: .seconds(5), on: clock, failingWith: .failed)
    _ = try await clock.advanceToNextSleep()
    await #expect(throws: StoppableError.failed) { try await limited.get() }
    work.promise.success(1)
    #expect(other.value == 1)
  }

  @Test("has an error of its own for futures of any error, and for those that cannot fail")
  func ownError() async throws {
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

  @Test("can be cancelled, and then ends its alarm and the work")
  func cancelled() async throws {
    let work = Stoppable()
    let limited = work.future.timeout(after: .seconds(5), on: clock, failingWith: .failed)
    _ = try await clock.nextSleep()
    limited.cancel()
    #expect(limited.error == .stopped)
    #expect(work.stopCount == 1)
    try await clock.idle()
  }

  @Test("makes its error only when that is needed")
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

  @Test("longer than a system's clock can sleep is cut to a hundred years")
  func longest() async throws {
    let century = Duration.seconds(3_155_760_000)
    let limited = Promise<Int, Never>().future.timeout(after: .seconds(Int64.max), on: clock)
    #expect(try await clock.nextSleep() == clock.now.advanced(by: century))
    clock.advance(by: century)
    await #expect(throws: TimeoutError(limit: .seconds(Int64.max))) { try await limited.get() }
  }

  @Test("of a future that is completed needs no alarm")
  func completed() {
    let future = Future<Int, TestError>(value: 1)
    #expect(future.timeout(after: .zero, on: clock, failingWith: .first) === future)
  }
}

@Suite("A delay")
struct DelayTests {
  typealias Stoppable = Work<Int, StoppableError>
  let clock = ManualClock()

  @Test("begins when the result is there, and can be cancelled then too")
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

  @Test("is of real time without a clock, and may be of nothing")
  func realTime() async {
    let delayed = Future<Int, Never>(value: 1).delay(for: .zero)
    #expect(await delayed.get() == 1)
  }

  @Test("that is cancelled where the error cannot say so ends at once, with the result")
  func unrepresentable() async throws {
    let delayed = Future<Int, Never>(value: 1).delay(for: .seconds(3), on: clock)
    _ = try await clock.nextSleep()
    delayed.cancel()
    #expect(await delayed.get() == 1)
  }
}
