import ParallelTesting
import Dispatch
import Futures
import Testing

@Suite("Callbacks")
struct CallbackTests {
  @Test("are called in the order in which they were registered, each once")
  func order() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    for index in 0..<100 { promise.future.onComplete(immediateExecutionContext) { _ in log.append(index) } }
    #expect(log.all.isEmpty)
    promise.success(1)
    #expect(log.all == Array(0..<100))
    promise.success(2)
    #expect(log.count == 100)
  }

  @Test("keep their order with what is made by map, flatMap and sequence")
  func orderAmongAllListeners() {
    let promise = Promise<Int, TestError>()
    let log = Log<String>()
    let future = promise.future
    future.onSuccess(immediateExecutionContext) { _ in log.append("callback") }
    _ = future.map(immediateExecutionContext) { _ in log.append("map") }
    _ = future.flatMap(immediateExecutionContext) { _ in
      log.append("flatMap to a future")
      return Future<Void, TestError>(value: ())
    }
    _ = future.flatMap(immediateExecutionContext) { _ -> Result<Void, TestError> in
      log.append("flatMap to a result")
      return .success(())
    }
    future.onComplete(immediateExecutionContext) { _ in log.append("last") }
    promise.success(1)
    #expect(log.all == ["callback", "map", "flatMap to a future", "flatMap to a result", "last"])
  }

  @Test("in the immediate context are called before the completing call returns, and at once when late")
  func immediate() {
    let promise = Promise<Int, TestError>()
    let log = Log<String>()
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append("early") }
    promise.success(1)
    log.append("completed")
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append("late") }
    log.append("registered")
    #expect(log.all == ["early", "completed", "late", "registered"])
  }

  @Test("of a chain of futures are called before the completing call returns")
  func immediateChain() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    promise.future
      .map(immediateExecutionContext) { $0 + 1 }
      .flatMap(immediateExecutionContext) { Future<Int, TestError>(value: $0 + 1) }
      .onSuccess(immediateExecutionContext) { log.append($0) }
    promise.success(1)
    #expect(log.all == [3])
  }

  @Test("for success and failure hear only theirs")
  func successAndFailure() {
    let log = Log<String>()
    for result: Result<Int, TestError> in [.success(7), .failure(.first)] {
      Future(result: result)
        .onSuccess(immediateExecutionContext) { log.append("value \($0)") }
        .onFailure(immediateExecutionContext) { log.append("error \($0)") }
        .onComplete(immediateExecutionContext) { log.append("result \($0 == result)") }
    }
    #expect(log.all == ["value 7", "result true", "error first", "result true"])
  }

  @Test("are registered by calls that return the same object")
  func chaining() {
    let future = Promise<Int, TestError>().future
    #expect(future.onSuccess(immediateExecutionContext) { _ in } === future)
    #expect(future.onFailure(immediateExecutionContext) { _ in } === future)
    #expect(future.onComplete(immediateExecutionContext) { _ in } === future)
    #expect(future.onSuccess { _ in }.onFailure { _ in }.onComplete { _ in } === future)
  }

  @Test("that are registered inside a callback are called after it, and after those that were there")
  func registeringInside() {
    let promise = Promise<Int, TestError>()
    let future = promise.future
    let log = Log<String>()
    future.onSuccess(immediateExecutionContext) { _ in
      log.append("first begins")
      future.onSuccess(immediateExecutionContext) { _ in log.append("inner") }
      log.append("first ends")
    }
    future.onSuccess(immediateExecutionContext) { _ in log.append("second") }
    promise.success(1)
    #expect(log.all == ["first begins", "first ends", "second", "inner"])
  }

  @Test("that are registered inside a late callback are called after it, before the outer call returns")
  func registeringInsideLate() {
    let future = Future<Int, TestError>(value: 1)
    let log = Log<String>()
    future.onSuccess(immediateExecutionContext) { _ in
      log.append("outer begins")
      future.onSuccess(immediateExecutionContext) { _ in log.append("inner") }
      log.append("outer ends")
    }
    log.append("registered")
    #expect(log.all == ["outer begins", "outer ends", "inner", "registered"])
  }

  @Test("that are registered inside a transform of the same future are called after it")
  func registeringInsideTransform() {
    let future = Future<Int, TestError>(value: 1)
    let log = Log<String>()
    let mapped = future.map(immediateExecutionContext) { value in
      future.onSuccess(immediateExecutionContext) { _ in log.append("inner") }
      log.append("transform ends")
      return value
    }
    #expect(log.all == ["transform ends", "inner"])
    #expect(mapped.value == 1)
  }

  @Test("may complete another promise, whose callbacks are called before that completion returns")
  func completingInside() {
    let (promise, other) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    let log = Log<String>()
    other.future.onSuccess(immediateExecutionContext) { _ in log.append("other") }
    promise.future.onSuccess(immediateExecutionContext) { _ in
      log.append("begins")
      other.success(2)
      log.append("ends")
    }
    promise.success(1)
    #expect(log.all == ["begins", "other", "ends"])
  }

  @Test("may complete the promise that they belong to, which is ignored")
  func completingItselfInside() {
    let promise = Promise<Int, TestError>()
    let log = Log<Bool>()
    promise.future.onComplete(immediateExecutionContext) { _ in log.append(promise.trySuccess(2)) }
    promise.success(1)
    #expect(log.all == [false])
    #expect(promise.future.value == 1)
  }

  @Test("may drop the last reference to the promise and the future; the others are still called")
  func droppingInside() {
    let census = Census()
    let log = Log<Int>()
    let promise = Box<Promise<Int, TestError>?>(Promise())
    promise.value?.future.onComplete(immediateExecutionContext) { [object = census.object()] _ in
      promise.value = nil
      log.append(1)
      _ = object
    }
    promise.value?.future.onComplete(synchronousContext) { [object = census.object()] _ in
      log.append(2)
      _ = object
    }
    promise.value?.success(1)
    #expect(promise.value == nil)
    #expect(log.all == [1, 2])
    #expect(census.living == 0)
  }

  @Test("on different queues and none never overlap and keep their order")
  func serial() async {
    let (one, two) = (TestQueue("one"), TestQueue("two"))
    for _ in 0..<50 {
      let promise = Promise<Int, Never>()
      let running = Box(0)
      let overlaps = Log<Int>()
      let order = Log<Int>()
      for index in 0..<60 {
        let context = [one.context, two.context, immediateExecutionContext, synchronousContext][index % 4]
        promise.future.onSuccess(context) { _ in
          let count = running.update { count in
            count += 1
            return count
          }
          if count > 1 { overlaps.append(index) }
          order.append(index)
          running.update { $0 -= 1 }
        }
      }
      promise.success(1)
      await withCheckedContinuation { continuation in
        promise.future.onSuccess(immediateExecutionContext) { _ in continuation.resume() }
      }
      #expect(overlaps.all.isEmpty)
      #expect(order.all == Array(0..<60))
    }
  }

  @Test("run in their contexts")
  func contexts() async {
    let (one, two) = (TestQueue("one"), TestQueue("two"))
    let promise = Promise<Int, Never>()
    let log = Log<[Bool]>()
    promise.future.onSuccess(one.context) { _ in log.append([one.isCurrent, two.isCurrent]) }
    promise.future.onSuccess(two.context) { _ in log.append([one.isCurrent, two.isCurrent]) }
    let mapped = promise.future.map(two.context) { _ in two.isCurrent }
    let flatMapped = promise.future.flatMap(one.context) { _ in Future<Bool, Never>(value: one.isCurrent) }
    let resulting = promise.future.flatMap(one.context) { _ in Result<Bool, Never>.success(one.isCurrent) }
    promise.success(1)
    #expect(await mapped.get())
    #expect(await flatMapped.get())
    #expect(await resulting.get())
    #expect(log.all == [[true, false], [false, true]])
  }

  @Test("may block on another thread that registers on the same future")
  func noLockIsHeld() async {
    let isCalled = await onThread {
      let promise = Promise<Int, Never>()
      let future = promise.future
      let log = Log<String>()
      let registered = DispatchSemaphore(value: 0)
      @Sendable func registerElsewhere(_ name: String) {
        startThread {
          future.onSuccess(immediateExecutionContext) { _ in log.append("from elsewhere") }
          _ = future.map(immediateExecutionContext) { $0 }
          _ = [future].sequence()
          _ = promise.trySuccess(2)
          registered.signal()
        }
        registered.wait()
        log.append(name)
      }
      future.onSuccess(immediateExecutionContext) { _ in registerElsewhere("immediate") }
      future.onSuccess(synchronousContext) { _ in registerElsewhere("custom") }
      promise.success(1)
      _ = future.map(immediateExecutionContext) { _ in registerElsewhere("transform") }
      return log.all
    }
    #expect(isCalled == ["immediate", "custom", "from elsewhere", "from elsewhere", "transform", "from elsewhere"])
  }
}
