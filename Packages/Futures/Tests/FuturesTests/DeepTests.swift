import Futures
import TestSupport
import Testing

private typealias Number = Future<Int, StoppableError>

/// Chains that are long enough to overflow the stack of a recursive implementation.
@Suite("Long chains of futures on a small stack", .timeLimit(.minutes(5)))
struct DeepTests {
  static let longest = 100_000
  static let long = 10_000

  private static func countDown(_ count: Int, in context: @escaping ExecutionContext) -> Number {
    Number(value: count).flatMap(context) { count in
      count == 0 ? Future(value: 0) : countDown(count - 1, in: context)
    }
  }

  @Test("a recursive flatMap on completed futures does not overflow the stack")
  func recursiveFlatMap() async throws {
    #expect(await onThread { Self.countDown(Self.long, in: now).value } == 0)
    #expect(await onThread(stackSize: 8 << 20) { Self.countDown(Self.longest, in: now).value } == 0)
    #expect(try await Self.countDown(Self.long, in: TestQueue("serial").context).get() == 0)
  }

  /// The operators that make a long chain.
  enum Link: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case map, flatMap, flatMapInner, recoverWith, zip, sequence, firstCompleted, retry, other, flatten, promise,
      callback
    var testDescription: String { rawValue }

    fileprivate func extend(_ future: Number) -> Number {
      switch self {
      case .map: return future.map(now) { $0 }
      case .flatMap: return future.flatMap(now) { Future(value: $0) }
      case .flatMapInner: return Number(value: 1).flatMap(now) { _ in future }
      case .recoverWith: return future.recoverWith(now) { [future] _ in future }
      case .zip: return future.zip(Number(value: 1)).map(now) { $0.0 }
      case .sequence: return [future, future].sequence().map(now) { $0[1] }
      case .firstCompleted: return [future].firstCompleted()
      case .retry: return Futures.retry(RetryPolicy(attempts: 2, backoff: .none)) { _ in future }
      case .other: return Future(other: future)
      case .flatten: return Future(value: future).flatten()
      case .promise:
        let promise = Promise<Int, StoppableError>()
        promise.complete(with: future)
        return promise.future
      case .callback:
        let promise = Promise<Int, StoppableError>()
        future.onComplete(now) { promise.complete($0) }
        return promise.future
      }
    }

    fileprivate func chain(from start: Number) -> Number {
      (0..<DeepTests.long).reduce(start) { end, _ in extend(end) }
    }
  }

  @Test("completing a promise completes a long chain before the call returns", arguments: Link.allCases)
  func complete(link: Link) async {
    for result in [Result<Int, StoppableError>.success(1), .failure(.failed)] {
      let found = await onThread {
        let promise = Promise<Int, StoppableError>()
        let end = link.chain(from: promise.future)
        promise.complete(result)
        return end.result
      }
      #expect(found == result)
    }
  }

  @Test(
    "cancelling the last future of a long chain stops the work at its start",
    arguments: Link.allCases.filter { $0 != .callback })
  func cancel(link: Link) async {
    let stopCount = await onThread {
      let work = Work<Int, StoppableError>()
      link.chain(from: work.future).cancel()
      return work.stopCount
    }
    #expect(stopCount == 1)
  }

  @Test(
    "releasing a long pending chain releases everything, whether the promise or the last future goes first",
    arguments: Link.allCases)
  func release(link: Link) async {
    let counter = ObjectCounter()
    await onThread {
      for holdsEnd in [true, false] {
        var promise: Promise<Int, StoppableError>? = Promise()
        let start = promise?.future.map(now) { [object = counter.object()] in ($0, object).0 }
        var end = start.map { link.chain(from: $0) }
        end?.onComplete(now) { [object = counter.object()] _ in _ = object }
        if !holdsEnd { end = nil }
        promise = nil
        if holdsEnd { end = nil }
      }
    }
    #expect(counter.liveCount == 0)
  }

  @Test("a recursion releases its intermediate futures, and cancelling it stops its current step")
  func recursion() async {
    let (counter, current) = (ObjectCounter(), Box<Promise<Int, StoppableError>?>(nil))
    @Sendable func step(_ index: Int) -> Number {
      let promise = Promise<Int, StoppableError>()
      promise.onCancel {}
      current.value = promise
      return promise.future.flatMap(now) { [object = counter.object()] _ in (step(index + 1), object).0 }
    }
    await onThread {
      let all = step(0)
      for _ in 0..<Self.long { current.value?.success(0) }
      #expect(counter.liveCount == 1)
      all.cancel()
      #expect(all.error == .stopped)
      #expect(current.value?.future.error == .stopped)
    }
    #expect(counter.liveCount == 0)
  }

  @Test("a promise with very many callbacks, transforms and handlers completes or is cancelled")
  func fan() async {
    let (sum, stops) = (Box(0), Box(0))
    await onThread {
      let (promise, cancelled) = (Promise<Int, StoppableError>(), Promise<Int, StoppableError>())
      for _ in 0..<Self.long {
        promise.future.onSuccess(discardingContext) { _ in sum.value = -1 }
        promise.future.map(now) { $0 }.onSuccess(now) { value in sum.update { $0 += value } }
        cancelled.onCancel { stops.update { $0 += 1 } }
      }
      promise.success(1)
      cancelled.future.cancel()
    }
    #expect((sum.value, stops.value) == (Self.long, Self.long))
  }

  @Test("operators on very many futures complete, in any order of completion")
  func many() async {
    for order in ["front", "back", "before"] {
      let count = await onThread {
        let promises = (0..<Self.long).map { _ in Promise<Int, Never>() }
        if order == "before" { for promise in promises { promise.success(1) } }
        let sequence = promises.map(\.future).sequence()
        for promise in order == "front" ? promises : promises.reversed() { promise.success(1) }
        return sequence.value?.count
      }
      #expect(count == Self.long)
    }
    let futures = (0..<Self.longest).map { Future<Int, Never>(value: $0) }
    #expect(futures.find(now) { $0 == Self.longest - 1 }.value == Self.longest - 1)
    let bounded = await onThread {
      (0..<Self.longest).traverse(now, maxConcurrent: 3) { Future<Int, Never>(value: $0) }.value?.count
    }
    #expect(bounded == Self.longest)
  }

  @Test("very many attempts of a retry do not retain earlier attempts")
  func attempts() async {
    let (counter, peak) = (ObjectCounter(), Box(0))
    await onThread {
      _ = retry(RetryPolicy<TestError>(attempts: Self.long, backoff: .none)) { _ -> Future<Int, TestError> in
        let object = counter.object()
        peak.update { $0 = max($0, counter.liveCount) }
        return Future<Int, TestError>(error: .first).mapError(now) { [object] in ($0, object).0 }
      }
    }
    #expect(peak.value < 200)
    #expect(counter.liveCount == 0)
  }
}
