import TestSupport
import Dispatch
import Foundation
import Futures
import Testing

private let now = immediateExecutionContext

private enum Trouble: Error, Equatable { case first, second }

@Suite("Operators on many futures, contexts and results")
struct ManyFuturesTests {
  @Test("traverse makes a future of each element and returns the values in order")
  func traverse() {
    #expect((1...3).traverse(now) { Future<Int, Trouble>(value: $0 * 2) }.value == [2, 4, 6])
    #expect([Int]().traverse(now) { Future<Int, Trouble>(value: $0) }.value == [])
    let failing = (1...3).traverse(now) { Future<Int, Trouble>(error: $0 == 1 ? .first : .second) }
    #expect(failing.error == .first)
  }

  @Test("traverse calls its function on a global queue by default")
  func traverseContext() async {
    let values: Future<[Bool], Never> = [1].traverse { _ in Future(value: Thread.isMainThread) }
    #expect(await values.get() == [false])
  }

  @Test("fold combines the values in order, or fails with the first error")
  func fold() {
    let futures = ["a", "b", "c"].map { Future<String, Trouble>(value: $0) }
    #expect(futures.fold(now, zero: "", f: +).value == "abc")
    #expect([Future<Int, Trouble>]().fold(now, zero: 7, f: +).value == 7)
    #expect((futures + [Future(error: .first), Future(error: .second)]).fold(now, zero: "", f: +).error == .first)
  }

  @Test("fold without a context calls its function in the default context")
  func foldDefault() async throws {
    #expect(try await [1, 2].map { Future<Int, Trouble>(value: $0) }.fold(0, f: +).get() == 3)
  }

  @Test("firstCompleted has the result of the first completed future, a value or an error")
  func firstCompleted() {
    let promises = (0..<3).map { _ in Promise<Int, Trouble>() }
    let first = promises.map(\.future).firstCompleted()
    promises[1].failure(.second)
    promises[0].success(0)
    #expect(first.error == .second)
    #expect([Future<Int, Trouble>(value: 1), Promise().future].firstCompleted().value == 1)
    #expect(![Future<Int, Trouble>]().firstCompleted().isCompleted)
  }

  @Test("find returns the first matching value when all futures have succeeded, or an error when none matches")
  func find() {
    let late = Promise<Int, Trouble>()
    let found = [Future(value: 1), late.future, Future(value: 8)].find(now) { $0 % 2 == 0 }
    #expect(!found.isCompleted)
    late.success(4)
    #expect(found.value == 4)
    let failing = [Future(value: 2), Future(error: Trouble.first)].find(now) { $0 % 2 == 0 }
    #expect(failing.error == .external(.first))
    #expect([Future<Int, Trouble>(value: 1)].find(now) { $0 > 1 }.error == .noSuchElement)
    #expect([Future<Int, Trouble>(error: .first), Future(value: 2)].find(now) { _ in true }.error == .external(.first))
    #expect([Future<Int, Trouble>]().find(now) { _ in true }.error == .noSuchElement)
  }

  @Test("find in a hundred thousand futures does not overflow the stack")
  func findDeep() {
    let futures = (0..<100_000).map { Future<Int, Trouble>(value: $0) }
    #expect(futures.find(now) { $0 == 99_999 }.value == 99_999)
  }

  @Test("a Result has an optional value and an optional error")
  func results() {
    let success = Result<Int, Trouble>.success(1)
    let failure = Result<Int, Trouble>.failure(.first)
    #expect(success.value == 1 && success.error == nil)
    #expect(failure.value == nil && failure.error == .first)
  }

  @Test("FuturesError wraps external errors, compares cases, and describes the next step")
  func errors() {
    #expect(FuturesError<Trouble>(external: .first) == .external(.first))
    #expect(FuturesError<Trouble>.noSuchElement != .illegalState)
    #expect(FuturesError<Trouble>.noSuchElement.description.contains("recover"))
  }
}
