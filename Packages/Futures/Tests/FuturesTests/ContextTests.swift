import Dispatch
import Futures
import TestSupport
import Testing

@Suite("Contexts")
struct ContextTests {
  let promise = Promise<Int, TestError>()
  let log = Log<Int>()

  @Test("a context that runs its work twice, now or later, calls the callback once")
  func twice() {
    let works = Log<@Sendable () -> Void>()
    let retaining: ExecutionContext = { work in
      works.append(work)
      work()
    }
    for context in [doublingContext, retaining] { promise.future.onSuccess(context) { [log] _ in log.append(1) } }
    let mapped = promise.future.map(doublingContext) { [log] in
      log.append(2)
      return $0 + 1
    }
    promise.success(1)
    for work in works.all { work() }
    #expect(log.all == [1, 1, 2])
    #expect(mapped.value == 2)
  }

  @Test("a context that discards its work does not affect callbacks in other contexts")
  func never() {
    promise.future.onSuccess(discardingContext) { [log] _ in log.append(1) }
    promise.future.onSuccess(now) { [log] _ in log.append(2) }
    let mapped = promise.future.map(discardingContext) { $0 }
    promise.future.onSuccess(now) { [log] _ in log.append(3) }
    promise.success(1)
    #expect(log.all == [2, 3])
    #expect(!mapped.isCompleted)
  }

  @Test("a context that defers its work delays only its own callbacks")
  func later() {
    let manual = ManualContext()
    for (index, context) in [now, manual.context, now, manual.context].enumerated() {
      promise.future.onSuccess(context) { [log] _ in log.append(index) }
    }
    promise.success(1)
    promise.future.onSuccess(now) { [log] _ in log.append(4) }
    #expect(log.all == [0, 2, 4])
    manual.runAll()
    #expect(log.all == [0, 2, 4, 1, 3])
  }

  @Test("callbacks in a queue's context are asynchronous and keep the order of the queue, whatever other contexts do")
  func queues() async {
    let (one, two) = (TestQueue("one"), TestQueue("two"))
    let orders = (0..<3).map { _ in Log<Int>() }
    for index in 0..<60 {
      let context = [one.context, two.context, now][index % 3]
      promise.future.onSuccess(context) { _ in
        if index % 3 == 2 || [one.isCurrent, two.isCurrent][index % 3] { orders[index % 3].append(index) }
      }
    }
    one.queue.suspend()
    promise.success(1)
    #expect(orders[0].all == [])
    one.queue.resume()
    for queue in [one, two] { await queue.drain() }
    for (number, order) in orders.enumerated() { #expect(order.all == Array(stride(from: number, to: 60, by: 3))) }
  }
}

private func isOnMainQueue() -> Bool {
  mainKeyIsSet && DispatchQueue.getSpecific(key: mainKey) == true
}

private let mainKey = DispatchSpecificKey<Bool>()
private let mainKeyIsSet: Bool = {
  DispatchQueue.main.setSpecific(key: mainKey, value: true)
  return true
}()

/// Returns a closure without isolation, also in a test on the main actor.
private func unisolated(_ body: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void { body }

@Suite("Callbacks without a context")
struct DefaultContextTests {
  @Test("a callback registered on the main queue is called there asynchronously")
  @MainActor
  func onMain() async {
    let log = Log<String>()
    let isOnMain = await withCheckedContinuation { continuation in
      Future<Int, Never>(value: 1).onSuccess(
        unisolated { _ in
          log.append("called")
          continuation.resume(returning: isOnMainQueue())
        })
      log.append("registered")
    }
    #expect(isOnMain)
    #expect(log.all == ["registered", "called"])
  }

  @Test(
    "a callback registered outside the main queue is called on a global queue, without blocking the completing call")
  func onAnotherQueue() async {
    let queue = TestQueue("registering")
    let order = await onThread {
      let (promise, log) = (Promise<Int, Never>(), Log<String>())
      let (go, called) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      queue.queue.sync {
        _ = promise.future.onSuccess { _ in
          go.wait()
          log.append("callback \(queue.isCurrent) \(isOnMainQueue())")
          called.signal()
        }
      }
      promise.success(1)
      log.append("completed")
      go.signal()
      called.wait()
      return log.all
    }
    #expect(order == ["completed", "callback false false"])
  }

  actor Aviary {
    private var birds: [String] = []

    func load(_ future: Future<String, Never>) -> Future<Int, Never> {
      future.onSuccess {
        self.preconditionIsolated()
        self.birds.append($0)
      }
      future.onComplete { _ in self.birds.append("complete") }
      return future.map { _ in
        self.preconditionIsolated()
        self.birds.append("map")
        return self.birds.count
      }
    }

    var all: [String] { birds }
  }

  @Test("callbacks created on an actor run on that actor, in order", arguments: Readiness.allCases)
  func onActor(readiness: Readiness) async {
    let aviary = Aviary()
    let (future, complete) = readiness.future(Result<String, Never>.success("puffin"))
    let count = await aviary.load(future)
    complete()
    #expect(await count.get() == 3)
    #expect(await aviary.all == ["puffin", "complete", "map"])
  }

  @MainActor
  final class Screen {
    private(set) var rows: [String] = []

    func show(_ birds: Future<[String], TestError>) -> Future<Int, TestError> {
      birds
        .onSuccess { self.rows = $0 }
        .onFailure { self.rows = ["\($0)"] }
        .map { [self] birds in
          rows.append("mapped")
          return birds.count
        }
        .flatMap { [self] count in
          rows.append("flatMapped")
          return Future(value: count + rows.count)
        }
    }
  }

  @Test("callbacks created on the main actor can use its members when another thread completes the future")
  @MainActor
  func onMainActor() async throws {
    let (promise, screen) = (Promise<[String], TestError>(), Screen())
    let count = screen.show(promise.future)
    startThread { promise.success(["puffin", "swift"]) }
    #expect(try await count.get() == 6)
    #expect(screen.rows == ["puffin", "swift", "mapped", "flatMapped"])
  }

  @Test("immediateOnMainExecutionContext runs at once on the main thread, and on the main queue otherwise")
  @MainActor
  func immediateOnMain() async {
    let (log, future) = (Log<String>(), Future<Int, Never>(value: 1))
    future.onSuccess(immediateOnMainExecutionContext) { _ in log.append("here") }
    #expect(log.all == ["here"])
    let isOnMain: Bool = await withCheckedContinuation { continuation in
      startThread {
        future.onSuccess(immediateOnMainExecutionContext) { _ in continuation.resume(returning: isOnMainQueue()) }
      }
    }
    #expect(isOnMain)
  }
}
