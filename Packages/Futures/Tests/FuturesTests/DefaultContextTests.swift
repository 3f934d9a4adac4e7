import TestSupport
import Dispatch
import Futures
import Testing

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

  @Test("a callback registered outside the main queue is called asynchronously on a global queue")
  func onAnotherQueue() async {
    let queue = TestQueue("registering")
    let answers: [Bool] = await withCheckedContinuation { continuation in
      queue.queue.async {
        Future<Int, Never>(value: 1).onSuccess { _ in
          continuation.resume(returning: [queue.isCurrent, isOnMainQueue()])
        }
      }
    }
    #expect(answers == [false, false])
  }

  @Test("a callback in the default context does not block the completing call")
  func asynchronous() async {
    let order = await onThread {
      let promise = Promise<Int, Never>()
      let log = Log<String>()
      let (go, called) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      promise.future.onSuccess { _ in
        go.wait()
        log.append("callback")
        called.signal()
      }
      promise.success(1)
      log.append("completed")
      go.signal()
      called.wait()
      return log.all
    }
    #expect(order == ["completed", "callback"])
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

  @Test("callbacks created on an actor run on that actor, in order")
  func onActor() async {
    for readiness in Readiness.allCases {
      let aviary = Aviary()
      let (future, complete) = readiness.future(Result<String, Never>.success("puffin"))
      let count = await aviary.load(future)
      complete()
      #expect(await count.get() == 3)
      #expect(await aviary.all == ["puffin", "complete", "map"])
    }
  }

  @MainActor
  final class Screen {
    private var rows: [String] = []

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

    var all: [String] { rows }
  }

  @Test("callbacks created on the main actor can use its members when another thread completes the future")
  @MainActor
  func onMainActor() async throws {
    let promise = Promise<[String], TestError>()
    let screen = Screen()
    let count = screen.show(promise.future)
    startThread { promise.success(["puffin", "swift"]) }
    #expect(try await count.get() == 6)
    #expect(screen.all == ["puffin", "swift", "mapped", "flatMapped"])
  }

  @Test("immediateOnMainExecutionContext runs at once on the main thread, and on the main queue otherwise")
  @MainActor
  func immediateOnMain() async {
    let log = Log<String>()
    let future = Future<Int, Never>(value: 1)
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
