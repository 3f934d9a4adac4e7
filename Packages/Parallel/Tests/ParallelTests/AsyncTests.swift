import Foundation
import Parallel
import ParallelTesting
import Testing

@Suite("To and from async")
struct AsyncTests {
  @Test("a value can be awaited, whenever it comes")
  func value() async throws {
    for arrival in Sample.Arrival.allCases {
      #expect(try await Sample(value: 7, arrival: arrival).parallel.value() == 7)
    }
  }

  @Test("async work becomes a parallel: cold, done again in each run")
  func fromAsync() async throws {
    let log = Log<Int>()
    let parallel = Parallel<Int> {
      await Task.yield()
      log.append(1)
      return log.count
    }
    #expect(log.all.isEmpty)
    #expect(try await parallel.value() == 1)
    #expect(try await parallel.value() == 2)
  }

  @Test("there and back again changes nothing")
  func roundTrip() async throws {
    try await checkProperty("Parallel { await p.value() } = p", Sample.any) { p in
      let parallel = p.parallel
      return try await Parallel<Int?> { try? await parallel.value() }.value() == p.value
    }
  }

  @Test("a task that is cancelled already gets the error, and the work is not started")
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

  @Test("a wait that is cancelled ends, though the callback never comes, and is told so")
  func cancelledDuring() async {
    let started = AsyncStream<Void>.makeStream()
    let never = Parallel<Int> { _ in started.continuation.yield() }
    let waiter = Task { try await never.value() }
    for await _ in started.stream { break }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
  }

  @Test("a value that comes after the cancellation is dropped without a report")
  func answeredAfterCancellation() async {
    let started = AsyncStream<Void>.makeStream()
    let reports = Log<Misuse>()
    let callbacks = Log<Parallel<Int>.Callback>()
    let parallel = Parallel<Int>(reportingTo: Misuse.Reporter { reports.append($0) }) { callback in
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

  @Test("a cancellation after the value changes nothing")
  func cancelledAfter() async throws {
    let waiter = Task { try await Parallel(value: 1).value() }
    #expect(try await waiter.value == 1)
    waiter.cancel()
    #expect(try await waiter.value == 1)
  }

  @Test("many waits end exactly once each, while values and cancellations race")
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

  @Test("many waits are cancelled at once while they begin")
  func stressAtTheBeginning() async {
    let waiters = (0..<500).map { number in
      Task { try await Parallel<Int>.later(number).value() }
    }
    for waiter in waiters.reversed() { waiter.cancel() }
    for (number, waiter) in waiters.enumerated() {
      switch await waiter.result {
      case .success(let value): #expect(value == number)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
  }

  @Test("a cancelled wait lets go of what it waited for")
  func cancelledWaitReleases() async {
    let census = Census()
    do {
      let object = Tracked(in: census)
      let started = AsyncStream<Void>.makeStream()
      let never = Parallel<Int> { _ in
        _ = object
        started.continuation.yield()
      }
      let waiter = Task { try await never.value() }
      for await _ in started.stream { break }
      waiter.cancel()
      _ = await waiter.result
    }
    #expect(census.population == 0)
  }

  @Test("a value that is not Sendable goes both ways")
  func notSendable() async throws {
    final class Box { var value = 1 }
    @Sendable func make() async -> sending Box { Box() }
    let box = try await Parallel<Box> { await make() }.value()
    box.value += 1
    #expect(box.value == 2)
  }
}
