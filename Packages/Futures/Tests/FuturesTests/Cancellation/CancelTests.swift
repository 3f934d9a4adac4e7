import TestSupport
import Futures
import Testing

@Suite("Cancelling a future")
struct CancelTests {
  typealias Stoppable = Work<Int, StoppableError>
  let now = immediateExecutionContext

  @Test("cancelling a future completes it at once with its cancellation error and stops its work")
  func representable() {
    let work = Stoppable()
    let log = Log<Result<Int, StoppableError>>()
    work.future.onComplete(now) { log.append($0) }
    work.future.cancel()
    #expect(work.future.error == .stopped)
    #expect(log.all == [.failure(.stopped)])
    #expect(work.stopCount == 1)
    work.future.cancel()
    work.promise.success(1)
    #expect(work.stopCount == 1)
    #expect(log.count == 1)
  }

  @Test(
    "any Error is cancelled with CancellationError, and FuturesError with the wrapped error type's cancellation error")
  func errors() {
    let any = Promise<Int, any Error>()
    any.future.cancel()
    #expect(any.future.error is CancellationError)
    let plain = Promise<Int, CancellationError>()
    plain.future.cancel()
    #expect(plain.future.isFailure)
    let wrapped = Promise<Int, FuturesError<StoppableError>>()
    wrapped.future.cancel()
    #expect(wrapped.future.error == .external(.stopped))
    let wrappedAny = Promise<Int, FuturesError<any Error>>()
    wrappedAny.future.cancel()
    guard case .external(let error) = wrappedAny.future.error else {
      Issue.record("\(wrappedAny.future)")
      return
    }
    #expect(error is CancellationError)
  }

  @Test("a cancelled future without a cancellation error stays pending until its work ends")
  func withoutCancellationValue() {
    let work = Work<Int, TestError>()
    work.future.cancel()
    work.future.cancel()
    #expect(work.stopCount == 1)
    #expect(!work.future.isCompleted)
    work.promise.failure(.first)
    #expect(work.future.error == .first)
    let wrapped = Promise<Int, FuturesError<TestError>>()
    wrapped.future.cancel()
    #expect(!wrapped.future.isCompleted)
  }

  @Test("cancelling a completed future does not change its result or stop its work")
  func completed() {
    let work = Stoppable()
    work.promise.success(1)
    work.future.cancel()
    #expect(work.future.value == 1)
    #expect(work.stopCount == 0)
  }

  @Test("a cancellation handler added after a completed future was cancelled is not called")
  func handlerAfterCompleted() {
    let promise = Promise<Int, StoppableError>()
    promise.success(1)
    promise.future.cancel()
    promise.onCancel { Issue.record("called") }
  }

  @Test("a cancelled promise cancels a future that should complete it later")
  func completedWithAfterwards() {
    let (work, promise) = (Stoppable(), Promise<Int, StoppableError>())
    promise.future.cancel()
    promise.complete(with: work.future)
    #expect(work.stopCount == 1)
  }

  @Test("cancellation handlers are released when the promise succeeds, fails, is cancelled or is released")
  func handlersAreReleased() {
    let counter = ObjectCounter()
    let promises = (0..<3).map { _ in Promise<Int, StoppableError>() }
    for promise in promises { promise.onCancel { [object = counter.object()] in _ = object } }
    var dropped: Promise<Int, StoppableError>? = Promise()
    dropped?.onCancel { [object = counter.object()] in _ = object }
    #expect(counter.liveCount == 4)
    promises[0].success(1)
    promises[1].failure(.failed)
    promises[2].future.cancel()
    dropped = nil
    #expect(counter.liveCount == 0)
  }

  @Test("cancellation handlers run in the order of registration, and a handler added later runs at once")
  func handlers() {
    let promise = Promise<Int, StoppableError>()
    let log = Log<Int>()
    for index in 0..<4 {
      promise.onCancel { [future = promise.future] in log.append(future.isCompleted ? -1 : index) }
    }
    promise.future.cancel()
    promise.onCancel { log.append(4) }
    #expect(log.all == [0, 1, 2, 3, 4])
    let completed = Promise<Int, StoppableError>()
    completed.success(1)
    completed.onCancel { log.append(5) }
    completed.future.cancel()
    #expect(log.count == 5)
  }

  @Test("cancelling calls each handler once when several threads added handlers at the same time", arguments: 0..<50)
  func handlersFromSeveralThreads(index: Int) async {
    let promise = Promise<Int, StoppableError>()
    let log = Log<Int>()
    await hammer(threads: 3) { thread, _ in
      for index in 0..<100 { promise.onCancel { log.append(100 * thread + index) } }
    }
    promise.future.cancel()
    #expect(log.all.sorted() == Array(0..<300))
    for thread in 0..<3 { #expect(log.all.filter { $0 / 100 == thread } == (0..<100).map { 100 * thread + $0 }) }
  }

  @Test("a cancellation handler can complete the promise with its own error")
  func handlerCompletes() {
    let promise = Promise<Int, StoppableError>()
    promise.onCancel { promise.failure(.failed) }
    let derived = promise.future.map(now) { $0 }
    promise.future.cancel()
    #expect(derived.error == .failed)
  }

  @Test("a cancellation handler can cancel other futures and register callbacks")
  func reentrant() {
    let (first, second) = (Stoppable(), Stoppable())
    let log = Log<Bool>()
    let derived = second.future.map(now) { $0 }
    first.promise.onCancel { [future = first.future] in
      derived.cancel()
      future.onComplete(immediateExecutionContext) { log.append($0 == .failure(.stopped)) }
      future.cancel()
    }
    first.future.cancel()
    #expect(log.all == [true])
    #expect(second.stopCount == 1)
    #expect(derived.error == .stopped)
  }

  @Test("a callback on a released promise is released at once in a handler that a leaving listener calls")
  func releaseInHandler() {
    let (work, counter, counts) = (Promise<Int, StoppableError>(), ObjectCounter(), Log<Int>())
    work.onCancel {
      let future = Promise<Int, StoppableError>().future
      future.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
      counts.append(counter.liveCount)
    }
    work.future.map(immediateExecutionContext) { $0 }.cancel()
    #expect(counts.all == [0])
  }

  @Test("cancelling a future of asynchronous work cancels its task")
  func task() async {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let ended = Promise<Bool, Never>()
    let future = Future<Int, StoppableError> { () async throws(StoppableError) in
      for await _ in gate {}
      ended.success(Task.isCancelled)
      return 1
    }
    future.cancel()
    #expect(future.error == .stopped)
    #expect(await ended.future.get())
    open.finish()
  }
}
