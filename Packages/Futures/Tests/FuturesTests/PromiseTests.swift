import Futures
import Testing

@Suite("A promise")
struct PromiseTests {
  @Test("has a future that is pending at first")
  func pending() {
    let future = Promise<Int, TestError>().future
    #expect(future.result == nil)
    #expect(future.value == nil)
    #expect(future.error == nil)
    #expect(!future.isCompleted)
    #expect(!future.isSuccess)
    #expect(!future.isFailure)
  }

  @Test("succeeds its future")
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

  @Test("fails its future")
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

  @Test("completes its future with a result", arguments: [Result.success(3), .failure(TestError.first)])
  func complete(with result: Result<Int, TestError>) {
    let promise = Promise<Int, TestError>()
    promise.complete(result)
    #expect(promise.future.result == result)
  }

  @Test("takes the first completion and ignores the others")
  func firstWins() {
    let promise = Promise<Int, TestError>()
    promise.success(1)
    promise.success(2)
    promise.failure(.first)
    promise.complete(.success(3))
    #expect(promise.future.result == .success(1))
  }

  @Test("says whether a try was the first")
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

  @Test("completes as another future does, later")
  func completeWithPending() {
    let (promise, other) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    promise.complete(with: other.future)
    #expect(!promise.future.isCompleted)
    other.success(4)
    #expect(promise.future.value == 4)
  }

  @Test("completes as another future does, at once when that is completed")
  func completeWithCompleted() {
    let promise = Promise<Int, TestError>()
    promise.complete(with: Future(error: .second))
    #expect(promise.future.error == .second)
  }

  @Test("that follows another future may be completed before it")
  func completeWithAndBefore() {
    let (promise, other) = (Promise<Int, TestError>(), Promise<Int, TestError>())
    promise.complete(with: other.future)
    promise.success(1)
    other.success(2)
    #expect(promise.future.value == 1)
  }
}

@Suite("A future")
struct FutureTests {
  @Test("can be made completed")
  func completed() {
    #expect(Future<Int, TestError>(value: 1).value == 1)
    #expect(Future<Int, TestError>(error: .first).error == .first)
    #expect(Future<Int, TestError>(result: .success(2)).value == 2)
    #expect(Async(result: 3).result == 3)
  }

  @Test("of an optional tells a value of nil from none")
  func optionalValue() {
    let future = Future<Int?, TestError>(value: nil)
    #expect(future.isSuccess)
    #expect(future.value == .some(nil))
  }

  @Test("of nothing is completed by nothing")
  func void() {
    let promise = Promise<Void, Never>()
    #expect(!promise.future.isSuccess)
    promise.success(())
    #expect(promise.future.isSuccess)
  }

  @Test("runs its scope once, at once, on this thread")
  func scopeIsImmediate() {
    var runs = 0
    let future = Future<Int, TestError> { complete in
      runs += 1
      complete(.success(5))
    }
    #expect(runs == 1)
    #expect(future.value == 5)
  }

  @Test("is completed later by what its scope handed out, and only once")
  func scopeLater() {
    let completer = Box<(@Sendable (Result<Int, TestError>) -> Void)?>(nil)
    let future = Future<Int, TestError> { completer.value = $0 }
    #expect(!future.isCompleted)
    completer.value?(.success(1))
    completer.value?(.success(2))
    completer.value?(.failure(.first))
    #expect(future.result == .success(1))
  }

  @Test("that cannot fail is an async with a scope of its own")
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
