import Testing

@testable import Futures

@Suite("Removing listeners that have ended")
struct ListenerRemovalTests {
  private func listenerCount(of async: _AsyncCore) -> Int { async.registeredCount }

  @Test("completed races that overlap leave fewer than 100 listeners on a long-lived future")
  func overlappingRaces() {
    let shutdown = Promise<Int, StoppableError>()
    var pending: [Promise<Int, StoppableError>] = []
    for index in 0..<2_000 {
      let promise = Promise<Int, StoppableError>()
      _ = [promise.future, shutdown.future].firstCompleted()
      pending.append(promise)
      if index >= 4 { pending.removeFirst().success(index) }
      #expect(listenerCount(of: shutdown.future) < 100)
    }
  }

  @Test("cancelled tasks in value(orCancelled:) leave at most one listener on a future that cannot fail")
  func withoutCancellationValue() async {
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

  @Test("a sequence that an earlier callback of its first future cancels leaves no listener on the next future")
  func cancelledByEarlierCallback() {
    let (source, next) = (Promise<Int, StoppableError>(), Promise<Int, StoppableError>())
    let all = Box<Future<[Int], StoppableError>?>(nil)
    let other = next.future.map(immediateExecutionContext) { $0 }
    source.future.onComplete(immediateExecutionContext) { _ in all.value?.cancel() }
    all.value = [source.future, next.future].sequence()
    source.success(1)
    #expect(all.value?.error == .stopped)
    #expect(listenerCount(of: next.future) == 1)
    next.success(2)
    #expect(other.value == 2)
  }
}
