import Futures
import Testing

@Suite("Promises")
struct PromiseTests {
  @Test("the future of a new promise is pending")
  func pending() {
    let future = Promise<Int, TestError>().future
    #expect(future.result == nil)
    #expect(future.value == nil)
    #expect(future.error == nil)
    #expect(!future.isCompleted)
    #expect(!future.isSuccess)
    #expect(!future.isFailure)
  }

  @Test("success completes the promise's future with a value")
  func success() {
    let promise = Promise<Int, TestError>()
    promise.success(3)
    #expect(promise.future.result == .success(3))
    #expect(promise.future.value == 3)
    #expect(promise.future.error == nil)
    #expect(promise.future.isCompleted)
    #expect(promise.future.isSuccess)
    #expect(!promise.future.isFailure)
  }

  @Test("failure completes the promise's future with an error")
  func failure() {
    let promise = Promise<Int, TestError>()
    promise.failure(.first)
    #expect(promise.future.result == .failure(.first))
    #expect(promise.future.value == nil)
    #expect(promise.future.error == .first)
    #expect(promise.future.isCompleted)
    #expect(!promise.future.isSuccess)
    #expect(promise.future.isFailure)
  }

  @Test(
    "complete completes the promise's future with a result", arguments: [Result.success(3), .failure(TestError.first)])
  func complete(with result: Result<Int, TestError>) {
    let promise = Promise<Int, TestError>()
    promise.complete(result)
    #expect(promise.future.result == result)
  }

  @Test("a promise keeps its first result and ignores later ones")
  func firstWins() {
    let promise = Promise<Int, TestError>()
    promise.success(1)
    promise.success(2)
    promise.failure(.first)
    promise.complete(.success(3))
    #expect(promise.future.result == .success(1))
  }

  @Test("trySuccess, tryFailure and tryComplete return whether they completed the promise")
  func tries() {
    let succeeding = Promise<Int, TestError>()
    #expect(succeeding.trySuccess(1))
    #expect(!succeeding.trySuccess(2))
    #expect(!succeeding.tryFailure(.first))
    #expect(!succeeding.tryComplete(.success(3)))
    #expect(succeeding.future.value == 1)

    let failing = Promise<Int, TestError>()
    #expect(failing.tryFailure(.second))
    #expect(!failing.trySuccess(2))
    #expect(failing.future.error == .second)

    let completing = Promise<Int, TestError>()
    #expect(completing.tryComplete(.failure(.numbered(3))))
    #expect(!completing.tryFailure(.first))
    #expect(completing.future.error == .numbered(3))
  }

  @Test("a promise completes when the pending future that it follows completes")
  func completeWithPending() {
    let (promise, other) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    promise.complete(with: other.future)
    #expect(!promise.future.isCompleted)
    other.success(4)
    #expect(promise.future.value == 4)
  }

  @Test("a promise completes at once with a completed future")
  func completeWithCompleted() {
    let promise = Promise<Int, TestError>()
    promise.complete(with: Future(error: .second))
    #expect(promise.future.error == .second)
  }

  @Test("a promise that follows another future can be completed earlier")
  func completeWithAndBefore() {
    let (promise, other) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    promise.complete(with: other.future)
    promise.success(1)
    other.success(2)
    #expect(promise.future.value == 1)
  }

  @Test("completing a completed promise with its own future is ignored")
  func completeWithOwnFuture() {
    let promise = Promise<Int, TestError>()
    promise.success(1)
    promise.complete(with: promise.future)
    #expect(promise.future.value == 1)
  }
}

@Suite("Creating futures")
struct FutureTests {
  @Test("a future can be created with a value, an error or a result")
  func completed() {
    #expect(Future<Int, TestError>(value: 1).value == 1)
    #expect(Future<Int, TestError>(error: .first).error == .first)
    #expect(Future<Int, TestError>(result: .success(2)).value == 2)
    #expect(Async(result: 3).result == 3)
  }

  @Test("a future of an optional distinguishes a nil value from a pending result")
  func optionalValue() {
    let future = Future<Int?, TestError>(value: nil)
    #expect(future.isSuccess)
    #expect(future.value == .some(nil))
  }

  @Test("a future of Void completes with an empty tuple")
  func void() {
    let promise = Promise<Void, Never>()
    #expect(!promise.future.isSuccess)
    promise.success(())
    #expect(promise.future.isSuccess)
  }

  @Test("the initialiser of a future runs its scope once before it returns")
  func scopeIsImmediate() {
    var runs = 0
    let future = Future<Int, TestError> { complete in
      runs += 1
      complete(.success(5))
    }
    #expect(runs == 1)
    #expect(future.value == 5)
  }

  @Test("the completer of a future's scope can be called later, and only its first call counts")
  func scopeLater() {
    let completer = Box<(@Sendable (Result<Int, TestError>) -> Void)?>(nil)
    let future = Future<Int, TestError> { completer.value = $0 }
    #expect(!future.isCompleted)
    completer.value?(.success(1))
    completer.value?(.success(2))
    completer.value?(.failure(.first))
    #expect(future.result == .success(1))
  }

  @Test("the completer of an async's scope can be called later, and only its first call counts")
  func asyncScope() {
    let completer = Box<(@Sendable (Int) -> Void)?>(nil)
    let async = Async<Int> { completer.value = $0 }
    #expect(async.result == nil)
    #expect(!async.isCompleted)
    completer.value?(1)
    completer.value?(2)
    #expect(async.result == 1)
    #expect(async.isCompleted)
  }
}
