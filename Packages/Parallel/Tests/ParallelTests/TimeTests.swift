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
    let limited = held.parallel(reportingTo: { reports.append($0) }).timeout(
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
}
