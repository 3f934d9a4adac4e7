import Futures
import Testing

@Suite("Races of futures")
struct RaceTests {
  typealias Stoppable = Work<Int, StoppableError>
  let now = immediateExecutionContext

  @Test("the end of a race cancels the losers without another listener")
  func losers() {
    let works = (0..<4).map { _ in Stoppable() }
    let otherListener = works[3].future.map(now) { $0 }
    let first = works.map(\.future).firstCompleted()
    works[1].promise.failure(.failed)
    #expect(first.error == .failed)
    #expect(works.map(\.stopCount) == [1, 0, 1, 0])
    works[3].promise.success(3)
    #expect(otherListener.value == 3)
  }

  @Test("a race with completed futures ends at once with the first of these in the list")
  func completedAlready() {
    let work = Stoppable()
    let first = [work.future, Future(value: 1), Future(value: 2)].firstCompleted()
    #expect(first.value == 1)
    #expect(work.stopCount == 1)
  }

  @Test("firstSuccess ends with the first value")
  func firstSuccess() {
    let works = (0..<3).map { _ in Stoppable() }
    let first = works.map(\.future).firstSuccess()
    works[0].promise.failure(.failed)
    #expect(!first.isCompleted)
    works[2].promise.success(2)
    #expect(first.value == 2)
    #expect(works.map(\.stopCount) == [0, 1, 0])
  }

  @Test("firstSuccess fails with the first future's error when all futures have failed")
  func allFailed() {
    let promises = (0..<3).map { _ in Promise<Int, TestError>() }
    let first = promises.map(\.future).firstSuccess()
    for index in [2, 0, 1] {
      #expect(!first.isCompleted)
      promises[index].failure(.numbered(index))
    }
    #expect(first.error == .external(.numbered(0)))
  }

  @Test("firstCompleted of an empty list never completes, and firstSuccess of it fails")
  func empty() {
    #expect([Future<Int, TestError>]().firstSuccess().error == .noSuchElement)
    #expect(![Future<Int, TestError>]().firstCompleted().isCompleted)
  }

  @Test("thousands of finished races leave nothing on a long-lived future")
  func longLived() {
    let counter = ObjectCounter()
    let shutdown = Promise<Int, StoppableError>()
    let watcher = shutdown.future.map(now) { $0 }
    for index in 0..<1_000 {
      let promise = Promise<Int, StoppableError>()
      let first = [promise.future, shutdown.future].firstCompleted().map(now) { [object = counter.object()] in
        ($0, object).0
      }
      promise.success(index)
      #expect(first.value == index)
    }
    #expect(counter.liveCount == 0)
    // Races that overlap are released when the last of them ends.
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

  @Test("a race is released when all its promises are released")
  func releasedPromises() {
    let counter = ObjectCounter()
    do {
      let promises = (0..<3).map { _ in Promise<Int, StoppableError>() }
      let first = promises.map(\.future).firstCompleted()
      first.onComplete(now) { [object = counter.object()] _ in _ = (object, first) }
      withExtendedLifetime(promises) { #expect(counter.liveCount == 1) }
    }
    #expect(counter.liveCount == 0)
  }
  @Test("a race that ends while it starts stops no work that has another listener")
  func sharedLoser() {
    typealias Number = Future<Int, StoppableError>
    let works = (0..<4).map { _ in Stoppable() }
    for work in works { work.future.onComplete(now) { _ in } }
    #expect([Number(value: 1), works[0].future].firstCompleted().value == 1)
    #expect([Number(value: 1), works[1].future].firstSuccess().value == 1)
    #expect([Number(error: .failed), works[2].future].sequenceFailingFast().error == .failed)
    #expect(zipFailingFast(Number(error: .failed), works[3].future).error == .failed)
    #expect(works.map(\.stopCount) == [0, 0, 0, 0])
  }

  @Test("a race that ends while it starts does not keep the work of a derived loser running")
  func derivedLoser() {
    let work = Stoppable()
    let listener = work.future.map(now) { $0 }
    let derived = work.future.map(now) { $0 }
    #expect([Future(value: 1), derived].firstCompleted().value == 1)
    listener.cancel()
    #expect(work.stopCount == 1)
  }
}
