// Code of SwiftNIO, in comments, and the same with `Futures`.
//
// Each name in `MigratingFromSwiftNIO.md` is used here. A test compares the two.

import Dispatch
import Futures

struct Absent: Error {}

func work() async throws -> Int { 1 }

// EventLoopFuture<T>, EventLoopPromise<T>; let promise = eventLoop.makePromise(of: Int.self), promise.futureResult
// eventLoop.makeSucceededFuture(1), eventLoop.makeFailedFuture(Absent())
func created<T>(_ type: T.Type, _ value: T) -> [Future<T, any Error>] {
  let promise = Promise<T, any Error>()
  return [promise.future, Future(value: value), Future(error: Absent())]
}

// promise.succeed(1), promise.fail(Absent()), promise.completeWith a result, promise.completeWith a future,
// future.cascade(to: promise)
func completed(_ promise: Promise<Int, any Error>, _ future: Future<Int, any Error>) {
  promise.success(1)
  promise.failure(Absent())
  promise.complete(.success(1))
  promise.complete(with: future)
}

// promise.completeWithTask { try await work() }, eventLoop.makeFutureWithTask { try await work() }
func started(_ promise: Promise<Int, any Error>) -> Future<Int, any Error> {
  promise.complete(with: Future { try await work() })
  return Future { try await work() }
}

// map, flatMap, flatMapResult, flatMapThrowing
func transformed(_ future: Future<Int, any Error>) -> Future<Int, any Error> {
  future.map { $0 + 1 }.flatMap { Future(value: $0) }.flatMap { Result<Int, any Error>.success($0) }.map { number in
    guard number > 0 else { throw Absent() }
    return number
  }
}

// flatMapError { _ in future }, recover { _ in 0 }, flatMapErrorThrowing { error in throw error }
func recovered(_ future: Future<Int, any Error>) -> [Future<Int, any Error>] {
  [
    future.recoverWith { _ in Future(value: 0) }, future.recover { _ in 0 }.promoteError(),
    future.recoverWith { error in Future(result: Result { throw error }) },
  ]
}

// flatMapBlocking(onto: queue) { $0 + 1 }, hop(to: eventLoop)
func inContext(_ future: Future<Int, any Error>, _ queue: DispatchQueue) -> Future<Int, any Error> {
  future.map(queue.context) { $0 + 1 }
}

// whenSuccess, whenFailure, whenComplete, always
func listened(_ future: Future<Int, any Error>) {
  future.onSuccess { print($0) }.onFailure { print($0) }.onComplete { print($0) }.andThen { print($0) }
}

// and, and(value: 1)
func pairs(_ future: Future<Int, any Error>) -> [Future<(Int, Int), any Error>] {
  [zipFailingFast(future, future), future.map { ($0, 1) }]
}

// EventLoopFuture.reduce(0, futures, on: eventLoop, +)
// future.fold(others, with: combine), whose function returns a future
func combined(
  _ future: Future<Int, any Error>, _ others: [Future<Int, any Error>],
  _ combine: @escaping @Sendable (Int, Int) -> Future<Int, any Error>
) -> [Future<Int, any Error>] {
  [others.fold(0) { $0 + $1 }, others.reduce(future) { zipFailingFast($0, $1).flatMap { combine($0, $1) } }]
}

// EventLoopFuture.whenAllSucceed(futures, on: eventLoop), andAllSucceed
func all(_ futures: [Future<Int, any Error>]) -> (Future<[Int], any Error>, Future<Void, any Error>) {
  (futures.sequenceFailingFast(), futures.sequenceFailingFast().asVoid())
}

// whenAllComplete, andAllComplete
func results(_ futures: [Future<Int, any Error>]) async -> [Result<Int, any Error>] {
  for await result in futures.resultsInCompletionOrder() { print(result) }
  let results: Future<[Result<Int, any Error>], Never> =
    futures.map { $0.map { .success($0) }.recover { .failure($0) } }.sequence()
  await results.asVoid().get()
  return await results.get()
}

// unwrap(orError: Absent()), unwrap(orReplace: 0)
func unwrapped(_ future: Future<Int?, any Error>) -> [Future<Int, any Error>] {
  [
    future.flatMap { number in number.map { .success($0) } ?? Result<Int, any Error>.failure(Absent()) },
    future.map { $0 ?? 0 },
  ]
}

// eventLoop.scheduleTask(in: .seconds(1)) { 1 }
func later(_ future: Future<Int, any Error>) -> [Future<Int, any Error>] {
  [Future(value: 1).delay(for: .seconds(1)), future.timeout(after: .seconds(1), failingWith: Absent())]
}

// try future.wait(), try await future.get()
func awaited(_ future: Future<Int, any Error>) async throws -> Int {
  try await future.get()
}
