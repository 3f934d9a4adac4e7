import Foundation
import TestSupport
import Testing

@Suite("hammer")
struct HammerTests {
  struct Stop: Error, Equatable { let thread: Int }

  @Test("hammer calls its body once for each thread and iteration, and returns when all calls have finished")
  func callsAll() async throws {
    let log = Log<[Int]>()
    await hammer(threads: 3, iterations: 5) { thread, iteration in log.append([thread, iteration]) }
    #expect(Set(log.all).count == 15)
    #expect(log.all.count == 15)
  }

  @Test("hammer runs each thread index on a separate thread, and blocks until all have finished")
  func separateThreads() {
    // Each call waits until all have started, which needs a separate thread for each.
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

  @Test("hammer throws the error of the lowest thread index after all threads have finished")
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
