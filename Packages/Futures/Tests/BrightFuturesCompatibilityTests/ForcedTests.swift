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
    #expect(await onThread { OwnAsync<Int> { $0(2) }.forced() } == 2)
    #expect(await onThread { OwnAsync<Int> { _ in }.forced(.now()) } == nil)
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

  @Test("a forced() call that timed out does not stop the work")
  func timedOut() async {
    let stops = Log<Int>()
    let promise = Promise<Int, Trouble>()
    promise.onCancel { stops.append(1) }
    #expect(await onThread { promise.future.forced(.now()) } == nil)
    #expect(stops.count == 0)
  }

  @Test(
    "forced() in deeply nested callbacks runs the callbacks that wait for the thread", arguments: [1, 100])
  func nested(depth: Int) async {
    let found = await onThread { () -> [Int?] in
      let found = Log<Int?>()
      @Sendable func nest(_ level: Int) {
        let promise = Promise<Int, Never>()
        promise.future.onSuccess(now) { _ in
          if level < depth { return nest(level + 1) }
          let (inner, outer) = (Promise<Int, Never>(), Promise<Int, Never>())
          inner.future.onSuccess(now) { value in
            let mapped = Future<Int, Never>(value: value).map(now) { $0 + 1 }
            outer.success(mapped.forced(.now() + 5)?.value ?? 0)
          }
          inner.success(1)
          found.append(outer.future.forced(.now() + 5)?.value)
        }
        promise.success(level)
      }
      nest(1)
      return found.all
    }
    #expect(found == [2])
  }

  @Test("waiting for a released promise stops the program")
  func released() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let future = Promise<Int, Never>().future
      _ = future.forced()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Cannot wait for Future<Int, Never>(pending)"))
    #expect(!message.contains("orCancelled"))
    #if DEBUG
      #expect(message.contains("the promise created at \(#fileID):"))
    #endif
  }
}
