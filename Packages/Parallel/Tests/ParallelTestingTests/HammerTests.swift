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
    #expect(Set(log.values).count == 15)
    #expect(log.values.count == 15)
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
        while count.values.count < 8 { started.wait() }
      }
    }
    #expect(count.values.count == 8)
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
    #expect(log.values == [0, 0, 0])
  }
}

/// What happened, in order, from any thread.
final class Log<Entry: Sendable>: @unchecked Sendable {
  // Unchecked: `entries` is read and written only while `lock` is held.
  private let lock = NSLock()
  private var entries: [Entry] = []

  func append(_ entry: Entry) { lock.withLock { entries.append(entry) } }
  var values: [Entry] { lock.withLock { entries } }
}
