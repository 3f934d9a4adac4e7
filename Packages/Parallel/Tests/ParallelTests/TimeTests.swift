import Parallel
import ParallelTesting
import TestSupport
import Testing

@Suite("delay and timeout")
struct TimeTests {
  let clock = ManualClock()

  @Test("a delayed value arrives when the delay has passed, and not before")
  func delay() async throws {
    let log = Log<Int>()
    let delayed = Parallel(value: 1).delay(for: .seconds(3), on: clock).map { value in
      log.append(value)
      return value
    }
    async let answer = delayed.value()
    #expect(try await clock.nextSleep() == .init(offset: .seconds(3)))
    clock.advance(by: .milliseconds(2_999))
    #expect(clock.armedCount == 1)
    #expect(log.all.isEmpty)
    clock.advance(by: .milliseconds(1))
    #expect(try await answer == 1)
    #expect(clock.now == .init(offset: .seconds(3)))
  }

  @Test("a delay starts when the value arrives, not when the run starts")
  func delayFromArrival() async throws {
    let held = HeldWork<Int>()
    let log = Log<Int>()
    let arrived = held.parallel.delay(for: .seconds(3), on: clock)
    arrived.run { log.append($0) }
    clock.advance(by: .seconds(10))
    #expect(clock.armedCount == 0)
    held.answer(1)
    #expect(try await clock.nextSleep() == .init(offset: .seconds(13)))
    clock.advance(by: .seconds(3))
  }

  @Test("a delay of zero or less calls back without a sleep", arguments: [Duration.zero, .seconds(-1)])
  func noDelay(duration: Duration) async throws {
    #expect(try await Parallel(value: 1).delay(for: duration, on: clock).value() == 1)
    #expect(clock.armedCount == 0)
  }

  @Test("a delay on a clock that fails calls back with the value")
  func failingClock() async throws {
    #expect(try await Parallel(value: 1).delay(for: .seconds(1), on: BrokenClock()).value() == 1)
  }

  @Test("delay and timeout without a clock use real time")
  func realTime() async throws {
    let delayed = Parallel(value: 1).delay(for: .zero)
    #expect(try await delayed.timeout(after: .seconds(3_600)).value() == .success(1))
    #expect(try await Parallel<Int> { _ in }.timeout(after: .zero).value() == .failure(TimeoutError(limit: .zero)))
  }

  @Test("a delay and a timeout of the longest duration last a hundred years")
  func longestDuration() async throws {
    let longest = Duration.seconds(Int64.max)
    let delayed = Parallel(value: 1).delay(for: longest, on: clock)
    async let answer = delayed.value()
    #expect(try await clock.nextSleep() == .init(offset: .seconds(3_155_760_000 as Int64)))
    try await clock.advanceToNextSleep()
    #expect(try await answer == 1)
    let held = HeldWork<Int>()
    let log = Log<Result<Int, TimeoutError>>()
    held.parallel.timeout(after: longest).run { log.append($0) }
    held.answer(2)
    #expect(log.all == [.success(2)])
  }

  @Test("a value before the timeout is called back and cancels the timer")
  func inTime() async throws {
    let held = HeldWork<Int>()
    let log = Log<Result<Int, TimeoutError>>()
    held.parallel.timeout(after: .seconds(5), on: clock).run { log.append($0) }
    #expect(try await clock.nextSleep() == .init(offset: .seconds(5)))
    clock.advance(by: .seconds(4))
    held.answer(1)
    #expect(log.all == [.success(1)])
    #expect(clock.armedCount == 0)
    clock.advance(by: .seconds(10))
    #expect(log.all == [.success(1)])
  }

  @Test("a value after the timeout is ignored without a report")
  func tooLate() async throws {
    let held = HeldWork<Int>()
    let reports = Log<Misuse>()
    let limited = held.parallel(reportingTo: Misuse.Reporter { reports.append($0) }).timeout(
      after: .seconds(5), on: clock)
    async let answer = limited.value()
    try await clock.nextSleep()
    clock.advance(by: .seconds(5))
    let result = try await answer
    let error = #expect(throws: TimeoutError.self) { try result.get() }
    #expect(error == TimeoutError(limit: .seconds(5)))
    #expect("\(try #require(error))".contains("Timed out after \(Duration.seconds(5))"))
    held.answer(1)
    #expect(reports.all.isEmpty)
  }

  @Test(
    "a negative delay or timeout has passed already",
    arguments: [.seconds(-1), .seconds(Int64.min), Duration(attoseconds: .min)])
  func negative(duration: Duration) async throws {
    #expect(try await Parallel(value: 1).delay(for: duration).value() == 1)
    let result = try await Parallel<Int> { _ in }.timeout(after: duration).value()
    #expect(result == .failure(TimeoutError(limit: duration)))
  }

  @Test("a timeout fails a run whose work never calls back")
  func never() async throws {
    async let answer = Parallel<Int> { _ in }.timeout(after: .seconds(5), on: clock).value()
    try await clock.advanceToNextSleep()
    let result = try await answer
    #expect(throws: TimeoutError.self) { try result.get() }
  }

  @Test("a run with a timeout calls back once when the value and the timeout race")
  func stress() async throws {
    for round in 1...200 {
      let clock = ManualClock()
      let held = HeldWork<Int>()
      let log = Log<Result<Int, TimeoutError>>()
      let limited = held.parallel.timeout(after: .seconds(5), on: clock)
      let run = Task {
        try await limited.map { result in
          log.append(result)
          return result
        }.value()
      }
      try await clock.nextSleep()
      // Another task arms the sleep, so the work may not have started yet.
      await hammer(threads: 2) { thread, _ in
        if thread == 0 { clock.advance(by: .seconds(5)) } else if held.runCount == 1 { held.answer(round) }
      }
      _ = try await run.value
      #expect(log.count == 1)
      #expect(clock.armedCount == 0)
    }
  }

  @Test("a value in time that wakes its timer early is never reported as a timeout")
  func wokenTimer() async throws {
    let log = Log<Result<Int, TimeoutError>>()
    for round in 0..<500 {
      let held = HeldWork<Int>()
      held.parallel.timeout(after: .seconds(5), on: clock).run { log.append($0) }
      try await clock.nextSleep()
      held.answer(round)
    }
    #expect(log.all == (0..<500).map { .success($0) })
  }

  @Test("a timeout on a clock that fails does not fail the run")
  func failingTimer() async throws {
    let clock = BrokenClock()
    let held = HeldWork<Int>()
    let log = Log<Result<Int, TimeoutError>>()
    held.parallel.timeout(after: .seconds(5), on: clock).run { log.append($0) }
    for await _ in clock.asked.stream { break }
    // The timer's task has failed and continues on the cooperative pool. Give it time to report a wrong timeout.
    for _ in 1...100 { await Task.yield() }
    held.answer(1)
    #expect(log.all == [.success(1)])
  }

  @Test("each run has its own timeout, which starts with the run")
  func eachRun() async throws {
    let limited = Parallel<Int> { _ in }.timeout(after: .seconds(5), on: clock)
    let log = Log<String>()
    limited.run { _ in log.append("first") }
    try await clock.nextSleep()
    clock.advance(by: .seconds(2))
    limited.run { _ in log.append("second") }
    #expect(try await clock.sleeps(count: 2) == [.init(offset: .seconds(5)), .init(offset: .seconds(7))])
  }
}

private struct BrokenClock: Clock {
  struct Failure: Error {}
  typealias Instant = ManualClock.Instant
  let asked = AsyncStream<Void>.makeStream()
  var now: Instant { .zero }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    asked.continuation.yield()
    throw Failure()
  }
}
