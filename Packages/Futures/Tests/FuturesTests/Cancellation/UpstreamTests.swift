import Dispatch
import Futures
import ParallelTesting
import Testing

/// Ways to make a future from another one.
private struct Derivation: Sendable, CustomTestStringConvertible {
  typealias Source = Future<Int, StoppableError>
  let testDescription: String
  let derive: @Sendable (Source) -> Future<Int, StoppableError>

  static let all: [Derivation] = [
    .init(testDescription: "map") { $0.map(immediateExecutionContext) { failing($0) } },
    .init(testDescription: "map in a context") { $0.map(synchronousContext) { failing($0) } },
    .init(testDescription: "flatMap") { $0.flatMap(immediateExecutionContext) { Future(value: failing($0)) } },
    .init(testDescription: "flatMap to a result") { $0.flatMap(immediateExecutionContext) { .success(failing($0)) } },
    .init(testDescription: "mapError") { $0.mapError(immediateExecutionContext) { failing($0) } },
    .init(testDescription: "recoverWith") {
      $0.recoverWith(context: immediateExecutionContext) { Future(error: failing($0)) }
    },
    .init(testDescription: "andThen") { $0.andThen(context: immediateExecutionContext) { _ = failing($0) } },
    .init(testDescription: "filter") {
      $0.filter(immediateExecutionContext) { failing($0) == 0 }.mapError(immediateExecutionContext) {
        failing($0, .failed)
      }
    },
    .init(testDescription: "asVoid") { $0.asVoid().map(immediateExecutionContext) { 0 } },
    .init(testDescription: "flatten") { Future(value: $0).flatten() },
    .init(testDescription: "Future(other:)") { Future(other: $0) },
    .init(testDescription: "completeWith") {
      let promise = Promise<Int, StoppableError>()
      promise.complete(with: $0)
      return promise.future
    },
    .init(testDescription: "delay on a clock") { $0.delay(for: .seconds(1), on: ManualClock()) },
    .init(testDescription: "delay") { $0.delay(.seconds(1)) },
    .init(testDescription: "zip") { $0.zip(Future(value: 1)).map(immediateExecutionContext) { $0.0 } },
    .init(testDescription: "zip of many") { zip(Future(value: 1), $0).map(immediateExecutionContext) { $0.1 } },
    .init(testDescription: "sequence") { [Future(value: 1), $0].sequence().map(immediateExecutionContext) { $0[1] } },
    .init(testDescription: "fold") { [$0].fold(immediateExecutionContext, zero: 0) { failing($0 + $1) } },
    .init(testDescription: "firstCompleted") { [$0].firstCompleted() },
    .init(testDescription: "flatMap on a completed one") { source in
      Future<Int, StoppableError>(value: 1).flatMap(immediateExecutionContext) { _ in source }
    },
    .init(testDescription: "recoverWith on a completed one") { source in
      Future<Int, TestError>(error: .first).recoverWith(context: immediateExecutionContext) { _ in source }
    },
  ]

  private static func failing<Value>(_ value: Value) -> Value {
    Issue.record("a transform was called after the cancellation")
    return value
  }

  private static func failing<Value, Other>(_ value: Value, _ other: Other) -> Other {
    Issue.record("a transform was called after the cancellation, with \(value)")
    return other
  }
}

@Suite("Cancellation travels upstream")
struct UpstreamTests {
  typealias Stoppable = Work<Int, StoppableError>
  let now = immediateExecutionContext

  @Test("through", arguments: Derivation.all)
  fileprivate func through(derivation: Derivation) {
    let work = Stoppable()
    let end = derivation.derive(work.future)
    end.cancel()
    #expect(end.error == .stopped)
    #expect(work.future.error == .stopped)
    #expect(work.stopCount == 1)
  }

  @Test("but not to what somebody else waits for", arguments: Derivation.all)
  fileprivate func shared(derivation: Derivation) {
    let work = Stoppable()
    let other = work.future.map(now) { $0 + 1 }
    let end = derivation.derive(work.future)
    end.cancel()
    #expect(end.error == .stopped)
    #expect(work.stopCount == 0)
    work.promise.success(1)
    #expect(other.value == 2)
    #expect(end.error == .stopped)
  }

  @Test("once the last of those who waited has gone", arguments: Derivation.all)
  fileprivate func last(derivation: Derivation) {
    let work = Stoppable()
    let ends = (0..<3).map { _ in derivation.derive(work.future) }
    for (index, end) in ends.enumerated() {
      #expect(work.stopCount == 0)
      end.cancel()
      #expect(ends.map(\.isCompleted) == (0..<3).map { $0 <= index })
    }
    #expect(work.stopCount == 1)
  }

  @Test("and nothing is called that was cancelled just before its turn", arguments: Derivation.all)
  fileprivate func beforeItsTurn(derivation: Derivation) {
    for result in [Result<Int, StoppableError>.success(1), .failure(.failed)] {
      let work = Stoppable()
      let end = Box<Future<Int, StoppableError>?>(nil)
      work.future.onComplete(now) { _ in end.value?.cancel() }
      end.value = derivation.derive(work.future)
      work.promise.complete(result)
      #expect(end.value?.error == .stopped)
      #expect(work.stopCount == 0)
    }
  }

