// The public interface of BrightFutures 8. Code that uses it migrates by changing its import. With `import BrightFutures`,
// this file compiles too.
//
// Each name in `MigratingFromBrightFutures.md` is used here. A test compares the two.

import BrightFuturesCompatibility
import Dispatch
import Foundation

enum Trouble: Error { case some }

class Log: LoggerType {
  func log(message: String) {}
}

func asyncs(_ async: Async<Int>, _ nested: Async<Async<Int>>) async -> Int {
  print(async.result as Any, async.isCompleted, async.description, async.debugDescription, Async(result: 1))
  async.onComplete { _ in }
  async.onComplete(immediateExecutionContext) { _ in }
  return await nested.flatten().get()
}

func futures() -> [Future<Int, Trouble>] {
  [
    Future(), Future(value: 1), Future(error: .some), Future(value: 1, delay: .seconds(1)),
    Future(error: .some, delay: .milliseconds(1)), Future(other: Future<Int, Trouble>(value: 1)),
    Future { complete in complete(.success(1)) }, Future(resolver: { result in result(.failure(.some)) }),
  ]
}

func state(_ future: Future<Int, Trouble>) {
  weak var released: Future<Int, Trouble>?
  released = future
  print(released as Any, future.result as Any, future.value as Any, future.error as Any)
  print(future.isCompleted, future.isSuccess, future.isFailure)
}

func callbacks(_ future: Future<Int, Trouble>) -> Future<Int, Trouble> {
  future
    .onComplete { _ in }.onComplete(DispatchQueue.main.context) { _ in }
    .onSuccess { _ in }.onSuccess(DispatchQueue.global().context) { _ in }
    .onFailure { _ in }.onFailure(immediateOnMainExecutionContext) { _ in }
    .andThen { _ in }.andThen(context: OperationQueue.main.context) { _ in }
}

func completed<A: AsyncType>(_ asyncs: [A]) -> Bool {
  asyncs.allSatisfy { $0.result != nil }
}

struct Bird { var name: String }

func transforms(
  _ future: Future<Int, Trouble>, _ nested: Future<Future<Int, Trouble>, Trouble>, _ bird: Future<Bird, Trouble>
) {
  let context = immediateExecutionContext
  _ = future.map { $0 + 1 }.map(context) { "\($0)" }
  _ = bird.map(\.name)
  let name: Future<String, Trouble> = bird.name
  _ = future.flatMap { Future<String, Trouble>(value: "\($0)") }.flatMap(context) { _ in name }
  _ = future.flatMap { Result<String, Trouble>.success("\($0)") }
  _ = nested.flatten()
  let certain: Future<Int, Never> = future.recover { _ in 0 }.recover(context: context) { _ in 1 }
  _ = future.recoverWith { _ in certain }.recoverWith(context: context) { _ in Future<Int, Trouble>(value: 1) }
  _ = future.mapError { _ in Trouble.some }.zip(bird)
  let filtered: Future<Int, BrightFuturesError<Trouble>> = future.filter { $0 > 0 }
  let forced: Future<Double, URLError> = future.forceType()
  let promoted: Future<Int, Trouble> = certain.promoteError()
  let never: Future<Int, Trouble> = Future<Never, Trouble>().promoteValue()
  let external: Future<Int, BrightFuturesError<Trouble>> = Future<Int, BrightFuturesError<Never>>().promoteError()
  print(filtered, forced, promoted, never, external, future.asVoid())
  _ = future.delay(.seconds(1)).debug().debug("name", logger: Log()).debug(logger: Logger())
  _ = future ?? 1
  _ = future ?? Future<Int, Never>(value: 1)
}

func waits(_ future: Future<Int, Trouble>, _ certain: Future<Int, Never>) async throws -> Int {
  try await future.get() + (await certain.get())
}

func forced(_ future: Future<Int, Trouble>) -> Result<Int, Trouble>? {
  _ = future.forced()
  return future.forced(DispatchTime.now() + .seconds(1))
}

func promises(_ other: Future<Int, Trouble>) -> Future<Int, Trouble> {
  let promise = Promise<Int, Trouble>()
  promise.success(1)
  promise.failure(.some)
  promise.complete(.success(1))
  promise.trySuccess(1)
  promise.tryFailure(.some)
  let isFirst: Bool = promise.tryComplete(.success(1))
  if !isFirst { promise.completeWith(other) }
  return promise.future
}

