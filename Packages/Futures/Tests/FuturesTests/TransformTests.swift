import Futures
import TestSupport
import Testing

/// A future of a value and a future of an error, which are completed before or after they are transformed.
private struct Sources: Sendable {
  let good, bad: Future<Int, TestError>
  let complete: @Sendable () -> Void

  init(_ readiness: Readiness) {
    let (good, bad) = (
      readiness.future(Result<Int, TestError>.success(20)), readiness.future(Result<Int, TestError>.failure(.first))
    )
    (self.good, self.bad) = (good.future, bad.future)
    complete = {
      good.complete()
      bad.complete()
    }
  }
}

@Suite("Transforming one future")
struct TransformTests {
  typealias Number = Future<Int, TestError>

  @Test("map transforms a value once, and passes an error on", arguments: Readiness.allCases)
  func map(readiness: Readiness) {
    let (sources, runs) = (Sources(readiness), Log<Int>())
    let mapped = [sources.good, sources.bad].map { future in
      future.map(now) { value in
        runs.append(value)
        return "\(value + 1)"
      }
    }
    sources.complete()
    #expect(mapped.map(\.result) == [.success("21"), .failure(.first)])
    #expect(runs.all == [20])
    #expect(Future<String, Never>(value: "puffin").map(now, f: \.count).value == 6)
  }

  @Test("flatMap has the result of the future that its function returns, now or later", arguments: Readiness.allCases)
  func flatMap(readiness: Readiness) {
    for inner in Readiness.allCases {
      let (sources, others) = (Sources(readiness), Sources(inner))
      let ends = [others.good, others.bad].map { other in sources.good.flatMap(now) { _ in other } }
      let failed = sources.bad.flatMap(now) { _ in others.good }
      sources.complete()
      #expect(ends.map(\.isCompleted) == [inner == .completed, inner == .completed])
      others.complete()
      #expect(ends.map(\.result) == [.success(20), .failure(.first)])
      #expect(failed.error == .first)
      #expect(sources.good.flatMap(now) { _ in sources.good }.value == 20)
    }
  }

  @Test("flatMapResult has the result that its function returns, and passes an error on", arguments: Readiness.allCases)
  func flatMapResult(readiness: Readiness) {
    let sources = Sources(readiness)
    let ends = [sources.good, sources.bad].map { future in
      [
        future.flatMapResult(now) { Result<String, TestError>.success("\($0)") },
        future.flatMapResult(now) { Result<String, TestError>.failure(.numbered($0)) },
      ]
    }
    sources.complete()
    #expect(ends[0].map(\.result) == [.success("20"), .failure(.numbered(20))])
    #expect(ends[1].map(\.result) == [.failure(.first), .failure(.first)])
  }

  @Test("mapError transforms an error, and passes a value on", arguments: Readiness.allCases)
  func mapError(readiness: Readiness) {
    let sources = Sources(readiness)
    let ends = [sources.good, sources.bad].map { future in future.mapError(now) { FuturesError.external($0) } }
    sources.complete()
    #expect(ends.map(\.result) == [.success(20), .failure(.external(.first))])
  }

  @Test("recover and recoverWith replace an error by a value or another future", arguments: Readiness.allCases)
  func recover(readiness: Readiness) {
    let (sources, rescue) = (Sources(readiness), Promise<Int, Never>())
    let values = [sources.good, sources.bad].map { future in future.recover(now) { $0 == .first ? 7 : 8 } }
    let rescued = [sources.good, sources.bad].map { future in future.recoverWith(now) { _ in rescue.future } }
    let failed = sources.bad.recoverWith(now) { Future<Int, FuturesError<TestError>>(error: .external($0)) }
    sources.complete()
    #expect(values.map(\.value) == [20, 7])
    #expect(rescued.map(\.value) == [20, nil])
    rescue.success(5)
    #expect(rescued.map(\.value) == [20, 5])
    #expect(failed.error == .external(.first))
  }

  @Test("the operator ?? evaluates its right side only for an error", arguments: Readiness.allCases)
  func coalesce(readiness: Readiness) {
    let (sources, log) = (Sources(readiness), Log<Int>())
    @Sendable func logged(_ number: Int) -> Int {
      log.append(number)
      return number
    }
    let values = [sources.good ?? logged(1), sources.bad ?? logged(2)]
    let futures = [sources.good ?? Number(value: logged(3)), sources.bad ?? Number(value: logged(4))]
    sources.complete()
    #expect(values.map(\.value) == [20, 2])
    #expect(futures.map(\.value) == [20, 4])
    #expect(log.all.sorted() == [2, 4])
  }

