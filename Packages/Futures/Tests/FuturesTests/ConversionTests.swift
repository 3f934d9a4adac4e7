import ParallelTesting
import Futures
import Parallel
import Testing

@Suite("Conversions")
struct ConversionTests {
  @Test("a future follows another asynchronous result, at once when it can")
  func other() {
    #expect(Future(other: Async(result: Result<Int, TestError>.success(1))).value == 1)
    let promise = Promise<Int, TestError>()
    let future = Future(other: promise.future)
    #expect(!future.isCompleted)
    promise.failure(.first)
    #expect(future.error == .first)
  }

  @Test("a parallel runs once for a future, however many listen")
  func fromParallel() {
    let runs = Log<Int>()
    let parallel = Parallel<Int> { callback in
      runs.append(1)
      callback(7)
    }
    let future = Future(parallel)
    #expect(future.map(immediateExecutionContext) { $0 }.value == 7)
    #expect(future.value == 7)
    #expect(runs.count == 1)
  }

  @Test("a parallel of a result becomes a future that may fail")
  func fromParallelResult() {
    let good = Future(Parallel<Result<Int, TestError>>(value: .success(1)))
    let bad = Future(Parallel<Result<Int, TestError>>(value: .failure(.first)))
    #expect(good.value == 1)
    #expect(bad.error == .first)
  }

  @Test("a future as a parallel calls each run back, at once or when it is completed")
  func toParallel() {
    let promise = Promise<Int, TestError>()
    let log = Log<Result<Int, TestError>>()
    let parallel = promise.future.parallel
    parallel.run { log.append($0) }
    #expect(log.all.isEmpty)
    promise.success(1)
    parallel.run { log.append($0) }
    #expect(log.all == [.success(1), .success(1)])
  }

  @Test("a wait through a parallel ends when its task is cancelled")
  func cancelledWait() async {
    let promise = Promise<Int, Never>()
    let waiting = Task { try await promise.future.parallel.value() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
  }

  @Test("asynchronous work becomes a future of its value, or of exactly the error that it throws")
  func fromAsync() async throws {
    @Sendable func work(_ fails: Bool) async throws(TestError) -> Int {
      await Task.yield()
      if fails { throw .second }
      return 5
    }
    let good = Future { () async throws(TestError) in try await work(false) }
    let bad = Future { () async throws(TestError) in try await work(true) }
    let sure = Future { await Task.yield() }
    let loose = Future { try await work(true) }
    #expect(try await good.get() == 5)
    await #expect(throws: TestError.second) { try await bad.get() }
    await sure.get()
    _ = loose as Future<Int, any Error>
    await #expect(throws: TestError.second) { try await loose.get() }
    _ = good as Future<Int, TestError>
    _ = sure as Future<Void, Never>
  }

  @Test("waiting for a future throws exactly its error type", arguments: Readiness.allCases)
  func get(readiness: Readiness) async throws {
    let (good, completeGood) = readiness.future(Result<Int, TestError>.success(1))
    let (bad, completeBad) = readiness.future(Result<Int, TestError>.failure(.first))
    let waiting = (Task { try await good.get() }, Task { try await bad.get() })
    completeGood()
    completeBad()
    #expect(try await waiting.0.value == 1)
    await #expect(throws: TestError.first) { try await waiting.1.value }
    do throws(TestError) {
      _ = try await bad.get()
      Issue.record("a failed future returned a value")
    } catch {
      #expect(error == .first)
    }
  }

  @Test("waiting for a future that cannot fail does not throw")
  func getNever() async {
    let promise = Promise<Int, Never>()
    let waiting = Task { await promise.future.get() }
    promise.success(2)
    #expect(await waiting.value == 2)
    #expect(await promise.future.get() == 2)
  }

  @Test("waiting for an async returns its value, a result included")
  func getAsync() async {
    #expect(await Async(result: 3).get() == 3)
    let async = Async(result: Result<Int, TestError>.failure(.first))
    #expect(await async.get() == .failure(.first))
  }
}
