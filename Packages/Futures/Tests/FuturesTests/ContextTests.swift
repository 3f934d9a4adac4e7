import TestSupport
import Dispatch
import Futures
import Testing

@Suite("Contexts")
struct ContextTests {
  @Test("a context that runs its work twice calls the callback once")
  func twice() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    promise.future.onSuccess(doublingContext) { _ in log.append(1) }
    promise.future.onSuccess(doublingContext) { _ in log.append(2) }
    let mapped = promise.future.map(doublingContext) { $0 + 1 }
    let flatMapped = promise.future.flatMap(doublingContext) { Future<Int, TestError>(value: $0 + 2) }
    promise.success(1)
    #expect(log.all == [1, 2])
    #expect(mapped.value == 2)
    #expect(flatMapped.value == 3)
  }

  @Test("a context that runs its work again later calls the callback once")
  func twiceLater() {
    let works = Log<@Sendable () -> Void>()
    let retaining: ExecutionContext = { work in
      works.append(work)
      work()
    }
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    promise.future.onSuccess(retaining) { _ in log.append(1) }
    promise.success(1)
    for work in works.all { work() }
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append(2) }
    for work in works.all { work() }
    #expect(log.all == [1, 2])
  }

  @Test("a context that discards its work does not affect callbacks in other contexts")
  func never() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    promise.future.onSuccess(discardingContext) { _ in log.append(1) }
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append(2) }
    let mapped = promise.future.map(discardingContext) { $0 }
    promise.future.onSuccess(discardingContext) { _ in log.append(3) }
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append(4) }
    promise.success(1)
    #expect(log.all == [2, 4])
    #expect(!mapped.isCompleted)
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append(5) }
    #expect(log.all == [2, 4, 5])
  }

  @Test("a context that defers its work delays only its own callbacks")
  func later() {
    let promise = Promise<Int, TestError>()
    let manual = ManualContext()
    let log = Log<Int>()
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append(1) }
    promise.future.onSuccess(manual.context) { _ in log.append(2) }
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append(3) }
    promise.future.onSuccess(manual.context) { _ in log.append(4) }
    promise.success(1)
    promise.future.onSuccess(immediateExecutionContext) { _ in log.append(5) }
    #expect(log.all == [1, 3, 5])
    manual.takeFirst()?()
    #expect(log.all == [1, 3, 5, 2])
    manual.takeFirst()?()
    #expect(log.all == [1, 3, 5, 2, 4])
    #expect(manual.count == 0)
  }

  @Test("a transform releases its listeners when its context discards the deferred work")
  func discardedLater() {
    let counter = ObjectCounter()
    let promise = Promise<Int, TestError>()
    let manual = ManualContext()
    let mapped = promise.future.map(manual.context) { $0 }
    mapped.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
    promise.success(1)
    #expect(counter.liveCount == 1)
    _ = manual.takeFirst()
    #expect(counter.liveCount == 0)
    #expect(!mapped.isCompleted)
  }

  @Test("a context can discard the work on another thread during the completing call")
  func discardedOnAnotherThread() async {
    for _ in 0..<500 {
      let log = await onThread {
        let promise = Promise<Int, TestError>()
        let log = Log<Int>()
        let done = DispatchSemaphore(value: 0)
        promise.future.onSuccess({ work in DispatchQueue.global().async { _ = work } }) { _ in log.append(1) }
        promise.future.onSuccess(immediateExecutionContext) { _ in
          log.append(2)
          done.signal()
        }
        promise.success(1)
        done.wait()
        return log.all
      }
      #expect(log == [2])
    }
  }

  @Test("a context can run the work on another thread and wait for it")
  func blockingContext() async {
    let order = await onThread {
      let log = Log<Int>()
      let blocking: ExecutionContext = { work in
        let done = DispatchSemaphore(value: 0)
        startThread {
          work()
          done.signal()
        }
        done.wait()
      }
      let promise = Promise<Int, TestError>()
      let mapped = promise.future.map(blocking) { $0 + 1 }
      mapped.onSuccess(immediateExecutionContext) { log.append($0) }
      promise.future.onSuccess(blocking) { _ in log.append(3) }
      promise.future.onSuccess(immediateExecutionContext) { _ in log.append(4) }
      promise.success(1)
      return log.all
    }
    #expect(order == [2, 3, 4])
  }

  @Test("a context can complete another future before it runs its work")
  func completingInContext() {
    let (promise, other) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    let log = Log<String>()
    other.future.onSuccess(synchronousContext) { _ in log.append("other") }
    let context: ExecutionContext = { work in
      other.success(1)
      work()
      log.append("context ends")
    }
    promise.future.onSuccess(context) { _ in log.append("callback") }
    promise.future.map(context) { $0 }.onSuccess(synchronousContext) { _ in log.append("derived") }
    promise.success(1)
    #expect(log.all == ["other", "callback", "context ends", "derived", "context ends"])
  }

  @Test("a context can run its work inside a callback of another future")
  func runningInsideOther() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    let context: ExecutionContext = { work in
      Future<Int, Never>(value: 1).onComplete(synchronousContext) { _ in work() }
    }
    for index in 0..<3 { promise.future.onSuccess(context) { _ in log.append(index) } }
    promise.future.map(context) { $0 }.onSuccess(context) { _ in log.append(3) }
    promise.success(1)
    #expect(log.all == [0, 1, 2, 3])
  }

  @Test("callbacks in a queue's context are asynchronous and keep the order of the queue")
  func queue() async {
    let queue = TestQueue("queue")
    let order = Log<Int>()
    queue.queue.suspend()
    queue.queue.async { order.append(1) }
    let future = Future<Int, Never>(value: 2)
    future.onSuccess(queue.context) { order.append($0) }
    #expect(order.all.isEmpty)
    queue.queue.resume()
    await withCheckedContinuation { continuation in queue.queue.async { continuation.resume() } }
    #expect(order.all == [1, 2])
  }
}
