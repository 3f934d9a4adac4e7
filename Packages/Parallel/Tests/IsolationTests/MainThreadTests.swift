import Dispatch
import Foundation
import Isolation
import ParallelTesting
import Testing

@Suite("The main thread")
struct MainThreadTests {
  @Test("regression: is where the main actor runs, also when the main queue has left the first thread")
  @MainActor func mainActor() {
    #expect(isMainThread())
  }

  @Test("is where the main queue runs")
  func mainQueue() async {
    let answer = await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume(returning: isMainThread()) }
    }
    #expect(answer)
  }

  @Test("is where another thread waits for the main queue, as the main actor has it")
  func synchronously() async {
    let answer = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let answer = DispatchQueue.main.sync { MainActor.assumeIsolated { isMainThread() } }
        continuation.resume(returning: answer)
      }
    }
    #expect(answer)
  }

  @Test("is not a thread of one's own, however often it asks")
  func ownThread() async {
    #expect(await onThread { [isMainThread(), isMainThread()] } == [false, false])
  }

  @Test("is no thread of a global queue or of the cooperative pool, also one that ran the main queue before")
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
