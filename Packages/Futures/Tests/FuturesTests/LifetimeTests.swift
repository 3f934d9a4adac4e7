import ParallelTesting
import Futures
import Testing

@Suite("Lifetime")
struct LifetimeTests {
  let counter = ObjectCounter()

  @Test("a promise that is dropped lets go of the callbacks")
  func droppedPromise() {
    var promise: Promise<Int, TestError>? = Promise()
    let future = promise?.future
    for context in [immediateExecutionContext, synchronousContext] {
      future?.onComplete(context) { [object = counter.object()] _ in _ = object }
    }
    #expect(counter.liveCount == 2)
    promise = nil
    #expect(counter.liveCount == 0)
    #expect(future?.isCompleted == false)
  }

  @Test("a scope whose completer is dropped lets go of the callbacks")
  func droppedCompleter() {
    let completer = Box<(@Sendable (Int) -> Void)?>(nil)
    let async = Async<Int> { completer.value = $0 }
    async.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
    #expect(counter.liveCount == 1)
    completer.value = nil
    #expect(counter.liveCount == 0)
  }

  @Test("a dropped promise lets go of the transforms and callbacks of the futures made from its own")
  func droppedPromiseOfChain() {
    var promise: Promise<Int, TestError>? = Promise()
    let end = promise?.future
      .map(immediateExecutionContext) { [object = counter.object()] value in (value, object).0 }
      .flatMap(synchronousContext) { [object = counter.object()] in Future(value: ($0, object).0) }
      .flatMap(synchronousContext) { [object = counter.object()] in Result.success(($0, object).0) }
    end?.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
    #expect(counter.liveCount == 4)
    promise = nil
    #expect(counter.liveCount == 0)
    #expect(end?.isCompleted == false)
  }

  @Test("a derived future with a callback that holds it goes when the promise is dropped")
  func cycleThroughCallback() {
    weak var derived: Future<Int, TestError>?
    do {
      let promise = Promise<Int, TestError>()
      let future = promise.future.map(immediateExecutionContext) { $0 }
      future.onComplete(immediateExecutionContext) { _ in _ = future }
      derived = future
      #expect(derived != nil)
    }
    #expect(derived == nil)
  }

  @Test("a callback registered after the promise was dropped is let go of at once")
  func registeringAfterDrop() {
    let future = Promise<Int, TestError>().future
    future.onComplete(immediateExecutionContext) { [object = counter.object(), future] _ in _ = (object, future) }
    future.onComplete(synchronousContext) { [object = counter.object()] _ in _ = object }
    let mapped = future.map(immediateExecutionContext) { [object = counter.object()] _ in object }
    mapped.onComplete(immediateExecutionContext) { [object = counter.object(), mapped] _ in _ = (object, mapped) }
    #expect(counter.liveCount == 0)
  }

