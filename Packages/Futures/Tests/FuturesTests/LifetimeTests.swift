@testable import Futures
import TestSupport
import Testing

@Suite("Lifetime of futures, callbacks and transforms")
struct LifetimeTests {
  let counter = ObjectCounter()

  /// Adds a callback and derived futures, each with a counted object.
  ///
  /// - Returns: The last derived future, and the number of objects.
  private func extend(_ future: Future<Int, TestError>) -> (end: Future<Int, TestError>, count: Int) {
    let end =
      future
      .map(now) { [object = counter.object()] in ($0, object).0 }
      .flatMap(now) { [object = counter.object()] in Future(value: ($0, object).0) }
      .flatMapResult(now) { [object = counter.object()] in Result.success(($0, object).0) }
    let all = [end, future].sequence().map(now) { [object = counter.object()] in ($0[0], object).0 }
    // A reference cycle until the callback is released.
    all.onComplete(now) { [object = counter.object(), all] _ in _ = (object, all) }
    future.onComplete(discardingContext) { [object = counter.object()] _ in _ = object }
    return (end, 6)
  }

  @Test("releasing a promise releases the callbacks and transforms of its future and of all derived futures")
  func releasedPromise() {
    var promise: Promise<Int, TestError>? = Promise()
    let extended = promise.map { extend($0.future) }
    #expect(counter.liveCount == extended?.count)
    promise = nil
    #expect(counter.liveCount == 0)
    #expect(extended?.end.isCompleted == false)
  }

  @Test("releasing the completer of a scope releases the callbacks")
  func releasedCompleter() {
    let completer = Box<(@Sendable (Result<Int, TestError>) -> Void)?>(nil)
    let (_, count) = extend(Future { completer.value = $0 })
    #expect(counter.liveCount == count)
    completer.value = nil
    #expect(counter.liveCount == 0)
  }

  @Test("callbacks and derived futures of a future whose promise was released are released at once")
  func registeringAfterRelease() {
    _ = extend(Promise<Int, TestError>().future)
    #expect(counter.liveCount == 0)
  }

  @Test("completing a promise releases all callbacks and transforms", arguments: [true, false])
  func completed(isSuccess: Bool) {
    let promise = Promise<Int, TestError>()
    let (end, count) = extend(promise.future)
    #expect(counter.liveCount == count)
    promise.complete(isSuccess ? .success(1) : .failure(.first))
    #expect(counter.liveCount == 0)
    #expect(end.result == (isSuccess ? .success(1) : .failure(.first)))
  }

  @Test("completing, cancelling or releasing a promise releases its cancellation handlers")
  func handlers() {
    let promises = (0..<3).map { _ in Promise<Int, StoppableError>() }
    var dropped: Promise<Int, StoppableError>? = Promise()
    for promise in promises { promise.onCancel { [object = counter.object()] in _ = object } }
    dropped?.onCancel { [object = counter.object()] in _ = object }
    #expect(counter.liveCount == 4)
    promises[0].success(1)
    promises[1].failure(.failed)
    promises[2].future.cancel()
    dropped = nil
    #expect(counter.liveCount == 0)
  }

  @Test(
    "a pending future is released with its promise and the futures that are derived from it",
    arguments: Operator.allCases)
  func derived(derivation: Operator) {
    weak var source: FutureCore<Int, TestError>?
    for listens in [true, false] {
      do {
        let promise = Promise<Int, TestError>()
        let future = promise.future.map(now) { [object = counter.object()] in ($0, object).0 }
        source = future.core
        let end = derivation.derive(future)
        if listens { end.listen() }
        #expect(source != nil)
      }
      // The tasks of timers release their futures later.
      if derivation != .timeout {
        #expect(source == nil)
        #expect(counter.liveCount == 0)
      }
    }
  }

  @Test("futures that can never complete do not leak the operators that wait for them", arguments: 1...3)
  func neverCompleted(limit: Int) {
    do {
      let abandoned = Promise<Int, TestError>().future
      let all = (0..<4).traverse(now, maxConcurrent: limit) { [object = counter.object()] _ in (abandoned, object).0 }
      all.onComplete(now) { [object = counter.object(), all] _ in _ = (object, all) }
      let sequence = [Future(value: 1), abandoned].sequence()
      sequence.onComplete(now) { [object = counter.object(), sequence] _ in _ = (object, sequence) }
    }
    #expect(counter.liveCount == 0)
  }

  @Test("a context that discards its work, at once or later, releases the transform and its derived futures")
  func discarded() {
    let (promise, manual) = (Promise<Int, TestError>(), ManualContext())
    for context in [discardingContext, manual.context] {
      promise.future.map(context) { [object = counter.object()] in ($0, object).0 }
        .map(now) { [object = counter.object()] in ($0, object).0 }
        .onComplete(now) { [object = counter.object()] _ in _ = object }
    }
    promise.success(1)
    #expect(counter.liveCount == 3)
    _ = manual.takeFirst()
    #expect(counter.liveCount == 0)
  }

  @Test("work that a context keeps, before or after it has run it, keeps no callback or transform alive")
  func keptWork() {
    let works = Log<@Sendable () -> Void>()
    do {
      let (promise, manual) = (Promise<Int, TestError>(), ManualContext())
      let keeping: ExecutionContext = { work in
        works.append(work)
        work()
      }
      for context in [manual.context, keeping] {
        promise.future.onComplete(context) { [object = counter.object()] _ in _ = object }
        _ = promise.future.map(context) { [object = counter.object()] in ($0, object).0 }
      }
      promise.success(1)
    }
    #expect(counter.liveCount == 0)
    withExtendedLifetime(works) {}
  }

  @Test(
    "a completed operator does not retain its sources", arguments: [Result.success(1), .failure(TestError.first)])
  func completedOperators(result: Result<Int, TestError>) {
    weak var source: FutureCore<Int, TestError>?
    let first = Promise<Int, TestError>()
    let sequence: Future<[Int], TestError>
    let inner: Future<Int, TestError>
    do {
      let future = Future<Int, TestError>(value: 2).map(now) { $0 }
      (source, sequence) = (future.core, [first.future, future].sequence())
      inner = future.flatMap(now) { _ in first.future }
    }
    first.complete(result)
    #expect(sequence.isCompleted && inner.result == result)
    #expect(source == nil)
  }

  @Test("finished races leave nothing on a long-lived future, also if they overlap")
  func races() {
    let shutdown = Promise<Int, TestError>()
    for overlaps in [true, false] {
      let promises = (0..<1_000).map { _ in Promise<Int, TestError>() }
      let firsts = promises.map { promise in
        let first = [promise.future, shutdown.future].firstCompleted()
        first.onComplete(now) { [object = counter.object(), first] _ in _ = (object, first) }
        if !overlaps { promise.success(1) }
        return Weak(first.core)
      }
      #expect(counter.liveCount == (overlaps ? 1_000 : 0))
      for promise in promises { promise.success(1) }
      #expect(counter.liveCount == 0)
      #expect(firsts.allSatisfy { $0.object == nil })
    }
    #expect(!shutdown.future.isCompleted)
  }
}

private struct Weak<Object: AnyObject & Sendable>: Sendable {
  weak let object: Object?

  init(_ object: Object?) {
    self.object = object
  }
}
