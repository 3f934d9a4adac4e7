import Foundation
import ParallelTesting
import Testing

@Suite("Hammering")
struct HammerTests {
  struct Stop: Error, Equatable { let thread: Int }

  @Test("calls each iteration on each thread once, and returns when all are done")
  func callsAll() async throws {
    let log = Log<[Int]>()
    await hammer(threads: 3, iterations: 5) { thread, iteration in log.append([thread, iteration]) }
    #expect(Set(log.all).count == 15)
    #expect(log.all.count == 15)
  }

  @Test("gives every index a thread of its own, and blocks until all are done")
  func ownThreads() {
    // Each body waits until all have begun, which they can only when every one has a thread of its own.
    let started = NSCondition()
    let count = Log<Int>()
    hammer(threads: 8) { thread, _ in
      started.withLock {
        count.append(thread)
        started.broadcast()
        while count.all.count < 8 { started.wait() }
      }
    }
    #expect(count.all.count == 8)
  }

  @Test("throws the lowest thread's error once all have finished")
  func failure() async throws {
    let log = Log<Int>()
    await #expect(throws: Stop(thread: 1)) {
      try await hammer(threads: 4, iterations: 3) { thread, _ throws(Stop) in
        if thread > 0 { throw Stop(thread: thread) }
        log.append(thread)
      }
    }
    #expect(log.all == [0, 0, 0])
  }
}