  @Test("a dropped promise with a pending sequence on it leaks nothing")
  func sequenceOfDropped() {
    weak var sequenced: Future<[Int], TestError>?
    weak var first: Future<Int, TestError>?
    do {
      let promises = (0..<3).map { _ in Promise<Int, TestError>() }
      let sequence = promises.map(\.future).sequence()
      sequence.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
      (sequenced, first) = (sequence, promises[0].future)
      withExtendedLifetime(promises) { #expect(counter.liveCount == 1) }
    }
    #expect(sequenced == nil)
    #expect(first == nil)
    #expect(counter.liveCount == 0)
  }

  @Test("a dropped promise with a pending sequence of futures made from its own leaks nothing")
  func sequenceOfMapped() {
    weak var sequenced: Future<[Int], TestError>?
    weak var mapped: Future<Int, TestError>?
    do {
      let promise = Promise<Int, TestError>()
      let future = promise.future.map(immediateExecutionContext) { $0 }
      (sequenced, mapped) = ([future].sequence(), future)
      #expect(sequenced != nil)
    }
    #expect(sequenced == nil)
    #expect(mapped == nil)
  }

  @Test("a sequence of futures whose promises were dropped before leaks nothing")
  func sequenceOfAbandoned() {
    weak var sequenced: Future<[Int], TestError>?
    do {
      let abandoned = Promise<Int, TestError>().future
      sequenced = [Future(value: 1), abandoned].sequence()
    }
    #expect(sequenced == nil)
  }

  @Test("a bounded traverse whose futures can never complete leaks nothing", arguments: 1...3)
  func boundedTraverse(limit: Int) {
    do {
      let all = (0..<4).traverse(immediateExecutionContext, maxConcurrent: limit) {
        [object = counter.object()] _ -> Future<Int, TestError> in (Promise().future, object).0
      }
      all.onComplete(immediateExecutionContext) { _ in }
    }
    #expect(counter.liveCount == 0)
  }

  @Test("what a map in a context that drops it would have made goes, and what was made from that")
  func droppedTurn() {
    for context in [droppingContext, ManualContext().context] {
      let promise = Promise<Int, TestError>()
      promise.future.map(context) { [object = counter.object()] in ($0, object).0 }
        .map(immediateExecutionContext) { [object = counter.object()] in ($0, object).0 }
        .onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
      promise.success(1)
    }
    #expect(counter.liveCount == 0)
  }

  @Test("a derived future does not keep itself alive")
  func derived() {
    weak var mapped: Future<Int, TestError>?
    weak var flatMapped: Future<Int, TestError>?
    weak var sequenced: Future<[Int], TestError>?
    do {
      let promise = Promise<Int, TestError>()
      let future = promise.future.map { $0 + 1 }
      mapped = future
      flatMapped = future.flatMap { Future<Int, TestError>(value: $0) }
      sequenced = [future].sequence()
    }
    #expect(mapped == nil)
    #expect(flatMapped == nil)
    #expect(sequenced == nil)
  }

  @Test("a future that waits for another is kept alive by it")
  func keptAlive() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    promise.future.map(immediateExecutionContext) { $0 + 1 }.onSuccess(immediateExecutionContext) { log.append($0) }
    [promise.future].sequence().onSuccess(immediateExecutionContext) { log.append($0[0]) }
    promise.success(1)
    #expect(log.all == [2, 1])
  }

  @Test("after completion nothing holds the closures")
  func completed() {
    let promise = Promise<Int, TestError>()
    let future = promise.future
    for context in [immediateExecutionContext, synchronousContext, droppingContext] {
      future.onComplete(context) { [object = counter.object()] _ in _ = object }
    }
    let mapped = future.map(synchronousContext) { [object = counter.object()] value in (value, object).0 }
    let flatMapped = future.flatMap(immediateExecutionContext) { [object = counter.object()] in
      Future<Int, TestError>(value: ($0, object).0)
    }
    let resulting = future.flatMap(immediateExecutionContext) { [object = counter.object()] in
      Result<Int, TestError>.success(($0, object).0)
    }
    #expect(counter.liveCount == 6)
    promise.success(1)
    #expect(counter.liveCount == 0)
    #expect([mapped, flatMapped, resulting].map(\.value) == [1, 1, 1])
  }

  @Test("after a failure nothing holds the transforms that were not run")
  func failed() {
    let promise = Promise<Int, TestError>()
    let ends = [immediateExecutionContext, synchronousContext].flatMap { context in
      [
        promise.future.map(context) { [object = counter.object()] value in (value, object).0 },
        promise.future.flatMap(context) { [object = counter.object()] in Future(value: ($0, object).0) },
        promise.future.flatMap(context) { [object = counter.object()] in Result.success(($0, object).0) },
      ]
    }
    #expect(counter.liveCount == 6)
    promise.failure(.first)
    #expect(counter.liveCount == 0)
    #expect(ends.allSatisfy { $0.error == .first })
  }

  /// A context that the counter counts, and that never runs anything.
  private func countedContext() -> ExecutionContext { { [object = counter.object()] _ in _ = object } }