  @Test("to the future that a transform has returned, and no further than it must")
  func inner() {
    let (outer, inner) = (Stoppable(), Stoppable())
    let end = outer.future.flatMap(now) { _ in inner.future }
    outer.promise.success(1)
    end.cancel()
    #expect((outer.stopCount, inner.stopCount) == (0, 1))
    #expect(inner.future.error == .stopped)
  }

  @Test("to what a transform is returning meanwhile")
  func meanwhile() {
    let inner = Stoppable()
    let shelf = Shelf()
    let outer = Promise<Int, StoppableError>()
    let end = Box<Future<Int, StoppableError>?>(nil)
    end.value = outer.future.flatMap(shelf.context) { _ in
      end.value?.cancel()
      return inner.future
    }
    outer.success(1)
    shelf.runAll()
    #expect(end.value?.error == .stopped)
    #expect(inner.stopCount == 1)
  }

  @Test("to what a transform is returning meanwhile, also where the error cannot say so and another follows")
  func meanwhileInTheMiddle() {
    let (first, second, inner) = (Promise<Int, Never>(), Promise<Int, Never>(), Work<Int, Never>())
    let middle = Box<Future<Int, Never>?>(nil)
    middle.value = second.future.flatMap(now) { _ in
      middle.value?.cancel()
      return inner.future
    }
    let outer = first.future.flatMap(now) { _ in middle.value ?? Future() }
    first.success(1)
    second.success(1)
    #expect(inner.stopCount == 1)
    inner.promise.success(2)
    #expect(outer.value == 2)
  }

  @Test("and a transform that waits for its context is not called any more")
  func waitingForContext() {
    let shelf = Shelf()
    let promise = Promise<Int, StoppableError>()
    let end = promise.future.map(shelf.context) { value -> Int in
      Issue.record("called")
      return value
    }
    promise.success(1)
    end.cancel()
    shelf.runAll()
    #expect(end.error == .stopped)
  }

  @Test("past a future that cannot say so, which completes as its source then does")
  func unrepresentable() {
    let work = Stoppable()
    let end = work.future.recover(context: now) { $0 == .stopped ? -1 : -2 }
    end.cancel()
    #expect(work.stopCount == 1)
    #expect(end.value == -1)
  }

  @Test("through an async of futures to the one that it is at")
  func flattenedAsync() {
    let inner = Work<Int, Never>()
    let outer = Async<Future<Int, Never>> { $0(inner.future) }
    outer.flatten().cancel()
    #expect(inner.stopCount == 1)
  }

  @Test("to all that several wait for, as far as they are under way")
  func many() {
    func check(
      _ name: String, _ combine: ([Future<Int, StoppableError>]) -> _UntypedFuture,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let works = (0..<4).map { _ in Stoppable() }
      works[0].promise.success(0)
      let listened = works[2].future.map(now) { $0 }
      combine(works.map(\.future)).cancel()
      #expect(works.map(\.stopCount) == [0, 1, 0, 1], "\(name)", sourceLocation: sourceLocation)
      listened.cancel()
      #expect(works[2].stopCount == 1, "\(name)", sourceLocation: sourceLocation)
    }
    check("sequence") { _UntypedFuture($0.sequence()) }
    check("zip") { _UntypedFuture(zip($0[0], $0[1], $0[2], $0[3])) }
    check("fold") { _UntypedFuture($0.fold(immediateExecutionContext, zero: 0) { $0 + $1 }) }
    check("find") { _UntypedFuture($0.find(immediateExecutionContext) { $0 == 9 }) }
    check("traverse") { futures in _UntypedFuture((0..<4).traverse(immediateExecutionContext) { futures[$0] }) }
    check("firstSuccess") { _UntypedFuture($0.dropFirst().firstSuccess()) }
    check("firstCompleted") { _UntypedFuture($0.dropFirst().firstCompleted()) }
  }

  @Test("to all of a sequence in the order of the list")
  func order() {
    let log = Log<Int>()
    let promises = (0..<4).map { _ in Promise<Int, StoppableError>() }
    for (index, promise) in promises.enumerated() { promise.onCancel { log.append(index) } }
    withExtendedLifetime(promises) { promises.map(\.future).sequence().cancel() }
    #expect(log.all == [0, 1, 2, 3])
  }

  @Test("to what a failed sequence would have come to, when nobody else wants it")
  func afterFailure() {
    let works = (0..<3).map { _ in Stoppable() }
    let all = works.map(\.future).sequence()
    works[0].promise.failure(.failed)
    #expect(all.error == .failed)
    works[2].future.map(now) { $0 }.cancel()
    #expect(works.map(\.stopCount) == [0, 0, 1])
  }

  @Test("a failure of one in a sequence cancels none of the others")
  func failureOfOne() {
    let works = (0..<3).map { _ in Stoppable() }
    let all = works.map(\.future).sequence()
    works[0].promise.failure(.failed)
    #expect(all.error == .failed)
    #expect(works.map(\.stopCount) == [0, 0, 0])
  }
}

/// A future of whatever type, to cancel.
struct _UntypedFuture {
  let cancel: () -> Void

  init<Value>(_ async: Async<Value>) { cancel = { async.cancel() } }
}
