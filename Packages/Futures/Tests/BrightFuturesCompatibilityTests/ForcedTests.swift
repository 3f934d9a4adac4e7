import BrightFuturesCompatibility
import Dispatch
import TestSupport
import Testing

@Suite("Threads that wait for an async")
struct ForcedTests {
  @Test("forced blocks the thread until the async completes or the deadline passes")
  func forced() async {
    let outcome = await onThread {
      let promise = Promise<Int, Trouble>()
      let before = promise.future.forced(.now())
      DispatchQueue.global().async { promise.success(1) }
      return (before, promise.future.forced())
    }
    #expect(outcome.0 == nil)
    #expect(outcome.1 == .success(1))
    #expect(await onThread { OwnAsync<Int>(result: 2, delay: .milliseconds(0)).forced() } == 2)
    #expect(await onThread { OwnAsync<Int>().forced(.now()) } == nil)
    #expect(await onThread { Async(result: 3).forced() } == 3)
  }

  @Test("forced does not wait for callbacks in a context that defers them")
  func deferringContext() async {
    let promise = Promise<Int, Trouble>()
    promise.future.onComplete({ _ in }) { _ in }
    let blocked = Log<Int?>()
    await hammer(threads: 2) { thread, _ in
      if thread == 0 { blocked.append(promise.future.forced(.now() + 60)?.value) } else { promise.success(1) }
    }
    #expect(blocked.all == [1])
  }

  @Test("a forced() call that timed out neither stops the work nor prevents its cancellation")
  func timedOut() async {
    let stops = Log<Int>()
    let promise = Promise<Int, Trouble>()
    promise.onCancel { stops.append(1) }
    #expect(await onThread { promise.future.forced(.now()) } == nil)
    #expect(stops.count == 0)
    promise.future.map(now) { $0 }.cancel()
    #expect(stops.count == 1)
  }

  @Test("waiting for a released promise stops the program")
  func released() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let future = Promise<Int, Never>().future
      _ = future.forced()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Cannot wait for a Future<Int, Never>"))
    #expect(!message.contains("orCancelled"))
    #if DEBUG
      #expect(message.contains("the promise created at \(#fileID):"))
    #endif
  }
}
