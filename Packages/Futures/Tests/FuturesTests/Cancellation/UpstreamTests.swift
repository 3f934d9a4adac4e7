import Dispatch
import Futures
import ParallelTesting
import TestSupport
import Testing

private struct Derivation: Sendable, CustomTestStringConvertible {
  typealias Source = Future<Int, StoppableError>
  let testDescription: String
  let derive: @Sendable (Source) -> Future<Int, StoppableError>

  static let all: [Derivation] = [
    .init(testDescription: "map") { $0.map(immediateExecutionContext) { failing($0) } },
    .init(testDescription: "map in a context") { $0.map(synchronousContext) { failing($0) } },
    .init(testDescription: "flatMap") { $0.flatMap(immediateExecutionContext) { Future(value: failing($0)) } },
    .init(testDescription: "flatMap to a result") { $0.flatMapResult(immediateExecutionContext) { .success(failing($0)) } },
    .init(testDescription: "mapError") { $0.mapError(immediateExecutionContext) { failing($0) } },
    .init(testDescription: "recoverWith") {
      $0.recoverWith(immediateExecutionContext) { Future(error: failing($0)) }
    },
    .init(testDescription: "andThen") { $0.andThen(immediateExecutionContext) { _ = failing($0) } },
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
    .init(testDescription: "zip") { $0.zip(Future(value: 1)).map(immediateExecutionContext) { $0.0 } },
    .init(testDescription: "zip of many") { zip(Future(value: 1), $0).map(immediateExecutionContext) { $0.1 } },
    .init(testDescription: "sequence") { [Future(value: 1), $0].sequence().map(immediateExecutionContext) { $0[1] } },
    .init(testDescription: "fold") { [$0].fold(immediateExecutionContext, zero: 0) { failing($0 + $1) } },
    .init(testDescription: "firstCompleted") { [$0].firstCompleted() },
    .init(testDescription: "flatMap on a completed future") { source in
      Future<Int, StoppableError>(value: 1).flatMap(immediateExecutionContext) { _ in source }
    },
    .init(testDescription: "recoverWith on a completed future") { source in
      Future<Int, TestError>(error: .first).recoverWith(immediateExecutionContext) { _ in source }
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

@Suite("Cancelling a derived future cancels its source")
struct UpstreamTests {
  typealias Stoppable = Work<Int, StoppableError>
  let now = immediateExecutionContext

  @Test("cancelling a derived future stops the work of its source", arguments: Derivation.all)
  fileprivate func stopsSource(derivation: Derivation) {
    let work = Stoppable()
    let end = derivation.derive(work.future)
    end.cancel()
    #expect(end.error == .stopped)
    #expect(work.future.error == .stopped)
    #expect(work.stopCount == 1)
  }

  @Test("cancelling a derived future does not stop work that has another listener", arguments: Derivation.all)
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

  @Test("work stops when the last of several derived futures is cancelled", arguments: Derivation.all)
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

  @Test(
    "an earlier callback of the source can cancel a derived future, which then calls nothing",
    arguments: Derivation.all)
  fileprivate func cancelledByEarlierCallback(derivation: Derivation) {
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

  @Test("cancelling a flatMap cancels only the pending future that its transform returned")
  func inner() {
    let (outer, inner) = (Stoppable(), Stoppable())
    let end = outer.future.flatMap(now) { _ in inner.future }
    outer.promise.success(1)
    end.cancel()
    #expect((outer.stopCount, inner.stopCount) == (0, 1))
    #expect(inner.future.error == .stopped)
  }

  @Test("cancelling a flatMap inside its transform cancels the future that the transform returns")
  func cancelledInTransform() {
    let inner = Stoppable()
    let manual = ManualContext()
    let outer = Promise<Int, StoppableError>()
    let end = Box<Future<Int, StoppableError>?>(nil)
    end.value = outer.future.flatMap(manual.context) { _ in
      end.value?.cancel()
      return inner.future
    }
    outer.success(1)
    manual.runAll()
    #expect(end.value?.error == .stopped)
    #expect(inner.stopCount == 1)
  }

  @Test(
    "cancelling a flatMap that cannot fail inside its transform stops the returned future's work, whose result remains")
  func cancelledInTransformUnrepresentable() {
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

  @Test("a transform that waits for its context is not called after its future was cancelled")
  func waitingForContext() {
    let manual = ManualContext()
    let promise = Promise<Int, StoppableError>()
    let end = promise.future.map(manual.context) { value -> Int in
      Issue.record("called")
      return value
    }
    promise.success(1)
    end.cancel()
    manual.runAll()
    #expect(end.error == .stopped)
  }

  @Test("cancelling a future that cannot fail cancels its source, whose result it then gets")
  func withoutCancellationValue() {
    let work = Stoppable()
    let end = work.future.recover(now) { $0 == .stopped ? -1 : -2 }
    end.onComplete(now) { _ in }.cancel()
    #expect(work.stopCount == 1)
    #expect(end.value == -1)
  }

  @Test("cancelling a flattened async cancels its inner future")
  func flattenedAsync() {
    let inner = Work<Int, Never>()
    let outer = Async<Future<Int, Never>> { $0(inner.future) }
    outer.flatten().cancel()
    #expect(inner.stopCount == 1)
  }

  @Test("cancelling a future of several sources stops the work of the pending sources without other listeners")
  func many() {
    func check(
      _ name: String, _ combine: ([Future<Int, StoppableError>]) -> AnyCancellableFuture,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let works = (0..<4).map { _ in Stoppable() }
      works[0].promise.success(0)
      let otherListener = works[2].future.map(now) { $0 }
      combine(works.map(\.future)).cancel()
      #expect(works.map(\.stopCount) == [0, 1, 0, 1], "\(name)", sourceLocation: sourceLocation)
      otherListener.cancel()
      #expect(works[2].stopCount == 1, "\(name)", sourceLocation: sourceLocation)
    }
    check("sequence") { AnyCancellableFuture($0.sequence()) }
    check("zip") { AnyCancellableFuture(zip($0[0], $0[1], $0[2], $0[3])) }
    check("fold") { AnyCancellableFuture($0.fold(immediateExecutionContext, zero: 0) { $0 + $1 }) }
    check("find") { AnyCancellableFuture($0.find(immediateExecutionContext) { $0 == 9 }) }
    check("traverse") { futures in AnyCancellableFuture((0..<4).traverse(immediateExecutionContext) { futures[$0] }) }
    check("firstSuccess") { AnyCancellableFuture($0.dropFirst().firstSuccess()) }
    check("firstCompleted") { AnyCancellableFuture($0.dropFirst().firstCompleted()) }
  }

  @Test("cancelling a sequence cancels its futures in the order of the list")
  func order() {
    let log = Log<Int>()
    let promises = (0..<4).map { _ in Promise<Int, StoppableError>() }
    for (index, promise) in promises.enumerated() { promise.onCancel { log.append(index) } }
    withExtendedLifetime(promises) { promises.map(\.future).sequence().cancel() }
    #expect(log.all == [0, 1, 2, 3])
  }

  @Test("after a sequence has failed, cancelling the last other listener of a future stops its work")
  func afterFailure() {
    let works = (0..<3).map { _ in Stoppable() }
    let all = works.map(\.future).sequence()
    works[0].promise.failure(.failed)
    #expect(all.error == .failed)
    works[2].future.map(now) { $0 }.cancel()
    #expect(works.map(\.stopCount) == [0, 0, 1])
  }

  @Test("the failure of one future in a sequence does not cancel the others")
  func failureOfOne() {
    let works = (0..<3).map { _ in Stoppable() }
    let all = works.map(\.future).sequence()
    works[0].promise.failure(.failed)
    #expect(all.error == .failed)
    #expect(works.map(\.stopCount) == [0, 0, 0])
  }
}

struct AnyCancellableFuture {
  let cancel: () -> Void

  init<Value>(_ async: Async<Value>) { cancel = { async.cancel() } }
}
