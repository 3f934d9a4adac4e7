import ParallelTesting
import Dispatch
import Testing

@testable import Futures

@Suite("While something to wait for is being added")
struct AddingMeanwhileTests {
  typealias Stoppable = Work<Int, StoppableError>

  @Test("a cancellation reaches it, once")
  func cancelled() {
    let work = Stoppable()
    let promise = Promise<Int, TestError>()
    promise.future.addUpstream(Interruption(look: { promise.future.cancel() }))
    promise.complete(with: work.future.mapError(immediateExecutionContext) { _ in .first })
    #expect(work.stopCount == 1)
  }

  @Test("a cancellation calls the handler that is being added, once")
  func handler() {
    let promise = Promise<Int, StoppableError>()
    let log = Log<Int>()
    promise.future.addUpstream(Interruption(look: { promise.future.cancel() }))
    promise.onCancel { log.append(1) }
    #expect(log.all == [1])
  }

  @Test("a completion leaves it, and calls no handler")
  func completed() {
    let (work, promise) = (Stoppable(), Promise<Int, StoppableError>())
    promise.future.addUpstream(Interruption(look: { promise.success(1) }))
    promise.complete(with: work.future)
    #expect(work.stopCount == 1)
    let second = Promise<Int, StoppableError>()
    second.future.addUpstream(Interruption(look: { second.success(1) }))
    second.onCancel { Issue.record("called") }
  }

  @Test("another thread that adds something waits for its turn, so that nothing is lost")
  func another() async {
    let promise = Promise<Int, StoppableError>()
    let (log, hasAdded) = (Log<Int>(), DispatchSemaphore(value: 0))
    let isFirst = Box(true)
    promise.future.addUpstream(
      Interruption(look: {
        guard isFirst.value else { return }
        isFirst.value = false
        let isThere = DispatchSemaphore(value: 0)
        startThread {
          isThere.signal()
          promise.onCancel { log.append(2) }
          hasAdded.signal()
        }
        isThere.wait()
        for _ in 0..<1_000 { yieldThread() }
      }))
    promise.onCancel { log.append(1) }
    await onThread { hasAdded.wait() }
    promise.future.cancel()
    #expect(log.all == [1, 2])
  }

  @Test("what is over is let go of, and may add something too")
  func added() {
    let promise = Promise<Int, StoppableError>()
    let log = Log<Int>()
    promise.future.addUpstream(
      LastWish { [weak promise] in
        log.append(0)
        promise?.onCancel { log.append(2) }
      })
    promise.onCancel { log.append(1) }
    promise.future.cancel()
    #expect(log.all == [0, 1, 2])
  }

  @Test("what is over among many may do so too, and goes as soon as there is much of it")
  func addedToMany() {
    let promise = Promise<Int, StoppableError>()
    let (log, gone) = (Log<Int>(), Log<Int>())
    promise.onCancel { log.append(-1) }
    for index in 0..<20 {
      promise.future.addUpstream(
        LastWish { [weak promise] in
          gone.append(index)
          promise?.onCancel { log.append(index) }
        })
    }
    #expect(gone.count >= 4)
    promise.future.cancel()
    #expect(log.all.count == 21)
    #expect(log.all.first == -1)
  }
}

@Suite("While it is looked for who wants a future")
struct LookingMeanwhileTests {
  let now = immediateExecutionContext

  @Test("another who comes keeps it from being cancelled, and hears the result")
  func newcomer() {
    let work = Work<Int, StoppableError>()
    let log = Log<Result<Int, StoppableError>>()
    work.future.register(LateListener { [now] in work.future.onComplete(now) { log.append($0) } })
    work.future.map(now) { $0 }.cancel()
    #expect(work.stopCount == 0)
    work.promise.success(1)
    #expect(log.all == [.success(1)])
  }

  @Test("one who comes and has ended before keeps nothing from being cancelled")
  func lateComer() {
    let work = Work<Int, StoppableError>()
    let over = Promise<Int, StoppableError>()
    over.future.cancel()
    work.future.register(
      LateListener { work.future.register(Relay<Result<Int, StoppableError>>(to: over.future) { _ in }) })
    work.future.map(now) { $0 }.cancel()
    #expect(work.stopCount == 1)
  }

  @Test("those who come do not lose those who were there before")
  func before() {
    let work = Work<Int, StoppableError>()
    let log = Log<Int>()
    for index in 0..<2 { work.future.onSuccess(now) { _ in log.append(index) } }
    work.future.register(
      LateListener { [now] in for index in 2..<4 { work.future.onSuccess(now) { _ in log.append(index) } } })
    work.future.map(now) { $0 }.cancel()
    work.promise.success(1)
    #expect(log.all == [0, 1, 2, 3])
  }

  /// A listener that lets another thread begin something while it is looked at, and then gives it time.
  private func during(_ hasEnded: DispatchSemaphore, _ body: @escaping @Sendable () -> Void) -> LateListener {
    LateListener {
      let hasBegun = DispatchSemaphore(value: 0)
      startThread {
        hasBegun.signal()
        body()
        hasEnded.signal()
      }
      hasBegun.wait()
      for _ in 0..<1_000 { yieldThread() }
    }
  }

  @Test("a completion by another thread waits, and is not lost")
  func completed() async {
    let promise = Promise<Int, TestError>()
    let hasEnded = DispatchSemaphore(value: 0)
    promise.future.register(during(hasEnded) { promise.success(1) })
    #expect(promise.future.isUnwanted())
    await onThread { hasEnded.wait() }
    #expect(promise.future.value == 1)
  }

  @Test("a promise that another thread drops lets go of the callbacks all the same")
  func dropped() async {
    let census = Census()
    let promise = Box<Promise<Int, TestError>?>(Promise())
    let future = promise.value?.future
    let hasEnded = DispatchSemaphore(value: 0)
    future?.onComplete(now) { [object = census.object()] _ in _ = object }
    future?.register(during(hasEnded) { promise.value = nil })
    #expect(future?.isUnwanted() == false)
    await onThread { hasEnded.wait() }
    #expect(census.living == 0)
  }
}