func errors() -> Bool {
  let all: [BrightFuturesError<Trouble>] = [
    .noSuchElement, .invalidationTokenInvalidated, .illegalState, .external(.some), BrightFuturesError(external: .some),
  ]
  return all[0] == all[1]
}

func tokens(_ future: Future<Int, Trouble>) -> Future<Never, BrightFuturesError<Never>> {
  let token = InvalidationToken()
  future.onSuccess(token.validContext) { _ in }
  future.onSuccess(token.validContext(DispatchQueue.main.context)) { _ in }
  if !token.isInvalid { token.invalidate() }
  return token.future
}

func contexts() -> [ExecutionContext] {
  let semaphore = DispatchSemaphore(value: 1)
  semaphore.context { print("alone") }
  immediateOnMainExecutionContext { print("on the main thread") }
  let own: ExecutionContext = { task in task() }
  return [
    own, immediateExecutionContext, semaphore.context, DispatchQueue.main.context, OperationQueue.main.context,
    defaultContext(),
  ]
}

func queues() -> Future<Int, Never> {
  let queue = DispatchQueue.global()
  let result: Future<Int, Trouble> = queue.asyncResult { .success(1) }
  print(queue.asyncValue { 1 }, result)
  return queue.asyncValueAfter(DispatchTime.now()) { 1 }
}

func materialized() -> [Any] {
  let both: Future<Int, Trouble> = BrightFuturesCompatibility.materialize { (done: (Int?, Trouble?) -> Void) in
    done(1, nil)
  }
  let value: Future<Int, Never> = BrightFuturesCompatibility.materialize { (done: (Int) -> Void) in done(1) }
  let error: Future<Void, Trouble> = BrightFuturesCompatibility.materialize { (done: (Trouble?) -> Void) in done(nil) }
  return [both, value, error]
}

func sequences(_ futures: [Future<Int, Trouble>], _ results: [Result<Int, Trouble>]) -> Future<
  Int, BrightFuturesError<Trouble>
> {
  let context = immediateExecutionContext
  _ = [1, 2].traverse { Future<Int, Trouble>(value: $0) }
  _ = [1, 2].traverse(context) { Future<Int, Trouble>(value: $0) }
  _ = futures.fold(0) { $0 + $1 }
  _ = futures.fold(context, zero: 0) { $0 + $1 }
  let all: Future<[Int], Trouble> = futures.sequence()
  let known: Result<[Int], Trouble> = results.sequence()
  let first: Future<Int, Trouble> = futures.firstCompleted()
  print(all, known, first, futures.find { $0 > 1 })
  return futures.find(context) { $0 > 1 }
}

func results(_ nested: Result<Result<Int, Trouble>, Trouble>, _ later: Result<Future<Int, Trouble>, Trouble>) -> Int {
  let result = Result<Int, Trouble>(value: 1)
  print(result.value as Any, result.error as Any, Result<Int, Trouble>(error: .some), nested.flatten(), later.flatten())
  _ = result.flatMap { Future<Int, Trouble>(value: $0) }
  return result.analysis(ifSuccess: { $0 }, ifFailure: { _ in 0 })
}

// MARK: Any async

func created<A: AsyncType>(_ type: A.Type, _ other: A) -> [A] where A.Value == Int {
  [A(), A(result: 1), A(result: 1, delay: .seconds(1)), A(other: other), A(resolver: { complete in complete(1) })]
}

func asyncs() -> [Async<Int>] {
  [
    Async(), Async(result: 1), Async(result: 1, delay: .seconds(1)),
    Async(other: Future<Int, Trouble>(value: 1).flatMapped),
    Async(resolver: { complete in complete(1) }), Async { complete in complete(1) },
  ]
}

extension Future where T == Int {
  var flatMapped: Async<Int> {
    Async(resolver: { complete in self.onComplete(immediateExecutionContext) { complete($0.value ?? 0) } })
  }
}

func operations<A: AsyncType>(_ async: A, _ nested: Async<A>) -> A {
  _ = async.isCompleted
  _ = async.forced(DispatchTime.now())
  _ = async.delay(.seconds(1)).delay(DispatchQueue.main, interval: .milliseconds(1))
  _ = async.andThen { _ in }.andThen(context: immediateExecutionContext) { _ in }.debug("any")
  async.onComplete(immediateExecutionContext) { _ in }
  _ = [async].firstCompleted()
  let flat: A = nested.flatten()
  return flat
}

