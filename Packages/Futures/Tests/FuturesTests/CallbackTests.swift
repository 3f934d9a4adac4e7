import TestSupport
import Dispatch
import Futures
import Testing

@Suite("Callbacks")
struct CallbackTests {
  @Test("callbacks are called once, in the order of registration")
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

  @Test("callbacks beyond the nesting limit are called in the order of registration")
  func orderBeyondNestingLimit() {
    let log = Log<Int>()
    let completed = Future<Int, TestError>(value: 1)
    let promises = (0..<100).map { _ in Promise<Int, TestError>() }
    for (promise, next) in zip(promises, promises.dropFirst()) {
      promise.future.onComplete(immediateExecutionContext) { next.complete($0) }
    }
    promises[99].future.onComplete(immediateExecutionContext) { _ in
      for index in 0..<10 { completed.onComplete(immediateExecutionContext) { _ in log.append(index) } }
    }
    promises[0].success(1)
    #expect(log.all == Array(0..<10))
  }

  @Test("callbacks and transforms of a future run in the order of registration")
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
    _ = future.flatMapResult(immediateExecutionContext) { _ -> Result<Void, TestError> in
      log.append("flatMap to a result")
      return .success(())
    }
    future.onComplete(immediateExecutionContext) { _ in log.append("last") }
    promise.success(1)
    #expect(log.all == ["callback", "map", "flatMap to a future", "flatMap to a result", "last"])
  }

  @Test("immediate callbacks run before the completing call returns, and at once on a completed future")
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

  @Test("the immediate callbacks of derived futures run before the completing call returns")
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

  @Test("onSuccess is called only for values, and onFailure only for errors")
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

  @Test("onSuccess, onFailure and onComplete return the future itself")
  func chaining() {
    let future = Promise<Int, TestError>().future
    #expect(future.onSuccess(immediateExecutionContext) { _ in } === future)
    #expect(future.onFailure(immediateExecutionContext) { _ in } === future)
    #expect(future.onComplete(immediateExecutionContext) { _ in } === future)
    #expect(future.onSuccess { _ in }.onFailure { _ in }.onComplete { _ in } === future)
  }

  @Test("an immediate callback that is registered inside a callback of the same future runs at once")
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
    #expect(log.all == ["first begins", "inner", "first ends", "second"])
  }

  @Test("an immediate callback that is registered inside a callback of a completed future runs at once")
  func registeringInsideLate() {
    let future = Future<Int, TestError>(value: 1)
    let log = Log<String>()
    future.onSuccess(immediateExecutionContext) { _ in
      log.append("outer begins")
      future.onSuccess(immediateExecutionContext) { _ in log.append("inner") }
      log.append("outer ends")
    }
    log.append("registered")
    #expect(log.all == ["outer begins", "inner", "outer ends", "registered"])
  }

  @Test("an immediate callback that is registered inside a transform of the same future runs at once")
  func registeringInsideTransform() {
    let future = Future<Int, TestError>(value: 1)
    let log = Log<String>()
    let mapped = future.map(immediateExecutionContext) { value in
      future.onSuccess(immediateExecutionContext) { _ in log.append("inner") }
      log.append("transform ends")
      return value
    }
    #expect(log.all == ["inner", "transform ends"])
    #expect(mapped.value == 1)
  }

  @Test("a callback that completes another promise runs that promise's callbacks before the completing call returns")
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

  @Test("a callback that completes its own promise again changes nothing")
  func completingItselfInside() {
    let promise = Promise<Int, TestError>()
    let log = Log<Bool>()
    promise.future.onComplete(immediateExecutionContext) { _ in log.append(promise.trySuccess(2)) }
    promise.success(1)
    #expect(log.all == [false])
    #expect(promise.future.value == 1)
  }

  @Test("a callback can release the promise and the future, and later callbacks still run")
  func releasingInside() {
    let counter = ObjectCounter()
    let log = Log<Int>()
    let promise = Box<Promise<Int, TestError>?>(Promise())
    promise.value?.future.onComplete(immediateExecutionContext) { [object = counter.object()] _ in
      promise.value = nil
      log.append(1)
      _ = object
    }
    promise.value?.future.onComplete(synchronousContext) { [object = counter.object()] _ in
      log.append(2)
      _ = object
    }
    promise.value?.success(1)
    #expect(promise.value == nil)
    #expect(log.all == [1, 2])
    #expect(counter.liveCount == 0)
  }

  @Test("callbacks in one serial queue run in the order of registration, whatever other contexts do")
  func serial() async {
    let (one, two) = (TestQueue("one"), TestQueue("two"))
    for _ in 0..<50 {
      let promise = Promise<Int, Never>()
      let orders = (0..<4).map { _ in Log<Int>() }
      for index in 0..<60 {
        let context = [one.context, two.context, immediateExecutionContext, synchronousContext][index % 4]
        promise.future.onSuccess(context) { _ in orders[index % 4].append(index) }
      }
      promise.success(1)
      for queue in [one, two] { await withCheckedContinuation { done in queue.queue.async { done.resume() } } }
      for (number, order) in orders.enumerated() { #expect(order.all == Array(stride(from: number, to: 60, by: 4))) }
    }
  }

  @Test("callbacks and transforms run in their contexts")
  func contexts() async {
    let (one, two) = (TestQueue("one"), TestQueue("two"))
    let promise = Promise<Int, Never>()
    let (inOne, inTwo) = (Log<[Bool]>(), Log<[Bool]>())
    promise.future.onSuccess(one.context) { _ in inOne.append([one.isCurrent, two.isCurrent]) }
    promise.future.onSuccess(two.context) { _ in inTwo.append([one.isCurrent, two.isCurrent]) }
    let mapped = promise.future.map(two.context) { _ in two.isCurrent }
    let flatMapped = promise.future.flatMap(one.context) { _ in Future<Bool, Never>(value: one.isCurrent) }
    let resulting = promise.future.flatMapResult(one.context) { _ in Result<Bool, Never>.success(one.isCurrent) }
    promise.success(1)
    #expect(await mapped.get())
    #expect(await flatMapped.get())
    #expect(await resulting.get())
    #expect(inOne.all == [[true, false]])
    #expect(inTwo.all == [[false, true]])
  }

  @Test("a callback can block until another thread has registered on the same future")
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
    #expect(isCalled == ["from elsewhere", "immediate", "from elsewhere", "custom", "from elsewhere", "transform"])
  }
}
