import BrightFuturesCompatibility
import Dispatch
import Foundation
import TestSupport
import Testing

/// One line for each part of the public interface of BrightFutures that Futures lacks or has under another name.
@Suite("The public interface of BrightFutures")
struct PublicInterfaceTests {
  @Test("a future can be created in the ways of BrightFutures")
  func futures() async throws {
    #expect(try await Future<Int, Trouble>(value: 3, delay: .milliseconds(0)).get() == 3)
    #expect(await Future<Int, Trouble>(error: .first, delay: .milliseconds(0)).forcedOnThread() == .failure(.first))
    #expect(try await Future<Int, Trouble>(result: .success(4), delay: .microseconds(1)).get() == 4)
    #expect(Future<Int, Trouble>(resolver: { complete in complete(.success(6)) }).value == 6)
    #expect(Future<Int, Trouble> { complete in complete(.success(7)) }.value == 7)
    #expect(!Future<Int, Trouble>(value: 8, delay: .never).isCompleted)
  }

  @Test("the callbacks have their labels and type names")
  func callbacks() async {
    let log = Log<String>()
    let completion: Future<Int, Trouble>.CompletionCallback = { log.append("\($0)") }
    let success: Future<Int, Trouble>.SuccessCallback = { log.append("value \($0)") }
    let failure: Future<Int, Trouble>.FailureCallback = { log.append("error \($0)") }
    Future<Int, Trouble>(value: 1).onComplete(now, callback: completion).onSuccess(now, callback: success)
    Future<Int, Trouble>(error: .first).onFailure(now, callback: failure).onSuccess(now, callback: success)
    #expect(log.all == ["success(1)", "value 1", "error first"])
    Future<Int, Trouble>(value: 2).onComplete(callback: completion)
    Future<Int, Trouble>(value: 2).onSuccess(callback: success)
    Future<Int, Trouble>(error: .second).onFailure(callback: failure)
    Future<Int, Trouble>(error: .second).andThen(callback: completion).andThen(context: now) { _ in }
    let others = Set(await log.first(7).dropFirst(3))
    #expect(others == ["success(2)", "value 2", "error second", "\(Result<Int, Trouble>.failure(.second))"])
  }

  @Test("recover and recoverWith have the label of BrightFutures")
  func labels() async {
    let failure = Future<Int, Trouble>(error: .first)
    #expect(failure.recover(context: now) { _ in 7 }.value == 7)
    #expect(await failure.recover { _ in 7 }.get() == 7)
    #expect(failure.recoverWith(context: now) { _ in Future<Int, Trouble>(value: 8) }.value == 8)
    #expect(await failure.recoverWith { _ in Future<Int, Never>(value: 8) }.get() == 8)
  }

  @Test("forceType, promoteError and promoteValue change only the type")
  func types() {
    let forced: Future<any Sendable, any Error> = Future<Int, Trouble>(value: 1).forceType()
    #expect(forced.value as? Int == 1)
    let failed: Future<String, any Error> = Future<Int, Trouble>(error: .first).forceType()
    #expect(failed.error as? Trouble == .first)
    let wrapped: Future<Int, FuturesError<Trouble>> =
      Future<Int, FuturesError<Never>>(error: .noSuchElement).promoteError()
    #expect(wrapped.error == .noSuchElement)
    let valued: Future<Int, Trouble> = Future<Never, Trouble>(error: .first).promoteValue()
    #expect(valued.error == .first)
  }

