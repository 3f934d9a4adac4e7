import Parallel
import TestSupport
import Testing

@Suite("Conversions between parallels and async functions")
struct AsyncTests {
  @Test("a parallel of another parallel's awaited value has the same value")
  func roundTrip() async throws {
    try await checkProperty("Parallel { await p.value() } = p", Sample.any) { p in
      let parallel = p.parallel
      return try await Parallel<Int?> { try? await parallel.value() }.value() == p.value
    }
  }

  @Test("value() in a cancelled task throws CancellationError and does not start the work")
  func cancelledBefore() async {
    let held = HeldWork<Int>()
    let waiter = Task { () -> Result<Int, any Error> in
      withUnsafeCurrentTask { $0?.cancel() }
      do { return .success(try await held.parallel.value()) } catch { return .failure(error) }
    }
    let result = await waiter.value
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(held.runCount == 0)
  }

  @Test(
    "value() throws CancellationError when the work releases its callback without a call, at once or later",
    .timeLimit(.minutes(5)))
  func releasedCallback() async {
    let none: [Parallel<Int>] = []
    for parallel in [Parallel { _ in }, Parallel { _ in }.map { $0 + 1 }, none.race()] {
      await #expect(throws: CancellationError.self) { try await parallel.value() }
    }

    let (held, started) = (HeldWork<Int>(), AsyncStream<Void>.makeStream())
    let work = held.parallel
    let parallel = Parallel { callback in
      work.run(callback)
      started.continuation.yield()
    }
    let waiter = Task { try await parallel.value() }
    for await _ in started.stream { break }
    held.drop()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test("a first callback after the cancellation is ignored without a report, and a second one is reported")
  func callbackAfterCancellation() async {
    let started = AsyncStream<Void>.makeStream()
    let reports = Log<Misuse>()
    let callbacks = Log<Parallel<Int>.Callback>()
    let parallel = Parallel<Int>(reportingTo: { reports.append($0) }) { callback in
      callbacks.append(callback)
      started.continuation.yield()
    }
    let waiter = Task { try await parallel.value() }
    for await _ in started.stream { break }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    callbacks.all[0](1)
    #expect(reports.all.isEmpty)
    callbacks.all[0](2)
    #expect(reports.count == 1)
  }

  @Test("each of many tasks ends once with a value or a CancellationError when callbacks and cancellations race")
  func stress() async {
    for round in 1...100 {
      let count = 8
      let started = AsyncStream<Void>.makeStream()
      let held = HeldWork<Int>()
      let work = held.parallel.map { $0 }
      let parallel = Parallel<Int> { callback in
        work.run(callback)
        started.continuation.yield()
      }
      let waiters = (0..<count).map { _ in Task { try await parallel.value() } }
      var arrivals = started.stream.makeAsyncIterator()
      for _ in 0..<count { _ = await arrivals.next() }
      await hammer(threads: 2, iterations: count) { thread, index in
        if thread == 0 { waiters[index].cancel() } else { held.answer(round, run: index) }
      }
      for waiter in waiters {
        switch await waiter.result {
        case .success(let value): #expect(value == round)
        case .failure(let error): #expect(error is CancellationError)
        }
      }
    }
  }
}
