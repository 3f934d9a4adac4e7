import ParallelTesting
import Dispatch
import Foundation
import Futures
import Testing

private let now = immediateExecutionContext

private enum Trouble: Error, Equatable { case first, second }

@Suite("Operators on many futures, contexts and results")
struct ManyFuturesTests {
  @Test("traverse makes a future of each element and returns the values in order")
  func traverse() {
    #expect((1...3).traverse(now) { Future<Int, Trouble>(value: $0 * 2) }.value == [2, 4, 6])
    #expect([Int]().traverse(now) { Future<Int, Trouble>(value: $0) }.value == [])
    let failing = (1...3).traverse(now) { Future<Int, Trouble>(error: $0 == 1 ? .first : .second) }
    #expect(failing.error == .first)
  }

  @Test("traverse calls its function on a global queue by default")
  func traverseContext() async {
    let values: Future<[Bool], Never> = [1].traverse { _ in Future(value: Thread.isMainThread) }
    #expect(await values.get() == [false])
  }

  @Test("fold combines the values in order, or fails with the first error")
  func fold() {
    let futures = ["a", "b", "c"].map { Future<String, Trouble>(value: $0) }
    #expect(futures.fold(now, zero: "", f: +).value == "abc")
    #expect([Future<Int, Trouble>]().fold(now, zero: 7, f: +).value == 7)
    #expect((futures + [Future(error: .first), Future(error: .second)]).fold(now, zero: "", f: +).error == .first)
  }

  @Test("fold without a context calls its function in the default context")
  func foldDefault() async throws {
    #expect(try await [1, 2].map { Future<Int, Trouble>(value: $0) }.fold(0, f: +).get() == 3)
  }

  @Test("firstCompleted has the result of the first completed future, a value or an error")
  func firstCompleted() {
    let promises = (0..<3).map { _ in Promise<Int, Trouble>() }
    let first = promises.map(\.future).firstCompleted()
    promises[1].failure(.second)
    promises[0].success(0)
    #expect(first.error == .second)
    #expect([Future<Int, Trouble>(value: 1), Promise().future].firstCompleted().value == 1)
    #expect(![Future<Int, Trouble>]().firstCompleted().isCompleted)
  }

  @Test("find returns the first matching value when all futures have succeeded, or an error when none matches")
  func find() {
    let late = Promise<Int, Trouble>()
    let found = [Future(value: 1), late.future, Future(value: 8)].find(now) { $0 % 2 == 0 }
    #expect(!found.isCompleted)
    late.success(4)
    #expect(found.value == 4)
    let failing = [Future(value: 2), Future(error: Trouble.first)].find(now) { $0 % 2 == 0 }
    #expect(failing.error == .external(.first))
    #expect([Future<Int, Trouble>(value: 1)].find(now) { $0 > 1 }.error == .noSuchElement)
    #expect([Future<Int, Trouble>(error: .first), Future(value: 2)].find(now) { _ in true }.error == .external(.first))
    #expect([Future<Int, Trouble>]().find(now) { _ in true }.error == .noSuchElement)
  }

  @Test("find in a hundred thousand futures does not overflow the stack")
  func findDeep() {
    let futures = (0..<100_000).map { Future<Int, Trouble>(value: $0) }
    #expect(futures.find(now) { $0 == 99_999 }.value == 99_999)
  }

  @Test("an invalidated token prevents the callbacks in its contexts, but not those in other contexts")
  func invalidationToken() {
    let token = InvalidationToken()
    let promise = Promise<Int, Trouble>()
    let log = Log<String>()
    promise.future.onSuccess(token.validContext(now)) { log.append("valid \($0)") }
    promise.future.onSuccess(now) { log.append("always \($0)") }
    promise.future.onSuccess(token.validContext(now)) { _ in token.invalidate() }
    promise.future.onSuccess(token.validContext(now)) { _ in log.append("too late") }
    promise.future.onSuccess(now) { log.append("last \($0)") }
    promise.success(1)
    #expect(log.all == ["valid 1", "always 1", "last 1"])
    #expect(token.isInvalid)
    #expect(token.future.error == .invalidationTokenInvalidated)
  }

  @Test("the validContext property of a token uses the default context")
  func defaultValidContext() async {
    let token = InvalidationToken()
    let promise = Promise<Int, Never>()
    Future<Int, Trouble>(value: 2).onSuccess(token.validContext) { promise.success($0) }
    #expect(await promise.future.get() == 2)
    #expect(!token.isInvalid)
  }

  @Test("dispatch queues, semaphores and operation queues have contexts that can be called")
  func contexts() async {
    let log = Log<String>()
    DispatchSemaphore(value: 1).context { log.append("semaphore") }
    immediateExecutionContext { log.append("immediate") }
    #expect(log.all == ["semaphore", "immediate"])
    let queued = Promise<Bool, Never>()
    OperationQueue().context { queued.success(!Thread.isMainThread) }
    #expect(await queued.future.get())
    #expect(await DispatchQueue.global().asyncValue { 7 }.get() == 7)
    let result: Future<Int, Trouble> = DispatchQueue.global().asyncResult { .failure(.first) }
    await #expect(throws: Trouble.first) { try await result.get() }
    #expect(await DispatchQueue.global().asyncValueAfter(.now()) { 9 }.get() == 9)
  }

  @Test("materialize turns a completion handler into a future")
  func materialized() {
    func load(_ error: Trouble?, completion: (Int?, Trouble?) -> Void) { completion(error == nil ? 1 : nil, error) }
    let value: Future<Int, Trouble> = materialize { load(nil, completion: $0) }
    #expect(value.value == 1)
    let error: Future<Int, Trouble> = materialize { load(.first, completion: $0) }
    #expect(error.error == .first)
    let plain: Future<Int, Never> = materialize { (done: (Int) -> Void) in done(3) }
    #expect(plain.value == 3)
    let void: Future<Void, Trouble> = materialize { (done: (Trouble?) -> Void) in done(nil) }
    #expect(void.isSuccess)
    let failed: Future<Void, Trouble> = materialize { (done: (Trouble?) -> Void) in done(.second) }
    #expect(failed.error == .second)
  }

  @Test("Result has the operators of futures")
  func results() {
    let success = Result<Int, Trouble>(value: 1)
    let failure = Result<Int, Trouble>(error: .first)
    #expect(success.value == 1 && success.error == nil)
    #expect(failure.value == nil && failure.error == .first)
    #expect(success.analysis(ifSuccess: { "\($0)" }, ifFailure: { "\($0)" }) == "1")
    #expect(failure.analysis(ifSuccess: { "\($0)" }, ifFailure: { "\($0)" }) == "first")
    #expect(success.flatMap { Future<Int, Trouble>(value: $0 + 1) }.value == 2)
    #expect(failure.flatMap { Future<Int, Trouble>(value: $0 + 1) }.error == .first)
    #expect(Result<Result<Int, Trouble>, Trouble>.success(.failure(.second)).flatten() == .failure(.second))
    #expect(Result<Future<Int, Trouble>, Trouble>.success(Future(value: 3)).flatten().value == 3)
    #expect([success, success].sequence() == .success([1, 1]))
    #expect([success, failure, .failure(.second)].sequence() == .failure(.first))
  }

  @Test("FuturesError wraps external errors, compares cases, and describes the next step")
  func errors() {
    #expect(FuturesError<Trouble>(external: .first) == .external(.first))
    #expect(BrightFuturesError<Trouble>.noSuchElement != .illegalState)
    #expect(FuturesError<Trouble>.noSuchElement.description.contains("recover"))
  }
}
