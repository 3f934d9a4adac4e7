import Futures
import FuturesParallel
import Parallel
import TestSupport
import Testing

@Suite("Conversions between futures and parallels")
struct ConversionTests {
  @Test("a future of a parallel runs it once for all listeners")
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

  @Test("a parallel of a Result becomes a future that can fail")
  func fromParallelResult() {
    let good = Future(Parallel<Result<Int, TestError>>(value: .success(1)))
    let bad = Future(Parallel<Result<Int, TestError>>(value: .failure(TestError())))
    #expect(good.value == 1)
    #expect(bad.error == TestError())
  }

  @Test("every run of a future's parallel is called back with the future's result")
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

  @Test("a cancelled task stops waiting for a future's parallel")
  func cancelledWait() async {
    let promise = Promise<Int, Never>()
    let waiting = Task { try await promise.future.parallel.value() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { _ = try await waiting.value }
  }
}

private struct TestError: Error, Equatable {}
