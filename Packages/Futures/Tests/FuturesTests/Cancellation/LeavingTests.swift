import Futures
import ParallelTesting
import TestSupport
import Testing

@Suite("Listeners that leave a future")
struct LeavingTests {
  let now = immediateExecutionContext

  @Test("losing a race does not complete a future that a promise completes")
  func race() {
    let shutdown = Promise<Int, StoppableError>()
    for index in 0..<3 {
      let work = Promise<Int, StoppableError>()
      let first = [work.future, shutdown.future].firstCompleted()
      work.success(index)
      #expect(first.value == index)
      #expect(!shutdown.future.isCompleted)
    }
    let last = [Promise<Int, StoppableError>().future, shutdown.future].firstCompleted()
    shutdown.success(9)
    #expect(last.value == 9)
  }

  /// Ways to add a listener to a future and to cancel it.
  enum Departure: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case map, flatMap, timeout, sequence, zip, race, get
    var testDescription: String { rawValue }

    func leave(_ future: Future<Int, StoppableError>) async {
      let now = immediateExecutionContext
      switch self {
      case .map: future.map(now) { $0 }.cancel()
      case .flatMap: Future<Int, StoppableError>(value: 0).flatMap(now) { _ in future }.cancel()
      case .timeout: future.timeout(after: .seconds(1), on: ManualClock(), failingWith: .failed).cancel()
      case .sequence: [future, future].sequence().cancel()
      case .zip: future.zip(future).cancel()
      case .race: [future].firstCompleted().cancel()
      case .get:
        let task = Task.immediate { try? await future.get() }
        task.cancel()
        #expect(await task.value == nil)
      }
    }
  }

  @Test(
    "the last listener that leaves does not complete a future that a promise completes", arguments: Departure.allCases)
  func promised(departure: Departure) async {
    let promise = Promise<Int, StoppableError>()
    await departure.leave(promise.future)
    #expect(!promise.future.isCompleted)
    promise.success(1)
    #expect(promise.future.value == 1)
  }

  @Test(
    "a derived future that its last listener has left gets its result for a new listener",
    arguments: Departure.allCases)
  func derived(departure: Departure) async {
    let promise = Promise<Int, StoppableError>()
    let kept = promise.future.map(now) { $0 + 1 }.map(now) { $0 * 10 }
    await departure.leave(kept)
    #expect(!kept.isCompleted)
    promise.success(1)
    #expect(!kept.isCompleted)
    #expect(kept.map(now) { $0 + 1 }.value == 21)
    #expect(kept.value == 20)
  }

  @Test("a new listener makes an idle derived future run its transform in its context")
  func derivedInContext() {
    let manual = ManualContext()
    let promise = Promise<Int, StoppableError>()
    let kept = promise.future.map(manual.context) { $0 + 1 }
    kept.map(now) { $0 }.cancel()
    promise.success(1)
    #expect(manual.count == 0)
    let log = Log<Int>()
    kept.onSuccess(now) { log.append($0) }
    #expect(manual.count == 1)
    manual.runAll()
    #expect(log.all == [2])
  }

  @Test("work is not stopped while a new listener waits for a derived future", arguments: Departure.allCases)
  func newListener(departure: Departure) async {
    let work = Work<Int, StoppableError>()
    let other = work.future.map(now) { $0 }
    let kept = work.future.map(now) { $0 + 1 }
    await departure.leave(kept)
    let newListener = kept.map(now) { $0 * 10 }
    other.cancel()
    #expect(work.stopCount == 0)
    newListener.cancel()
    #expect(work.stopCount == 1)
  }

  @Test("the last listener that leaves stops work that can be stopped", arguments: Departure.allCases)
  func work(departure: Departure) async {
    let work = Work<Int, StoppableError>()
    await departure.leave(work.future.map(now) { $0 })
    #expect(work.stopCount == 1)
    #expect(work.future.error == .stopped)
  }

  @Test(
    "unreferenced derived futures do not accumulate on a long-lived future", arguments: Departure.allCases)
  func doNotAccumulate(departure: Departure) async {
    let counter = ObjectCounter()
    let shutdown = Promise<Int, StoppableError>()
    for _ in 0..<100 {
      let object = counter.object()
      await departure.leave(shutdown.future.map(now) { ($0, object).0 }.map(now) { $0 })
    }
    #expect(counter.liveCount < 10)
    shutdown.success(1)
    #expect(counter.liveCount == 0)
  }

  /// Ways to derive a future whose error type lacks a cancellation value.
  enum PlainDerivation: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case map, mapInContext, mapOfMap, flatMap, sequence, zip, delay, retry
    var testDescription: String { rawValue }

    func derive(_ future: Future<Int, TestError>) -> AnyCancellableFuture {
      let now = immediateExecutionContext
      return switch self {
      case .map: AnyCancellableFuture(future.map(now) { $0 })
      case .mapInContext: AnyCancellableFuture(future.map(synchronousContext) { $0 })
      case .mapOfMap: AnyCancellableFuture(future.map(now) { $0 }.map(now) { $0 })
      case .flatMap: AnyCancellableFuture(Future<Int, TestError>(value: 0).flatMap(now) { _ in future })
      case .sequence: AnyCancellableFuture([future, future].sequence())
      case .zip: AnyCancellableFuture(future.zip(future))
      case .delay: AnyCancellableFuture(future.delay(for: .seconds(1), on: ManualClock()))
      case .retry: AnyCancellableFuture(Futures.retry(RetryPolicy(attempts: 2, backoff: .none)) { _ in future })
      }
    }
  }

  @Test(
    "unreferenced cancelled futures whose error type lacks a cancellation value do not accumulate",
    arguments: PlainDerivation.allCases)
  func plainErrorsDoNotAccumulate(derivation: PlainDerivation) {
    let counter = ObjectCounter()
    let shutdown = Promise<Int, TestError>()
    for _ in 0..<100 {
      let object = counter.object()
      derivation.derive(shutdown.future.map(now) { ($0, object).0 }).cancel()
    }
    #expect(counter.liveCount < 10)
    shutdown.success(1)
    #expect(counter.liveCount == 0)
  }

  @Test("a cancelled timeout whose error type lacks a cancellation value passes a result before its limit on")
  func timeout() {
    let clock = ManualClock()
    let promise = Promise<Int, TestError>()
    let limited = promise.future.timeout(after: .seconds(1), on: clock, failingWith: .first)
    limited.onComplete(now) { _ in }.cancel()
    #expect(!limited.isCompleted)
    promise.success(1)
    #expect(limited.value == 1)
  }

  /// Futures with the result of another future that is not their upstream.
  enum Adoption: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case promise, conversion, flatten
    var testDescription: String { rawValue }

    func adopt(_ source: Future<Int, StoppableError>) -> Async<Result<Int, StoppableError>> {
      switch self {
      case .promise:
        let promise = Promise<Int, StoppableError>()
        promise.complete(with: source)
        return promise.future
      case .conversion: return Future(other: source)
      case .flatten: return Async<Async<Result<Int, StoppableError>>>(result: source).flatten()
      }
    }
  }

  @Test(
    "the last listener that leaves does not complete a future that has the result of another one",
    arguments: Adoption.allCases)
  func adopted(adoption: Adoption) {
    let shutdown = Promise<Int, StoppableError>()
    let kept = adoption.adopt(shutdown.future)
    Future(other: kept).cancel()
    #expect(!kept.isCompleted)
    shutdown.success(1)
    kept.onComplete(now) { _ in }
    #expect(kept.result == .success(1))
  }

  @Test(
    "a future that has the result of another one stops the work when its last listener leaves, and joins it again",
    arguments: Adoption.allCases)
  func adoptedWork(adoption: Adoption) {
    let work = Work<Int, StoppableError>()
    let other = work.future.map(now) { $0 }
    let kept = adoption.adopt(work.future)
    Future(other: kept).cancel()
    let newListener = Future(other: kept)
    other.cancel()
    #expect(work.stopCount == 0)
    newListener.cancel()
    #expect(work.stopCount == 1)
    kept.onComplete(now) { _ in }
    #expect(kept.result == .failure(.stopped))
  }

  @Test("a promise whose future has lost its last listener leaves the future that it is completed with")
  func adoptedWithoutListener() {
    let work = Work<Int, StoppableError>()
    let promise = Promise<Int, StoppableError>()
    promise.future.map(now) { $0 }.cancel()
    promise.complete(with: work.future)
    #expect(work.stopCount == 1)
    promise.future.onComplete(now) { _ in }
    #expect(promise.future.error == .stopped)
  }
}
