import Dispatch
import Foundation
import Futures
import ParallelTesting
import TestSupport
import Testing

private let now = immediateExecutionContext

/// The operators that Futures has in common with BrightFutures.
@Suite("Operators on one future")
struct OneFutureTests {
  @Test("a future without a promise stays pending")
  func pending() {
    #expect(!Future<Int, TestError>().isCompleted)
  }

  @Test("a delay on a given clock waits for that clock")
  func delayOnClock() async throws {
    let clock = ManualClock()
    let late = Future<Int, Never>(value: 3).delay(for: .seconds(60), on: clock)
    try await clock.nextSleep()
    #expect(!late.isCompleted)
    clock.advance(by: .seconds(60))
    #expect(await late.get() == 3)
  }

  @Test("a delay on a clock that fails passes the result on")
  func delayOnFailingClock() async {
    #expect(await Future<Int, Never>(value: 3).delay(for: .seconds(60), on: FailingClock()).get() == 3)
  }

  @Test("a failure with a delay of zero keeps its error")
  func delay() async {
    let late = Future<Int, TestError>(error: .first).delay(for: .zero)
    await #expect(throws: TestError.first) { try await late.get() }
  }

  @Test("andThen calls its callback, then completes the new future with the same result")
  func andThen() {
    let order = Log<String>()
    let promise = Promise<Int, TestError>()
    promise.future.andThen(now) { order.append("callback \($0)") }
      .onComplete(now) { order.append("next \($0)") }
    promise.success(1)
    #expect(order.all == ["callback success(1)", "next success(1)"])
  }

  @Test("recover turns an error into a value and does not change a value")
  func recover() {
    #expect(Future<Int, TestError>(error: .first).recover(now) { _ in 7 }.value == 7)
    let promise = Promise<Int, TestError>()
    let recovered = promise.future.recover(now) { $0 == .second ? 2 : 1 }
    promise.failure(.second)
    #expect(recovered.value == 2)
  }

  @Test("recoverWith continues with another future, whose error type can differ")
  func recoverWith() {
    let other: Future<Int, FuturesError<TestError>> =
      Future<Int, TestError>(error: .first).recoverWith(now) { Future(error: .external($0)) }
    #expect(other.error == .external(.first))
    let pending = Promise<Int, TestError>()
    let rescue = Promise<Int, Never>()
    let rescued = pending.future.recoverWith(now) { _ in rescue.future }
    pending.failure(.first)
    #expect(!rescued.isCompleted)
    rescue.success(5)
    #expect(rescued.value == 5)
  }

  @Test("recover equals recoverWith to a completed future")
  func recoverIsRecoverWith() throws {
    try checkProperty("recover", Generator<Int>.int, Generator<Bool>.bool) { value, fails in
      let future = Future<Int, TestError>(result: fails ? .failure(.first) : .success(value))
      let recovered = future.recover(now) { _ in value &+ 1 }
      let with = future.recoverWith(now) { _ in Future<Int, Never>(value: value &+ 1) }
      return recovered.value == with.value
    }
  }

  @Test("mapError transforms an error and does not change a value")
  func mapError() {
    #expect(
      Future<Int, TestError>(error: .first).mapError(now) { FuturesError.external($0) }.error == .external(.first))
    #expect(Future<Int, TestError>(value: 1).mapError(now) { FuturesError.external($0) }.value == 1)
    let promise = Promise<Int, TestError>()
    let mapped = promise.future.mapError(now) { _ in TestError.second }
    promise.failure(.first)
    #expect(mapped.error == .second)
  }

  @Test("zip has both values, or the left error before the right one")
  func zipTwo() {
    let both = Future<Int, TestError>(value: 1).zip(Future<String, TestError>(value: "a"))
    #expect(both.value?.0 == 1 && both.value?.1 == "a")
    let left = Promise<Int, TestError>()
    let failing = left.future.zip(Future<Int, TestError>(error: .second))
    #expect(!failing.isCompleted)
    left.failure(.first)
    #expect(failing.error == .first)
  }

  @Test("zip combines any number of futures of different types")
  func zipMany() {
    let promise = Promise<Int, TestError>()
    let all: Future<(Int, String, Bool), TestError> = zip(promise.future, Future(value: "a"), Future(value: true))
    promise.success(1)
    #expect(all.value.map { "\($0)" } == #"(1, "a", true)"#)
    let failed: Future<(Int, String), TestError> = zip(Future(error: .first), Future(error: .second))
    #expect(failed.error == .first)
  }

  @Test("filter fails for a value that does not match, and wraps the error of the future")
  func filter() {
    let five = Future<Int, TestError>(value: 5)
    #expect(five.filter(now) { $0 > 3 }.value == 5)
    #expect(five.filter(now) { $0 > 7 }.error == .noSuchElement)
    #expect(Future<Int, TestError>(error: .first).filter(now) { _ in true }.error == .external(.first))
  }

  @Test("asVoid and promoteError change only the type")
  func types() {
    #expect(Future<Int, TestError>(value: 1).asVoid().isSuccess)
    let promoted: Future<Int, TestError> = Future<Int, Never>(value: 1).promoteError()
    #expect(promoted.value == 1)
  }

  @Test("map takes a key path")
  func keyPath() {
    #expect(Future<String, Never>(value: "Ada").map(now, f: \.count).value == 3)
  }

  @Test("the operator ?? replaces an error by a value or another future")
  func coalesce() {
    #expect((Future<Int, TestError>(error: .first) ?? 3).value == 3)
    #expect((Future<Int, TestError>(value: 1) ?? 3).value == 1)
    let other = Future<Int, TestError>(error: .first) ?? Future<Int, TestError>(error: .second)
    #expect(other.error == .second)
  }

  @Test("flatten removes one layer of asyncs, futures or results")
  func flatten() {
    #expect(Async(result: Async(result: 1)).flatten().result == 1)
    #expect(Future<Future<Int, TestError>, TestError>(value: Future(value: 2)).flatten().value == 2)
    #expect(Future<Result<Int, TestError>, TestError>(value: .failure(.first)).flatten().error == .first)
  }

  @Test("the description of an async contains its value")
  func description() {
    #expect(Async(result: 1).description == "Async<Int>(Optional(1))")
    #expect(Async(result: 1).debugDescription == "Async<Int>(Optional(1))")
  }
}
