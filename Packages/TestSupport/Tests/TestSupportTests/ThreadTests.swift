import Foundation
import TestSupport
import Testing

@Suite("Threads", .timeLimit(.minutes(5)))
struct ThreadTests {
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

  @Test("a hundred calls of onThread can wait for each other")
  func blocking() async {
    // More threads than the cooperative pool or Dispatch would create.
    let (count, arrived) = (100, NSCondition())
    let log = Log<Int>()
    await withTaskGroup { group in
      for index in 0..<count {
        group.addTask {
          await onThread {
            arrived.withLock {
              log.append(index)
              arrived.broadcast()
              while log.count < count { arrived.wait() }
            }
          }
        }
      }
    }
    #expect(Set(log.all) == Set(0..<count))
  }
}
