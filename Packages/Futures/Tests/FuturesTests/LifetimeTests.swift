import TestSupport
import Futures
import Testing

@Suite("Lifetime of futures, callbacks and transforms")
struct LifetimeTests {
  let counter = ObjectCounter()

  @Test("releasing a promise releases the callbacks of its future")
  func releasedPromise() {
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

  @Test("releasing the completer of an async's scope releases the callbacks")
  func releasedCompleter() {
    let completer = Box<(@Sendable (Int) -> Void)?>(nil)
    let async = Async<Int> { completer.value = $0 }
    async.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
    #expect(counter.liveCount == 1)
    completer.value = nil
    #expect(counter.liveCount == 0)
  }

  @Test("releasing a promise releases the transforms and callbacks of derived futures")
  func releasedPromiseOfChain() {
    var promise: Promise<Int, TestError>? = Promise()
    let end = promise?.future
      .map(immediateExecutionContext) { [object = counter.object()] value in (value, object).0 }
      .flatMap(synchronousContext) { [object = counter.object()] in Future(value: ($0, object).0) }
      .flatMapResult(synchronousContext) { [object = counter.object()] in Result.success(($0, object).0) }
    end?.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
    #expect(counter.liveCount == 4)
    promise = nil
    #expect(counter.liveCount == 0)
    #expect(end?.isCompleted == false)
  }

  @Test("releasing a promise releases a derived future whose callback retains it")
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

  @Test("a callback registered after the promise was released is released at once")
  func registeringAfterRelease() {
    let future = Promise<Int, TestError>().future
    future.onComplete(immediateExecutionContext) { [object = counter.object(), future] _ in _ = (object, future) }
    future.onComplete(synchronousContext) { [object = counter.object()] _ in _ = object }
    let mapped = future.map(immediateExecutionContext) { [object = counter.object()] _ in object }
    mapped.onComplete(immediateExecutionContext) { [object = counter.object(), mapped] _ in _ = (object, mapped) }
    #expect(counter.liveCount == 0)
  }

  @Test("releasing promises releases a pending sequence of their futures")
  func sequenceOfReleased() {
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

  @Test("releasing a promise releases a pending sequence of derived futures")
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

  @Test("a sequence of a future whose promise was released earlier is not leaked")
  func sequenceOfAbandoned() {
    weak var sequenced: Future<[Int], TestError>?
    do {
      let abandoned = Promise<Int, TestError>().future
      sequenced = [Future(value: 1), abandoned].sequence()
    }
    #expect(sequenced == nil)
  }

  @Test("a bounded traverse whose futures can never complete is not leaked", arguments: 1...3)
  func boundedTraverse(limit: Int) {
    do {
      let all = (0..<4).traverse(immediateExecutionContext, maxConcurrent: limit) {
        [object = counter.object()] _ -> Future<Int, TestError> in (Promise().future, object).0
      }
      all.onComplete(immediateExecutionContext) { _ in }
    }
    #expect(counter.liveCount == 0)
  }

  @Test("a map whose context never runs it is released, together with its derived futures")
  func mapThatNeverRuns() {
    for context in [discardingContext, ManualContext().context] {
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

  @Test("a pending future keeps derived futures with callbacks alive")
  func keptAlive() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    promise.future.map(immediateExecutionContext) { $0 + 1 }.onSuccess(immediateExecutionContext) { log.append($0) }
    [promise.future].sequence().onSuccess(immediateExecutionContext) { log.append($0[0]) }
    promise.success(1)
    #expect(log.all == [2, 1])
  }

  @Test("completing a promise releases all callbacks and transforms")
  func completed() {
    let promise = Promise<Int, TestError>()
    let future = promise.future
    for context in [immediateExecutionContext, synchronousContext, discardingContext] {
      future.onComplete(context) { [object = counter.object()] _ in _ = object }
    }
    let mapped = future.map(synchronousContext) { [object = counter.object()] value in (value, object).0 }
    let flatMapped = future.flatMap(immediateExecutionContext) { [object = counter.object()] in
      Future<Int, TestError>(value: ($0, object).0)
    }
    let resulting = future.flatMapResult(immediateExecutionContext) { [object = counter.object()] in
      Result<Int, TestError>.success(($0, object).0)
    }
    #expect(counter.liveCount == 6)
    promise.success(1)
    #expect(counter.liveCount == 0)
    #expect([mapped, flatMapped, resulting].map(\.value) == [1, 1, 1])
  }

  @Test("a failure releases the transforms that did not run")
  func failed() {
    let promise = Promise<Int, TestError>()
    let ends = [immediateExecutionContext, synchronousContext].flatMap { context in
      [
        promise.future.map(context) { [object = counter.object()] value in (value, object).0 },
        promise.future.flatMap(context) { [object = counter.object()] in Future(value: ($0, object).0) },
        promise.future.flatMapResult(context) { [object = counter.object()] in Result.success(($0, object).0) },
      ]
    }
    #expect(counter.liveCount == 6)
    promise.failure(.first)
    #expect(counter.liveCount == 0)
    #expect(ends.allSatisfy { $0.error == .first })
  }

  /// A context that discards all work, and retains a counted object.
  private func countedContext() -> ExecutionContext { { [object = counter.object()] _ in _ = object } }

  @Test("releasing a promise releases the contexts of transforms")
  func contextsOfReleased() {
    var promise: Promise<Int, TestError>? = Promise()
    let mapped = promise?.future.map(countedContext()) { $0 }
    #expect(counter.liveCount == 1)
    promise = nil
    #expect(counter.liveCount == 0)
    #expect(mapped?.isCompleted == false)
  }

  @Test("a derived future that an earlier callback cancels releases its transform and its context")
  func cancelledByEarlierCallback() {
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
    "a completed sequence does not retain its futures", arguments: [Result.success(1), .failure(TestError.first)])
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

  @Test("a sequence of completed futures does not retain them")
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

  @Test("a callback is released before the next callback runs")
  func releasedBeforeNext() {
    let promise = Promise<Int, TestError>()
    let log = Log<Int>()
    promise.future.onComplete(immediateExecutionContext) { [object = counter.object()] _ in _ = object }
    promise.future.onComplete(immediateExecutionContext) { [counter] _ in log.append(counter.liveCount) }
    promise.success(1)
    #expect(log.all == [0])
  }

  @Test("a flatMap does not retain the pending future that its transform returned")
  func flatMapToReleased() {
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

  @Test("a flatMap that waits for its second future does not retain the first")
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
