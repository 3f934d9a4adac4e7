import Dispatch
import Foundation
import Parallel
import TestSupport
import Testing

@Suite("receive(on:), start(on:) and concurrentMap")
struct QueueTests {
  let key = DispatchSpecificKey<String>()
  let queue = DispatchQueue(label: "queue")

  init() { queue.setSpecific(key: key, value: "queue") }

  private func queueName() -> Parallel<String?> {
    Parallel { [key] callback in callback(DispatchQueue.getSpecific(key: key)) }
  }

  @Test("receive(on:) a queue delivers the value there, and the work runs where run was called")
  func receiveOnQueue() async throws {
    let (work, arrival) = try await queueName().receive(on: queue)
      .map { [key] work in (work, DispatchQueue.getSpecific(key: key)) }.value()
    #expect(work == nil)
    #expect(arrival == "queue")
  }

  @Test("start(on:) a queue runs the work there")
  func startOnQueue() async throws {
    #expect(try await queueName().start(on: queue).value() == "queue")
  }

  @Test("receive(on:) and start(on:) are asynchronous, also for a ready value and from the queue itself")
  func alwaysAsynchronous() async {
    let log = Log<String>()
    await withCheckedContinuation { continuation in
      queue.async { [queue] in
        Parallel(value: "received").receive(on: queue).run { log.append($0) }
        Parallel { $0("started") }.start(on: queue).run { log.append($0) }
        log.append("returned")
        queue.async { continuation.resume() }
      }
    }
    #expect(log.all == ["returned", "received", "started"])
  }

  @Test("receive(on:) the main queue delivers the value on the main actor")
  func mainQueue() async throws {
    #expect(try await Parallel(value: 1).receive(on: .main).map { _ in MainActor.assumeIsolated { true } }.value())
  }

  @Test("concurrentMap works on arrays, slices, ranges and Data")
  func collections() async throws {
    let slice = Array(0..<100)[40..<60]
    #expect(try await slice.concurrentMap { $0 + 1 }.value() == Array(41..<61))
    #expect(try await (5..<8).concurrentMap { $0 }.value() == [5, 6, 7])
    #expect(try await (5...5).concurrentMap { $0 }.value() == [5])
    #expect(try await (5..<5).concurrentMap { $0 }.value() == [])
    #expect(try await ArraySlice<Int>().concurrentMap { $0 }.value() == [])
    #expect(try await Data([1, 2, 3]).dropFirst().concurrentMap { Int($0) }.value() == [2, 3])
  }

  @Test(
    "concurrentMap uses several threads if the machine has several cores",
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
  func severalThreads() async throws {
    // Two elements wait for each other. On a system with only one thread the test must fail instead of hanging.
    let arrivals = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let met = try await (0...1).concurrentMap { number in
      arrivals[number].signal()
      return arrivals[1 - number].wait(timeout: .now() + 300) == .success
    }.value()
    #expect(met == [true, true])
  }
}
