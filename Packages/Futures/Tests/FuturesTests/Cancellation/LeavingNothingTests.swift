import Synchronization
import Testing

@testable import Futures

@Suite("Waits that have ended")
struct LeavingNothingTests {
  /// How many listeners an async has.
  private func listenerCount(of async: _AsyncState) -> Int {
    var (count, rest) = (0, async.unmanaged(async.loadWord().top))
    while let entry = rest {
      count += 1
      rest = entry._withUnsafeGuaranteedRef { $0.next }
    }
    return count
  }

  @Test("leave nothing behind on a future that outlives them, also when at any time another is under way")
  func overlapping() {
    let shutdown = Promise<Int, StoppableError>()
    var underWay: [Promise<Int, StoppableError>] = []
    for index in 0..<2_000 {
      let promise = Promise<Int, StoppableError>()
      _ = [promise.future, shutdown.future].firstCompleted()
      underWay.append(promise)
      if index >= 4 { underWay.removeFirst().success(index) }
      #expect(listenerCount(of: shutdown.future) < 100)
    }
  }

  @Test("leave nothing behind on a future that cannot fail, whatever error a cancelled wait ends with")
  func unrepresentable() async {
    let promise = Promise<Int, Never>()
    for _ in 0..<100 {
      let task = Task.immediate { try? await promise.future.value(orCancelled: TestError.first) }
      task.cancel()
      #expect(await task.value == nil)
    }
    #expect(listenerCount(of: promise.future) <= 1)
    promise.success(1)
    #expect(await (try? promise.future.value(orCancelled: TestError.first)) == 1)
  }
}

@Suite("A future that gets out of the way while it is being cancelled")
struct LinkedMeanwhileTests {
  @Test("tells the one that is next, where the error cannot say so")
  func unrepresentable() {
    let now = immediateExecutionContext
    let inner = Work<Int, Never>()
    let (first, second) = (Promise<Int, Never>(), Promise<Int, Never>())
    let middle = second.future.flatMap(now) { _ in inner.future }
    let outer = first.future.flatMap(now) { _ in middle }
    first.success(1)
    // What `outer.cancel()` does, up to the moment when it knows that nobody wants `middle`.
    let awaited = outer.upstream.exchange(1, ordering: .acquiringAndReleasing)
    #expect(middle.isUnwanted())
    second.success(1)
    middle.cancel()
    #expect(inner.stopCount == 1)
    Nesting.current.release(awaited)
  }
}
