import Testing

@testable import Futures

@Suite("Waits that have ended")
struct LeavingNothingTests {
  private func listenerCount(of async: _AsyncCore) -> Int { async.listenerCount }

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

  @Test("leave nothing on what would have come next, when they are cancelled just before their turn")
  func beforeTheirTurn() {
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
