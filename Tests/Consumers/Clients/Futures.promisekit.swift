// Code of PromiseKit, in comments, and the same with `Futures`.
//
// Each name in `MigratingFromPromiseKit.md` is used here. A test compares the two.

import Dispatch
import Futures

struct Missing: Error {}

struct Bird: Sendable {
  var name: String?
}

func bird() -> Future<Bird, any Error> { Future(value: Bird()) }

func picture(of bird: Bird) -> Future<Int, any Error> { Future(value: 1) }

// Promise<T>, Guarantee<T>
func typed<T: Sendable>(_ value: T) -> (Future<T, any Error>, Future<T, Never>) {
  (Future(value: value), Future(value: value))
}

// Promise<Int> { seal in if random { seal.fulfill(1) } else { seal.reject(Missing()) } }, seal.resolve(1, nil)
func created(_ random: Bool) -> Future<Int, any Error> {
  Future { complete in complete(random ? .success(1) : .failure(Missing())) }
}

// Promise<Int>.pending(), fulfill, reject, resolve
func pending() -> Promise<Int, any Error> {
  let promise = Promise<Int, any Error>()
  promise.success(1)
  promise.failure(Missing())
  promise.complete(.success(2))
  return promise
}

// Promise.value(1), Promise<Int>(error: Missing()), Guarantee<Int>.value(1)
func completed() -> (Future<Int, any Error>, Future<Int, any Error>, Future<Int, Never>) {
  (Future(value: 1), Future(error: Missing()), Future(value: 1))
}

// firstly { bird() }.then { picture(of: $0) }.map { $0 + 1 }
func transformed() -> Future<Int, any Error> {
  bird().flatMap { picture(of: $0) }.map { number in
    guard number > 0 else { throw Missing() }
    return number + 1
  }
}

// compactMap { $0.name }
func named() -> Future<String, any Error> {
  bird().flatMap { bird in bird.name.map { .success($0) } ?? Result<String, any Error>.failure(Missing()) }
}

// get { print($0) }.tap { print($0) }.ensure { print("end") }.done { print($0) }.catch { print($0) }.finally { print("end") }
func listened() {
  transformed()
    .andThen { result in if case .success(let number) = result { print(number) } }
    .andThen { result in print(result) }
    .andThen { _ in print("end") }
    .onSuccess { print($0) }
    .onFailure { print($0) }
    .onComplete { _ in print("end") }
}

// done { guard $0 > 0 else { throw Missing() } }
func checked() -> Future<Void, any Error> {
  transformed().map { number in
    guard number > 0 else { throw Missing() }
  }
}

// recover { _ in picture(of: Bird()) } to a promise, recover { _ in .value(0) } to a value
func recovered() -> (Future<Int, any Error>, Future<Int, Never>) {
  (transformed().recoverWith { _ in picture(of: Bird()) }, transformed().recover { _ in 0 })
}

// when(fulfilled: list), of several types: when(fulfilled: bird(), transformed()), when(fulfilled: list, concurrently: 2)
func all(_ list: [Future<Int, any Error>]) -> [Future<Void, any Error>] {
  let birds = [Bird(), Bird()]
  return [
    list.sequenceFailingFast().asVoid(), zipFailingFast(bird(), transformed()).asVoid(),
    birds.traverse(maxConcurrent: 2) { picture(of: $0) }.asVoid(),
  ]
}

// when(resolved: list)
func results(_ list: [Future<Int, any Error>]) async -> [Result<Int, any Error>] {
  for await result in list.resultsInCompletionOrder() { print(result) }
  return await list.map { $0.map { .success($0) }.recover { .failure($0) } }.sequence().get()
}

// race(list), race(fulfilled: list)
func first(_ list: [Future<Int, any Error>]) -> (Future<Int, any Error>, Future<Int, FuturesError<any Error>>) {
  (list.firstCompleted(), list.firstSuccess())
}

// after(seconds: 1).then { transformed() }.asVoid(), race(transformed(), after(seconds: 1))
func later() -> [Future<Void, any Error>] {
  let delayed = Future<Void, any Error>(value: ()).delay(for: .seconds(1))
  return [
    delayed.flatMap { transformed() }.asVoid(),
    transformed().timeout(after: .seconds(1), failingWith: Missing()).asVoid(),
  ]
}

// map(on: queue) { $0 + 1 }
func inContext(_ queue: DispatchQueue) -> Future<Int, any Error> {
  transformed().map(queue.context) { $0 + 1 }
}

// try promise.wait(), isPending, isFulfilled, isRejected, result
func state(_ future: Future<Int, any Error>) async throws -> Int {
  print(!future.isCompleted, future.isSuccess, future.isFailure, future.result as Any)
  return try await future.get()
}