  @Test("after a failure nothing holds the contexts in which the transforms were not run")
  func contextsOfFailed() {
    let promise = Promise<Int, TestError>()
    let ends = [
      promise.future.map(countedContext()) { $0 },
      promise.future.flatMap(countedContext()) { Future(value: $0) },
      promise.future.flatMap(countedContext()) { Result.success($0) },
    ]
    #expect(counter.liveCount == 3)
    promise.failure(.first)
    #expect(counter.liveCount == 0)
    #expect(ends.allSatisfy { $0.error == .first })
  }

  @Test("a dropped promise lets go of the contexts of the transforms")
  func contextsOfDropped() {
    var promise: Promise<Int, TestError>? = Promise()
    let mapped = promise?.future.map(countedContext()) { $0 }
    #expect(counter.liveCount == 1)
    promise = nil
    #expect(counter.liveCount == 0)
    #expect(mapped?.isCompleted == false)
  }

  @Test("what was cancelled just before its turn holds neither its transform nor its context")
  func cancelledBeforeItsTurn() {
    let promise = Promise<Int, StoppableError>()
    let mapped = Box<Future<Int, StoppableError>?>(nil)
    promise.future.onComplete(immediateExecutionContext) { _ in mapped.value?.cancel() }
    mapped.value = promise.future.map(countedContext()) { [object = counter.object()] in ($0, object).0 }
    #expect(counter.liveCount == 2)
    promise.success(1)
    #expect(mapped.value?.error == .stopped)
    #expect(counter.liveCount == 0)
  }

  @Test(
    "a sequence that is completed does not hold its futures", arguments: [Result.success(1), .failure(TestError.first)])
  func completedSequence(result: Result<Int, TestError>) {
    weak var last: Future<Int, TestError>?
    let first = Promise<Int, TestError>()
    let sequence: Future<[Int], TestError>
    do {
      let future = Future<Int, TestError>(value: 2)
      sequence = [first.future, future].sequence()
      last = future
    }
    #expect(last != nil)
    first.complete(result)
    #expect(sequence.isCompleted)
    #expect(last == nil)
  }

  @Test("a sequence that is completed from the start does not hold its futures")
  func sequenceOfCompleted() {
    weak var future: Future<Int, TestError>?
    let sequence: Future<[Int], TestError>
    do {
      let completed = Future<Int, TestError>(value: 1)
      sequence = [completed].sequence()
      future = completed
    }
    #expect(sequence.value == [1])
    #expect(future == nil)
  }

  @Test("a callback goes when its turn is over, not when all are")
  func eachInTurn() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    promise.future.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
    promise.future.onComplete(immediateExecutionContext) { [counter] _ in log.append(counter.liveCount) }
    promise.success(1)
    #expect(log.all == [0])
  }

  @Test("a future that waits for the one that its transform returned does not hold it")
  func flatMapToDropped() {
    weak var inner: Future<Int, TestError>?
    var promise: Promise<Int, TestError>? = Promise()
    let outer = Future<Int, TestError>(value: 1).flatMap(synchronousContext) { [future = promise?.future] _ in
      future ?? Future(value: 0)
    }
    inner = promise?.future
    outer.onComplete(immediateExecutionContext) { [object = counter.object(), outer] _ in _ = (object, outer) }
    promise = nil
    #expect(inner == nil)
    #expect(counter.liveCount == 0)
  }

  @Test("a flatMap that goes on with another future does not hold the first")
  func flatMapSource() {
    weak var source: Future<Int, TestError>?
    let inner = Promise<Int, TestError>()
    let outer: Future<Int, TestError>
    do {
      let promise = Promise<Int, TestError>()
      source = promise.future
      outer = promise.future.flatMap(immediateExecutionContext) { _ in inner.future }
      promise.success(1)
    }
    #expect(source == nil)
    inner.success(2)
    #expect(outer.value == 2)
  }

  @Test("a promise that follows another future is released with it")
  func completeWith() {
    weak var followed: Future<Int, TestError>?
    do {
      let (promise, other) = (Promise<Int, TestError>(), Promise<Int, TestError>())
      promise.complete(with: other.future)
      promise.future.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
      followed = promise.future
      #expect(counter.liveCount == 1)
    }
    #expect(followed == nil)
    #expect(counter.liveCount == 0)
  }
}
