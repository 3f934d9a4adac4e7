import Dispatch
import Foundation
import Isolation
import TestSupport
import Testing

@Suite("isMainThread()")
struct MainThreadTests {
  @Test("the main actor runs on the main thread, also after the main queue has left the first thread")
  @MainActor func mainActor() {
    #expect(isMainThread())
  }

  @Test("the main queue runs on the main thread")
  func mainQueue() async {
    let answer = await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume(returning: isMainThread()) }
    }
    #expect(answer)
  }

  @Test("work that another thread runs synchronously on the main queue counts as on the main thread")
  func synchronously() async {
    let answer = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let answer = DispatchQueue.main.sync { MainActor.assumeIsolated { isMainThread() } }
        continuation.resume(returning: answer)
      }
    }
    #expect(answer)
  }

  @Test("a new thread is not the main thread")
  func newThread() async {
    #expect(await onThread { [isMainThread(), isMainThread()] } == [false, false])
  }

  @Test(
    "threads of global queues and of the cooperative pool are not the main thread, even after running the main queue")
  func otherThreads() async {
    #expect(!isMainThread())
    for _ in 1...100 {
      let answers = await withCheckedContinuation { continuation in
        DispatchQueue.main.async {
          let onMain = isMainThread()
          DispatchQueue.global().async { continuation.resume(returning: [onMain, isMainThread()]) }
        }
      }
      #expect(answers == [true, false])
    }
  }
}
