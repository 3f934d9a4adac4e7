import Foundation
import TestSupport
import Testing

@Suite("onThread", .timeLimit(.minutes(5)))
struct OnThreadTests {
  @Test("a hundred calls of onThread can wait for each other")
  func blocking() async {
    // More threads than the cooperative pool or Dispatch would create.
    let (count, arrived) = (100, NSCondition())
    let log = Log<Int>()
    await withTaskGroup(of: Int.self) { group in
      for index in 0..<count {
        group.addTask {
          await onThread {
            arrived.withLock {
              log.append(index)
              arrived.broadcast()
              while log.count < count { arrived.wait() }
            }
            return index
          }
        }
      }
      var answers: Set<Int> = []
      for await answer in group { answers.insert(answer) }
      #expect(answers == Set(0..<count))
    }
  }

  @Test("onThread has the given stack size, and 512 KiB by default")
  func stack() async {
    #expect(await onThread { Thread.current.stackSize } == 512 << 10)
    #expect(await onThread(stackSize: 4 << 20) { Thread.current.stackSize } == 4 << 20)
  }
}
