import Futures
import TestSupport
import Testing

private typealias Stoppable = Work<Int, StoppableError>

@Suite("Cancelling a future")
struct CancellationTests {
  @Test("cancelling a future completes it at once with its cancellation error and stops its work once")
  func representable() {
    let (work, log) = (Stoppable(), Log<Result<Int, StoppableError>>())
    work.future.onComplete(now) { log.append($0) }
    work.future.cancel()
    #expect(work.future.error == .stopped)
    work.future.cancel()
    work.promise.success(1)
    #expect(log.all == [.failure(.stopped)])
    #expect(work.stopCount == 1)
  }

  @Test(
    "any Error is cancelled with CancellationError, and FuturesError with the wrapped error type's cancellation error")
  func errors() {
    let any = Promise<Int, any Error>()
    any.future.cancel()
    #expect(any.future.error is CancellationError)
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
  }

  @Test("cancelling a completed future does not change its result, stop its work or call a later handler")
  func completed() {
    let work = Stoppable()
    work.promise.success(1)
    work.future.cancel()
    work.promise.onCancel { Issue.record("called") }
    #expect(work.future.value == 1)
    #expect(work.stopCount == 0)
  }

  @Test("cancelling a future of asynchronous work cancels its task")
  func task() async {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let ended = Promise<Bool, Never>()
    let future = Future<Int, StoppableError> { () async throws(StoppableError) in
      for await _ in gate {}
      ended.success(Task.isCancelled)
      // The task may end before the call of `cancel` does.
      throw .stopped
    }
    future.cancel()
    #expect(future.error == .stopped)
    #expect(await ended.future.get())
    open.finish()
  }

  // MARK: Handlers

  @Test("cancellation handlers run in the order of registration, and a handler added later runs at once")
  func handlers() {
    let (promise, log) = (Promise<Int, StoppableError>(), Log<Int>())
    for index in 0..<4 {
      promise.onCancel { [future = promise.future] in log.append(future.isCompleted ? -1 : index) }
    }
    promise.future.cancel()
    promise.onCancel { log.append(4) }
    #expect(log.all == [0, 1, 2, 3, 4])
  }

  @Test("after a cancellation in deeply nested callbacks, only a handler can complete the future")
  func nestedBeyondLimit() {
    let (log, promise) = (Log<Bool>(), Promise<Int, StoppableError>())
    promise.onCancel { promise.failure(.failed) }
    let derived = promise.future.map(now) { $0 }
    inNestedCallbacks {
      promise.future.cancel()
      log.append(promise.trySuccess(1))
    }
    #expect(log.all == [false])
    #expect(promise.future.error == .failed)
    #expect(derived.error == .failed)
  }

  @Test("a promise that is released after a cancellation in deeply nested callbacks leaves a cancelled future")
  func releasedBeyondLimit() {
    let promise = Box<Promise<Int, StoppableError>?>(Promise())
    promise.value?.onCancel {}
    let future = promise.value?.future
    inNestedCallbacks {
      future?.cancel()
      promise.value = nil
    }
    #expect(future?.error == .stopped)
  }

  @Test("a handler that is added to a cancelled future is called, unless the future was completed in another way since")
  func lateHandlers() {
    let (plain, stoppable, log) = (Promise<Int, TestError>(), Promise<Int, StoppableError>(), Log<Int>())
    plain.future.cancel()
    plain.onCancel { log.append(1) }
    plain.success(1)
    plain.onCancel { log.append(2) }
    stoppable.onCancel { stoppable.failure(.failed) }
    stoppable.future.cancel()
    stoppable.onCancel { log.append(3) }
    #expect(log.all == [1, 3])
  }

  @Test("a cancellation handler can cancel other futures and register callbacks")
  func reentrant() {
    let (first, second, log) = (Stoppable(), Stoppable(), Log<Bool>())
    let derived = second.future.map(now) { $0 }
    first.promise.onCancel { [future = first.future] in
      derived.cancel()
      future.onComplete(now) { log.append($0 == .failure(.stopped)) }
      future.cancel()
    }
    first.future.cancel()
    #expect(log.all == [true])
    #expect(second.stopCount == 1)
    #expect(derived.error == .stopped)
  }

  // MARK: Derived futures

  @Test("cancelling a derived future completes it and stops the work of its source", arguments: Operator.allCases)
  func stopsSource(derivation: Operator) {
    let (work, calls) = (Stoppable(), Log<String>())
    let end = derivation.derive(work.future, calls)
    end.cancel()
    #expect(end.isCompleted != derivation.neverFails)
    #expect(work.future.error == .stopped)
    #expect(work.stopCount == 1)
    #expect(calls.all == [])
  }

  @Test(
    "cancelling a derived future does not stop work that has another listener, and calls no function later",
    arguments: Operator.allCases)
  func shared(derivation: Operator) {
    for result in [Result<Int, StoppableError>.success(1), .failure(.failed)] {
      let (work, calls) = (Stoppable(), Log<String>())
      let other = work.future.map(now) { $0 }
      derivation.derive(work.future, calls).cancel()
      #expect(work.stopCount == 0)
      work.promise.complete(result)
      #expect(other.result == result)
      #expect(calls.all == [])
    }
  }

  @Test(
    "an earlier callback of the source can cancel a derived future, which then calls nothing",
    arguments: Operator.allCases)
  func cancelledByEarlierCallback(derivation: Operator) {
    for result in [Result<Int, StoppableError>.success(1), .failure(.failed)] {
      let (work, end, calls) = (Stoppable(), Box<Derived?>(nil), Log<String>())
      work.future.onComplete(now) { _ in end.value?.cancel() }
      end.value = derivation.derive(work.future, calls)
      work.promise.complete(result)
      #expect(calls.all == [])
      #expect(work.stopCount == 0)
    }
  }

  @Test(
    "a cancelled operator does not call its function when its context runs the deferred work",
    arguments: Operator.allCases.filter { ![.defaultValue, .defaultFuture, .retry, .retryOfMap].contains($0) })
  func beforeContext(derivation: Operator) {
    for result in [Result<Int, StoppableError>.success(1), .failure(.failed)] {
      let (manual, calls) = (ManualContext(), Log<String>())
      let end = derivation.derive(Future(result: result), in: manual.context, calls)
      end.cancel()
      manual.runAll()
      #expect(calls.all == [] || derivation.neverFails)
    }
  }

  @Test("a cancelled promise cancels a future that should complete it later")
  func completedWithAfterwards() {
    let (work, promise) = (Stoppable(), Promise<Int, StoppableError>())
    promise.future.cancel()
    promise.complete(with: work.future)
    #expect(work.stopCount == 1)
    let (plain, other) = (Promise<Int, TestError>(), Work<Int, TestError>())
    plain.future.onComplete(now) { _ in }.cancel()
    plain.complete(with: other.future)
    #expect(other.stopCount == 1)
    other.promise.success(1)
    #expect(plain.future.value == 1)
  }

  @Test("a cancelled future that cannot fail cancels its source, whose result it then gets for its listener")
  func neverFails() {
    let work = Stoppable()
    let end = work.future.recover(now) { $0 == .stopped ? -1 : -2 }
    end.onComplete(now) { _ in }.cancel()
    #expect(work.stopCount == 1)
    #expect(end.value == -1)
  }
}
