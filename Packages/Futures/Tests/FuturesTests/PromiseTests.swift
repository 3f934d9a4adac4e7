import Futures
import Testing

@Suite("Promises and the creation of futures")
struct PromiseTests {
  typealias Number = Promise<Int, TestError>

  private func expect(_ future: Future<Int, TestError>, _ result: Result<Int, TestError>?) {
    #expect(future.result == result)
    #expect(future.value == (try? result?.get()) && future.error == result?.error)
    #expect(future.isCompleted == (result != nil))
    #expect(future.isSuccess == (result?.value != nil) && future.isFailure == (result?.error != nil))
  }

  @Test("a promise completes its future with a value, an error or a result, and ignores later completions")
  func completions() {
    let ways: [(Result<Int, TestError>, @Sendable (Number) -> Void)] = [
      (.success(3), { $0.success(3) }), (.failure(.first), { $0.failure(.first) }),
      (.success(4), { $0.complete(.success(4)) }), (.failure(.second), { $0.complete(.failure(.second)) }),
    ]
    for (result, complete) in ways {
      let promise = Number()
      expect(promise.future, nil)
      complete(promise)
      for (_, other) in ways { other(promise) }
      expect(promise.future, result)
    }
  }

  @Test("trySuccess, tryFailure and tryComplete return whether they completed the promise")
  func tries() {
    let ways: [@Sendable (Number) -> Bool] = [
      { $0.trySuccess(1) }, { $0.tryFailure(.first) }, { $0.tryComplete(.success(2)) },
    ]
    for way in ways {
      let promise = Number()
      #expect(way(promise))
      #expect(ways.allSatisfy { !$0(promise) })
    }
  }

  @Test("a promise that is completed with another future gets that future's result, unless it is completed earlier")
  func completeWith() {
    let (other, following, earlier) = (Number(), Number(), Number())
    following.complete(with: other.future)
    earlier.complete(with: other.future)
    expect(following.future, nil)
    earlier.success(1)
    other.success(4)
    expect(following.future, .success(4))
    expect(earlier.future, .success(1))
    let late = Number()
    late.complete(with: Future(error: .second))
    expect(late.future, .failure(.second))
  }

  @Test("completing a pending promise with its own future, also in flatMap, stops the program")
  func itself() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let promise = Promise<Int, Never>()
      promise.complete(with: promise.future)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      message.contains("Cannot complete Future<Int, Never>(pending) with itself: it would wait for its own result. "))
    await #expect(processExitsWith: .failure) {
      let (promise, own) = (Promise<Int, Never>(), Promise<Future<Int, Never>, Never>())
      own.success(promise.future.flatMap(now) { _ in own.future.value ?? Future(value: 0) })
      promise.success(1)
    }
    let completed = Number()
    completed.success(1)
    completed.complete(with: completed.future)
    expect(completed.future, .success(1))
  }

  @Test("a future can be created with a value, an error or a result, or without a promise")
  func created() {
    expect(Future(value: 1), .success(1))
    expect(Future(error: .first), .failure(.first))
    expect(Future(result: .success(2)), .success(2))
    expect(Future(), nil)
    #expect(Async(result: 3).result == 3)
    let absent = Future<Int?, TestError>(value: nil)
    #expect(absent.isSuccess && absent.value == .some(nil))
    let void = Promise<Void, Never>()
    void.success()
    #expect(void.future.isSuccess)
  }

  @Test("the initialiser of a future or an async runs its scope once, and only the first call of the completer counts")
  func scope() {
    var runs = 0
    let completed = Future<Int, TestError> { complete in
      runs += 1
      complete(.success(5))
    }
    #expect(runs == 1)
    expect(completed, .success(5))
    let completer = Box<(@Sendable (Int) -> Void)?>(nil)
    let async = Async<Int> { completer.value = $0 }
    #expect(async.result == nil && !async.isCompleted)
    completer.value?(1)
    completer.value?(2)
    #expect(async.result == 1 && async.isCompleted)
  }

  @Test("a description has the types and the state")
  func descriptions() {
    #expect(Async(result: 1).description == "Async<Int>(Optional(1))")
    #expect("\(Number().future)" == "Future<Int, TestError>(pending)")
    #expect("\(Future<Int, TestError>(value: 1))" == "Future<Int, TestError>(success: 1)")
    #expect(Future<Int, TestError>(error: .first).description == "Future<Int, TestError>(failure: first)")
    #expect(FuturesError<TestError>.noSuchElement.description.contains("recover"))
  }
}