  @Test(
    "filter fails for a value that does not match, and wraps the error of the future", arguments: Readiness.allCases)
  func filter(readiness: Readiness) {
    let sources = Sources(readiness)
    let ends = [
      sources.good.filter(now) { $0 > 3 }, sources.good.filter(now) { $0 > 30 }, sources.bad.filter(now) { _ in true },
    ]
    sources.complete()
    #expect(ends.map(\.result) == [.success(20), .failure(.noSuchElement), .failure(.external(.first))])
  }

  @Test("andThen calls its callback, then completes the new future with the same result", arguments: Readiness.allCases)
  func andThen(readiness: Readiness) {
    let (sources, log) = (Sources(readiness), Log<String>())
    for future in [sources.good, sources.bad] {
      future.andThen(now) { log.append("callback \($0)") }.onComplete(now) { log.append("next \($0)") }
    }
    sources.complete()
    let results = ["success(20)", "\(Result<Int, TestError>.failure(.first))"]
    #expect(log.all == results.flatMap { ["callback \($0)", "next \($0)"] })
  }

  @Test("asVoid, promoteError and Future(other:) change only the type")
  func types() {
    #expect(Number(value: 1).asVoid().isSuccess)
    let promoted: Number = Future<Int, Never>(value: 1).promoteError()
    #expect(promoted.value == 1)
    #expect(Number(error: .first).promoteError().error as? TestError == .first)
    #expect(Future(other: Async(result: Result<Int, TestError>.success(1))).value == 1)
  }

  @Test("flatten removes one layer of asyncs, futures or results")
  func flatten() {
    #expect(Async(result: Async(result: 1)).flatten().result == 1)
    #expect(Future<Number, TestError>(value: Future(value: 2)).flatten().value == 2)
    #expect(Future<Result<Int, TestError>, TestError>(value: .failure(.first)).flatten().error == .first)
  }
}

// MARK: - Functions that throw, and asynchronous work

private enum Trouble: Error, Equatable { case negative }

private func root(of number: Int) throws(Trouble) -> Double {
  guard number >= 0 else { throw .negative }
  return Double(number).squareRoot()
}

@Sendable private func rootLater(of number: Int) async throws(Trouble) -> Double { try root(of: number) }

@Suite("tryMap and futures of asynchronous work")
struct ThrowingTests {
  @Test("an error that the function of tryMap throws is the new future's error")
  func typedError() async throws {
    let numbers = [16, -1].map { Future<Int, Trouble>(value: $0) }
    #expect(numbers.map { $0.tryMap(now, f: root).result } == [.success(4), .failure(.negative)])
    #expect(numbers.map { $0.tryMap(now) { number throws(Trouble) in try root(of: number) }.value } == [4, nil])
    let any = Future<Int, any Error>(value: -1).tryMap { try root(of: $0) }
    await #expect(throws: Trouble.negative) { try await any.get() }
  }

  @Test("a future of asynchronous work has the value of the work, or an error of exactly its error type")
  func work() async throws {
    let good = Future { () async throws(Trouble) in try await rootLater(of: 16) }
    let bad = Future { () async throws(Trouble) in try await rootLater(of: -1) }
    let loose = Future { try await rootLater(of: -1) }
    let sure = Future { await Task.yield() }
    let onMain = await MainActor.run { Future { MainActor.assertIsolated() } }
    #expect(try await good.get() == 4)
    await #expect(throws: Trouble.negative) { try await bad.get() }
    await #expect(throws: Trouble.negative) { try await loose.get() }
    await sure.get()
    await onMain.get()
    _ = (good as Future<Double, Trouble>, loose as Future<Double, any Error>, sure as Future<Void, Never>)
  }

  @Test("a flatMap to a future of asynchronous work compiles in the documented forms")
  func workInFlatMap() async throws {
    let anyError = Future<Int, any Error>(value: 16)
    #expect(try await anyError.flatMap { number in Future { try await rootLater(of: number) } }.get() == 4)
    #expect(try await anyError.flatMap { number in Future { await number.triple() } }.get() == 48)
    #expect(try await anyError.flatMap { number in Future { number + 1 } }.get() == 17)
    #expect(await Future<Int, Never>(value: 16).flatMap { number in Future { await number.triple() } }.get() == 48)
    let typed = Future<Int, Trouble>(value: 16)
    #expect(try await typed.flatMap { number in Future { number + 1 } }.get() == 17)
    let roots = [
      typed.flatMap { number in Future { () async throws(Trouble) in try await rootLater(of: number) } },
      typed.flatMap { _ in Future(rootOf16) },
      typed.flatMap { _ in Future { complete in complete(.success(4)) } },
      typed.flatMap { number in Future<Double, Trouble> { await Double(number.triple()) / 12 } },
    ]
    #expect(try await roots.sequence().get() == [4, 4, 4, 4])
  }
}

@Sendable private func rootOf16() async throws(Trouble) -> Double { 4 }

extension Int {
  fileprivate func triple() async -> Int { self * 3 }
}
