import TestSupport
import Dispatch
import Foundation
import Futures
import Testing

private let now = immediateExecutionContext

@Suite("Operators on many futures, contexts and results")
struct ManyFuturesTests {
  @Test("traverse makes a future of each element and returns the values in order")
  func traverse() {
    #expect((1...3).traverse(now) { Future<Int, TestError>(value: $0 * 2) }.value == [2, 4, 6])
    #expect([Int]().traverse(now) { Future<Int, TestError>(value: $0) }.value == [])
    let failing = (1...3).traverse(now) { Future<Int, TestError>(error: $0 == 1 ? .first : .second) }
    #expect(failing.error == .first)
  }

  @Test("traverse calls its function on a global queue by default")
  func traverseContext() async {
    let values: Future<[Bool], Never> = [1].traverse { _ in Future(value: Thread.isMainThread) }
    #expect(await values.get() == [false])
  }

  @Test("fold combines the values in order, or fails with the first error")
  func fold() {
    let futures = ["a", "b", "c"].map { Future<String, TestError>(value: $0) }
    #expect(futures.fold(now, zero: "", f: +).value == "abc")
    #expect([Future<Int, TestError>]().fold(now, zero: 7, f: +).value == 7)
    #expect((futures + [Future(error: .first), Future(error: .second)]).fold(now, zero: "", f: +).error == .first)
  }

  @Test("fold without a context combines the values too")
  func foldDefault() async throws {
    #expect(try await [1, 2].map { Future<Int, TestError>(value: $0) }.fold(0, f: +).get() == 3)
  }

  @Test("firstCompleted has the result of the first completed future, a value or an error")
  func firstCompleted() {
    let promises = (0..<3).map { _ in Promise<Int, TestError>() }
    let first = promises.map(\.future).firstCompleted()
    promises[1].failure(.second)
    promises[0].success(0)
    #expect(first.error == .second)
    #expect([Future<Int, TestError>(value: 1), Promise().future].firstCompleted().value == 1)
    #expect(![Future<Int, TestError>]().firstCompleted().isCompleted)
  }

  @Test("find returns the first matching value when all futures have succeeded, or an error when none matches")
  func find() {
    let late = Promise<Int, TestError>()
    let found = [Future(value: 1), late.future, Future(value: 8)].find(now) { $0 % 2 == 0 }
    #expect(!found.isCompleted)
    late.success(4)
    #expect(found.value == 4)
    let failing = [Future(value: 2), Future(error: TestError.first)].find(now) { $0 % 2 == 0 }
    #expect(failing.error == .external(.first))
    #expect([Future<Int, TestError>(value: 1)].find(now) { $0 > 1 }.error == .noSuchElement)
    #expect(
      [Future<Int, TestError>(error: .first), Future(value: 2)].find(now) { _ in true }.error == .external(.first))
    #expect([Future<Int, TestError>]().find(now) { _ in true }.error == .noSuchElement)
  }

  @Test("find in a hundred thousand futures does not overflow the stack")
  func findDeep() {
    let futures = (0..<100_000).map { Future<Int, TestError>(value: $0) }
    #expect(futures.find(now) { $0 == 99_999 }.value == 99_999)
  }

  @Test("a Result has an optional value and an optional error")
  func results() {
    let success = Result<Int, TestError>.success(1)
    let failure = Result<Int, TestError>.failure(.first)
    #expect(success.value == 1 && success.error == nil)
    #expect(failure.value == nil && failure.error == .first)
  }

  @Test("FuturesError compares cases, and describes the next step")
  func errors() {
    #expect(FuturesError<TestError>.noSuchElement != .illegalState)
    #expect(FuturesError<TestError>.noSuchElement.description.contains("recover"))
  }
}
