import Foundation
import ParallelTesting
import Testing

@Suite("Work on a thread of its own", .timeLimit(.minutes(5)))
struct OnThreadTests {
  @Test("may block until others have done theirs, however many block at once")
  func blocking() async {
    // More than the pool of any machine has threads, and more than Dispatch makes.
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

  @Test("has the stack that it asks for, and half a mebibyte when it does not")
  func stack() async {
    #expect(await onThread { Thread.current.stackSize } == 512 << 10)
    #expect(await onThread(stackSize: 4 << 20) { Thread.current.stackSize } == 4 << 20)
  }
}
