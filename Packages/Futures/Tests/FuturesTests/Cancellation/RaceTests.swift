import Futures
import Testing

@Suite("A race")
struct RaceTests {
  typealias Stoppable = Work<Int, StoppableError>
  let now = immediateExecutionContext

  @Test("cancels those that lose it, but not those that somebody else waits for")
  func losers() {
    let works = (0..<4).map { _ in Stoppable() }
    let listened = works[3].future.map(now) { $0 }
    let first = works.map(\.future).firstCompleted()
    works[1].promise.failure(.failed)
    #expect(first.error == .failed)
    #expect(works.map(\.stopCount) == [1, 0, 1, 0])
    works[3].promise.success(3)
    #expect(listened.value == 3)
  }

  @Test("is over at once when one is completed already, for the first of those in the list")
  func completedAlready() {
    let work = Stoppable()
    let first = [work.future, Future(value: 1), Future(value: 2)].firstCompleted()
    #expect(first.value == 1)
    #expect(work.stopCount == 1)
  }

  @Test("for a success ends with the first value")
  func firstSuccess() {
    let works = (0..<3).map { _ in Stoppable() }
    let first = works.map(\.future).firstSuccess()
    works[0].promise.failure(.failed)
    #expect(!first.isCompleted)
    works[2].promise.success(2)
    #expect(first.value == 2)
    #expect(works.map(\.stopCount) == [0, 1, 0])
  }

  @Test("for a success fails when all have failed, with the error of the first in the list")
  func allFailed() {
    let promises = (0..<3).map { _ in Promise<Int, TestError>() }
    let first = promises.map(\.future).firstSuccess()
    for index in [2, 0, 1] {
      #expect(!first.isCompleted)
      promises[index].failure(.numbered(index))
    }
    #expect(first.error == .external(.numbered(0)))
  }

  @Test("of nobody never ends, and for a success fails")
  func empty() {
    #expect([Future<Int, TestError>]().firstSuccess().error == .noSuchElement)
    #expect(![Future<Int, TestError>]().firstCompleted().isCompleted)
  }

  @Test("leaves nothing behind on a future that outlives it, however many there were")
  func longLived() {
    let census = Census()
    let shutdown = Promise<Int, StoppableError>()
    let watcher = shutdown.future.map(now) { $0 }
    for index in 0..<1_000 {
      let promise = Promise<Int, StoppableError>()
      let first = [promise.future, shutdown.future].firstCompleted().map(now) { [object = census.object()] in
        ($0, object).0
      }
      promise.success(index)
      #expect(first.value == index)
    }
    #expect(census.living == 0)
    // Those that were under way at the same time go with the last of them.
    let promises = (0..<1_000).map { _ in Promise<Int, StoppableError>() }
    let firsts = promises.map { promise in
      weak let first = [promise.future, shutdown.future].firstCompleted()
      return Weak(first)
    }
    for promise in promises { promise.success(1) }
    #expect(firsts.filter { $0.object != nil }.isEmpty)
    #expect(!watcher.isCompleted)
    shutdown.success(1)
    #expect(watcher.value == 1)
  }

  @Test("can be lost by all: when all promises were dropped, so is what waits for the winner")
  func abandoned() {
    let census = Census()
    do {
      let promises = (0..<3).map { _ in Promise<Int, StoppableError>() }
      let first = promises.map(\.future).firstCompleted()
      first.onComplete(now) { [object = census.object()] _ in _ = (object, first) }
      withExtendedLifetime(promises) { #expect(census.living == 1) }
    }
    #expect(census.living == 0)
  }
}
