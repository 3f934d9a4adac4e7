import Dispatch
import Futures
import TestSupport
import Testing

@Suite("Callbacks")
struct CallbackTests {
  @Test("callbacks are called once, in the order of registration")
  func order() {
    let (promise, log) = (Promise<Int, TestError>(), Log<Int>())
    for index in 0..<100 { promise.future.onComplete(now) { _ in log.append(index) } }
    #expect(log.all.isEmpty)
    promise.success(1)
    promise.success(2)
    #expect(log.all == Array(0..<100))
  }

  @Test("callbacks beyond the nesting limit are called in the order of registration")
  func orderBeyondNestingLimit() {
    let log = Log<Int>()
    let completed = Future<Int, TestError>(value: 1)
    let promises = (0..<100).map { _ in Promise<Int, TestError>() }
    for (promise, next) in zip(promises, promises.dropFirst()) {
      promise.future.onComplete(now) { next.complete($0) }
    }
    promises[99].future.onComplete(now) { _ in
      for index in 0..<10 { completed.onComplete(now) { _ in log.append(index) } }
    }
    promises[0].success(1)
    #expect(log.all == Array(0..<10))
  }

  @Test("immediate callbacks, also of derived futures, run before the completing or registering call returns")
  func immediate() {
    let (promise, log) = (Promise<Int, TestError>(), Log<String>())
    let derived = promise.future.map(now) { $0 + 1 }.flatMap(now) { Future<Int, TestError>(value: $0 + 1) }
    promise.future.onSuccess(now) { log.append("early \($0)") }
    derived.onSuccess(now) { log.append("derived \($0)") }
    promise.success(1)
    log.append("completed")
    promise.future.onSuccess(now) { log.append("late \($0)") }
    log.append("registered")
    #expect(log.all == ["derived 3", "early 1", "completed", "late 1", "registered"])
  }

  @Test("onSuccess, onFailure and onComplete return the future itself")
  func chaining() {
    let future = Promise<Int, TestError>().future
    #expect(future.onSuccess(now) { _ in }.onFailure(now) { _ in }.onComplete(now) { _ in } === future)
    #expect(future.onSuccess { _ in }.onFailure { _ in }.onComplete { _ in } === future)
    #expect(!(future === Promise<Int, TestError>().future))
  }

  // MARK: Inside of a callback

  @Test(
    "an immediate callback that is registered inside a callback or transform of the same future runs at once",
    arguments: Readiness.allCases)
  func registeringInside(readiness: Readiness) {
    let (future, complete) = readiness.future(Result<Int, TestError>.success(1))
    let log = Log<String>()
    future.onSuccess(now) { _ in
      log.append("callback begins")
      future.onSuccess(now) { _ in log.append("inner") }
      log.append("callback ends")
    }
    let mapped = future.map(now) { value in
      future.onSuccess(now) { _ in log.append("inner") }
      log.append("transform ends")
      return value
    }
    complete()
    #expect(log.all == ["callback begins", "inner", "callback ends", "inner", "transform ends"])
    #expect(mapped.value == 1)
  }

  @Test("a callback that completes another promise runs that promise's callbacks before the completing call returns")
  func completingInside() {
    let (promise, other, log) = (Promise<Int, TestError>(), Promise<Int, TestError>(), Log<String>())
    other.future.onSuccess(now) { _ in log.append("other") }
    promise.future.onSuccess(now) { _ in
      log.append("begins \(promise.trySuccess(2))")
      other.success(2)
      log.append("ends")
    }
    promise.success(1)
    #expect(log.all == ["begins false", "other", "ends"])
    #expect(promise.future.value == 1)
  }

  @Test("a callback can release the promise and the future, and later callbacks still run")
  func releasingInside() {
    let (counter, log) = (ObjectCounter(), Log<Int>())
    let promise = Box<Promise<Int, TestError>?>(Promise())
    promise.value?.future.onComplete(now) { [object = counter.object()] _ in
      promise.value = nil
      log.append((1, object).0)
    }
    promise.value?.future.onComplete(now) { [object = counter.object()] _ in log.append((2, object).0) }
    promise.value?.success(1)
    #expect(log.all == [1, 2])
    #expect(counter.liveCount == 0)
  }

  @Test("a callback or transform can block until another thread has used the same future")
  func noLockIsHeld() async {
    let calls = await onThread {
      let (promise, log, registered) = (Promise<Int, Never>(), Log<String>(), DispatchSemaphore(value: 0))
      let future = promise.future
      @Sendable func registerElsewhere(_ name: String) {
        startThread {
          future.onSuccess(now) { _ in log.append("from elsewhere") }
          _ = [future.map(now) { $0 }].sequence()
          _ = promise.trySuccess(2)
          registered.signal()
        }
        registered.wait()
        log.append(name)
      }
      future.onSuccess(now) { _ in registerElsewhere("callback") }
      promise.success(1)
      _ = future.map(now) { _ in registerElsewhere("transform") }
      return log.all
    }
    #expect(calls == ["from elsewhere", "callback", "from elsewhere", "transform"])
  }

  // MARK: Custom asynchronous types

  /// A minimal asynchronous type of a library's user, which is always completed.
  private struct Ready<Value: Sendable>: AsyncType {
    let value: Box<Value?> = Box(nil)

    init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void) {
      scope { [value] in value.value = $0 }
    }

    var result: Value? { value.value }

    @discardableResult
    func onComplete(_ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void) -> Self {
      context { [value] in
        if let value = value.value { callback(value) }
      }
      return self
    }
  }

  @Test("a custom asynchronous type and an async of a result have the callbacks of a future")
  func asyncTypes() async {
    func check<A: AsyncType>(_ make: (Result<Int, TestError>) -> A) where A.Value == Result<Int, TestError> {
      let log = Log<String>()
      for async in [make(.success(1)), make(.failure(.first))] {
        async.onSuccess(now) { log.append("value \($0)") }.onFailure(now) { log.append("error \($0)") }
      }
      #expect(log.all == ["value 1", "error first"])
    }
    check { result in Ready { $0(result) } }
    check { Async(result: $0) }
    check { Future(result: $0) }
    let log = Log<String>()
    Ready<Result<Int, TestError>> { $0(.success(1)) }.onSuccess { log.append("value \($0)") }
    Ready<Result<Int, TestError>> { $0(.failure(.first)) }.onFailure { log.append("error \($0)") }
    #expect(await Set(log.first(2)) == ["value 1", "error first"])
  }
}