  #if DEBUG
    @Test("forceType to another type stops the program, with the types and without the value")
    func wrongType() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let forced: Future<Int, Trouble> = Future<String, Trouble>(value: "secret").forceType()
        _ = forced.value
      }
      let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(message.contains("Cannot use a value of type String as Int: forceType needs a value of that type. "))
      #expect(!message.contains("secret"))
    }
  #endif

  @Test("semaphores and operation queues have contexts that can be called")
  func contexts() async {
    let log = Log<String>()
    DispatchSemaphore(value: 1).context { log.append("semaphore") }
    #expect(log.all == ["semaphore"])
    let queued = Promise<Bool, Never>()
    OperationQueue().context { queued.success(!Thread.isMainThread) }
    #expect(await queued.future.get())
  }

  @Test("a Result has the operations of BrightFutures")
  func results() {
    let success = Result<Int, Trouble>(value: 1)
    let failure = Result<Int, Trouble>(error: .first)
    #expect(success.analysis(ifSuccess: { "value \($0)" }, ifFailure: { "error \($0)" }) == "value 1")
    #expect(failure.analysis(ifSuccess: { "value \($0)" }, ifFailure: { "error \($0)" }) == "error first")
    #expect(success.value == 1 && failure.error == .first)
    #expect(success.flatMap { Future<Int, Trouble>(value: $0 + 1) }.value == 2)
    #expect(failure.flatMap { Future<Int, Trouble>(value: $0 + 1) }.error == .first)
    #expect(Result<Result<Int, Trouble>, Trouble>.success(failure).flatten() == failure)
    #expect(Result<Future<Int, Trouble>, Trouble>.success(Future(value: 3)).flatten().value == 3)
    #expect([success, success].sequence() == .success([1, 1]))
    #expect([success, failure].sequence() == .failure(.first))
  }

  @Test("a trailing closure of Result is still the body that the standard library calls")
  func resultOfTrailingClosure() {
    // Without a type in the closure, a second initialiser could match.
    func value<T>(of result: Result<T, any Error>) -> T? { try? result.get() }
    let found: Any? = value(of: Result { 1 })
    #expect(found as? Int == 1)
  }

  @Test("a promise has the completions of BrightFutures")
  func promises() {
    let promise = Promise<Int, Trouble>()
    promise.completeWith(Future(value: 1))
    #expect(promise.future.value == 1)
  }

  @Test("BrightFuturesError has its cases and compares them")
  func errors() {
    #expect(BrightFuturesError<Trouble>(external: .first) == .external(.first))
    #expect(BrightFuturesError<Trouble>.noSuchElement != .invalidationTokenInvalidated)
  }

  @Test("dispatch queues run functions and return futures")
  func queues() async {
    let queue = MarkedQueue(DispatchQueue(label: "asyncValue"))
    #expect(await queue.queue.asyncValue { queue.isCurrent }.get())
    let result: Future<Int, Trouble> = queue.queue.asyncResult { .failure(queue.isCurrent ? .first : .second) }
    await #expect(throws: Trouble.first) { try await result.get() }
    #expect(await queue.queue.asyncValueAfter(.now()) { queue.isCurrent }.get())
  }

  @Test("materialize turns a completion handler into a future")
  func materialized() {
    func load(_ value: Int?, _ error: Trouble?, completion: (Int?, Trouble?) -> Void) { completion(value, error) }
    let value: Future<Int, Trouble> = materialize { load(1, nil, completion: $0) }
    #expect(value.value == 1)
    let error: Future<Int, Trouble> = materialize { load(nil, .first, completion: $0) }
    #expect(error.error == .first)
    let both: Future<Int, Trouble> = materialize { load(2, .first, completion: $0) }
    #expect(both.value == 2)
    let neither: Future<Int, Trouble> = materialize { load(nil, nil, completion: $0) }
    #expect(!neither.isCompleted)
    let plain: Future<Int, Never> = materialize { (done: (Int) -> Void) in done(3) }
    #expect(plain.value == 3)
    let void: Future<Void, Trouble> = materialize { (done: (Trouble?) -> Void) in done(nil) }
    #expect(void.isSuccess)
    let failed: Future<Void, Trouble> = materialize { (done: (Trouble?) -> Void) in done(.second) }
    #expect(failed.error == .second)
  }

  @Test("maxStackDepthExecutionContext runs 21 nested pieces of work on the caller's stack")
  func maximumDepth() async {
    let depths = Log<Bool>()
    let queue = MarkedQueue(DispatchQueue(label: "stack"))
    @Sendable func recurse(_ depth: Int) {
      depths.append(queue.isCurrent)
      if depth < 30 { maxStackDepthExecutionContext { recurse(depth + 1) } }
    }
    queue.queue.async { recurse(0) }
    #expect(await depths.first(31).filter { $0 }.count == 22)
  }
}

extension Future {
  fileprivate func forcedOnThread() async -> Result<T, E> { await onThread { self.forced() } }
}
