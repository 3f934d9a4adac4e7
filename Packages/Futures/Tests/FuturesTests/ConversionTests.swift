import TestSupport
import Futures
import Testing

@Suite("Conversions between futures and async functions")
struct ConversionTests {
  @Test("Future(other:) has the result of another async, at once if that is completed")
  func other() {
    #expect(Future(other: Async(result: Result<Int, TestError>.success(1))).value == 1)
    let promise = Promise<Int, TestError>()
    let future = Future(other: promise.future)
    #expect(!future.isCompleted)
    promise.failure(.first)
    #expect(future.error == .first)
  }

  @Test("a future of asynchronous work has the value of the work, or an error of exactly its error type")
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

  @Test("get() throws exactly the error type of the future", arguments: Readiness.allCases)
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

  @Test("get() of a future that cannot fail does not throw")
  func getNever() async {
    let promise = Promise<Int, Never>()
    let waiting = Task { await promise.future.get() }
    promise.success(2)
    #expect(await waiting.value == 2)
    #expect(await promise.future.get() == 2)
  }

  @Test("get() of an async returns its value, which can be a Result")
  func getAsync() async {
    #expect(await Async(result: 3).get() == 3)
    let async = Async(result: Result<Int, TestError>.failure(.first))
    #expect(await async.get() == .failure(.first))
  }
}