func resultOperations<A: AsyncType>(_ async: A, _ that: Future<Int, A.Value.Error>) -> Future<A.Value.Value, Never>
where A.Value: ResultProtocol {
  let context = immediateExecutionContext
  print(async.isSuccess, async.isFailure, async.value as Any, async.error as Any)
  async.onSuccess { _ in }.onSuccess(context) { _ in }.onFailure { _ in }.onFailure(context) { _ in }
  let value: (A.Value.Value) -> Future<A.Value.Value, A.Value.Error> = { Future(value: $0) }
  let result: (A.Value.Value) -> Result<A.Value.Value, A.Value.Error> = { .success($0) }
  _ = async.map { "\($0)" }.map(context) { $0 + "!" }
  _ = async.flatMap(value).flatMap(context, f: result)
  _ = async.flatMap(result).flatMap(context, f: value)
  _ = async.mapError { _ in Trouble.some }.mapError(context) { $0 }
  _ = async.recoverWith { Future<A.Value.Value, A.Value.Error>(error: $0) }
  let forced: Future<Any, Error> = async.forceType()
  print(async.zip(that), async.filter { _ in true }, forced, async.asVoid())
  return async.recover { _ in fatalError() }
}

func asyncResults(
  _ async: Async<Result<Int, Trouble>>, _ certain: Async<Result<Int, Never>>, _ never: Async<Result<Never, Trouble>>,
  _ wrapped: Async<Result<Int, BrightFuturesError<Never>>>,
  _ nested: Async<Result<Async<Result<Int, Trouble>>, Trouble>>
) async throws -> Int {
  let promoted: Future<Int, Trouble> = certain.promoteError()
  let external: Future<Int, BrightFuturesError<Trouble>> = wrapped.promoteError()
  let value: Future<Int, Trouble> = never.promoteValue()
  let flat: Future<Int, Trouble> = nested.flatten()
  let all: Future<[Int], Trouble> = [async].sequence()
  let first: Async<Result<Int, Trouble>> = [async].firstCompleted()
  let sum: Future<Int, Trouble> = [async].fold(0) { $0 + $1 }
  let found: Future<Int, BrightFuturesError<Trouble>> = [async].find { $0 > 0 }
  let traversed: Future<[Int], Trouble> = [1].traverse { Async<Result<Int, Trouble>>(result: .success($0)) }
  print(promoted, external, value, flat, all, first, sum, found, traversed, async.map { $0 + 1 })
  let number: Int = try await async.get()
  let other: Int = await certain.get()
  return number + other
}

// MARK: Futures

func futureNames(_ future: Future<Int, Trouble>) {
  let completion: Future<Int, Trouble>.CompletionCallback = { _ in }
  let success: Future<Int, Trouble>.SuccessCallback = { _ in }
  let failure: Future<Int, Trouble>.FailureCallback = { _ in }
  future.onComplete(callback: completion).onSuccess(callback: success).onFailure(callback: failure)
  _ = future.andThen(callback: completion)
  _ = Future<Int, Trouble>(result: .success(1), delay: .seconds(1)).delay(DispatchQueue.main, interval: .seconds(1))
  _ = future.debug("name", logger: Log(), file: #file, line: #line, function: #function, context: defaultContext())
}

func genericResults<R: ResultProtocol>(_ result: R, _ all: [R]) -> Result<[R.Value], R.Error> {
  _ = result.analysis(ifSuccess: { [R(value: $0)] }, ifFailure: { [R(error: $0)] })
  _ = result.flatMap { Future<R.Value, R.Error>(value: $0) }
  return all.sequence()
}

// MARK: Contexts and tokens

final class Closed: ManualInvalidationTokenType {
  let token = InvalidationToken()
  var isInvalid: Bool { token.isInvalid }
  var future: Future<Never, BrightFuturesError<Never>> { token.future }
  func invalidate() { token.invalidate() }
}

func anyToken(_ token: InvalidationTokenType, _ manual: ManualInvalidationTokenType) -> [ExecutionContext] {
  manual.invalidate()
  return [token.validContext, token.validContext(), manual.validContext(maxStackDepthExecutionContext)]
}

@available(*, deprecated)
func oldNames(_ value: NoValue?) -> [ExecutionContext] {
  [ImmediateExecutionContext, ImmediateOnMainExecutionContext, MaxStackDepthExecutionContext, DefaultThreadingModel()]
}
