import Dispatch
import Futures
import ParallelTesting
import TestSupport
import Testing

private enum Combinator: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case map, flatMap, flatMapResult, mapError, recover, recoverWith, defaultValue, defaultFuture, andThen, filter, fold
  case find, traverse, boundedTraverse
  var testDescription: String { rawValue }

  /// The combinators that wait for a future before they hand their function to the context.
  static let waiting = allCases.filter { $0 != .traverse && $0 != .boundedTraverse }

  /// The combinators with a context that can fail with the cancellation value of their source.
  static let failing = allCases.filter { ![.recover, .defaultValue, .defaultFuture].contains($0) }

  func derive<E>(from source: Source<E>, in context: @escaping ExecutionContext, _ calls: Log<Int>) -> Derived {
    @Sendable func call(_ value: Int) -> Int {
      calls.append(value)
      return value
    }
    let (succeeded, failed) = (source.succeeding.future, source.failing.future)
    return switch self {
    case .map: Derived(succeeded.map(context) { call($0) })
    case .flatMap: Derived(succeeded.flatMap(context) { Future<Int, E>(value: call($0)) })
    case .flatMapResult: Derived(succeeded.flatMapResult(context) { Result<Int, E>.success(call($0)) })
    case .mapError:
      Derived(
        failed.mapError(context) { error -> E in
          _ = call(0)
          return error
        })
    case .recover: Derived(failed.recover(context) { _ in call(0) })
    case .recoverWith: Derived(failed.recoverWith(context) { _ in Future<Int, E>(value: call(0)) })
    case .defaultValue: Derived(failed ?? call(0))
    case .defaultFuture: Derived(failed ?? Future<Int, E>(value: call(0)))
    case .andThen: Derived(succeeded.andThen(context) { _ in _ = call(0) })
    case .filter: Derived(succeeded.filter(context) { call($0) == 1 })
    case .fold: Derived([succeeded].fold(context, zero: 0) { $0 + call($1) })
    case .find: Derived([succeeded].find(context) { call($0) == 1 })
    case .traverse: Derived((0..<3).traverse(context) { Future<Int, E>(value: call($0)) })
    case .boundedTraverse: Derived((0..<3).traverse(context, maxConcurrent: 2) { Future<Int, E>(value: call($0)) })
    }
  }

  /// Applies the combinator on the main actor, without a context; returns `nil` if that is impossible.
  @MainActor
  func deriveOnMainActor(from source: Source<StoppableError>, _ calls: Log<Int>) -> Derived? {
    typealias Number = Future<Int, StoppableError>
    let (succeeded, failed) = (source.succeeding.future, source.failing.future)
    @MainActor func call(_ value: Int) -> Int {
      calls.append(value)
      return value
    }
    return switch self {
    case .map: Derived(succeeded.map { call($0) })
    case .flatMap: Derived(succeeded.flatMap { Number(value: call($0)) })
    case .flatMapResult: Derived(succeeded.flatMapResult { Result<Int, StoppableError>.success(call($0)) })
    case .recoverWith: Derived(failed.recoverWith { _ in Number(value: call(0)) })
    case .andThen: Derived(succeeded.andThen { _ in _ = call(0) })
    case .filter: Derived(succeeded.filter { call($0) == 1 })
    default: nil
    }
  }
}

/// A future that succeeds, and one that fails.
private struct Source<E: Error>: Sendable {
  let succeeding = Promise<Int, E>()
  let failing = Promise<Int, E>()
  let error: E

  func complete() {
    succeeding.success(1)
    failing.failure(error)
  }

  func completed() -> Source {
    complete()
    return self
  }
}

private struct Derived: Sendable {
  let cancel: @Sendable () -> Void
  let leave: @Sendable () -> Void
  let isCompleted: @Sendable () -> Bool

  init<T, E>(_ future: Future<T, E>) {
    cancel = { future.cancel() }
    leave = { future.map(immediateExecutionContext) { _ in 0 }.cancel() }
    isCompleted = { future.isCompleted }
  }
}

@Suite("Cancelling a combinator before its context runs")
struct CancelBeforeContextTests {
  private let calls = Log<Int>()
  private let manual = ManualContext()

  @Test(
    "a cancelled combinator does not call its function when a deferring context runs", arguments: Combinator.failing)
  fileprivate func deferringContext(combinator: Combinator) {
    let derived = combinator.derive(
      from: Source(error: StoppableError.failed).completed(), in: manual.context, calls)
    derived.cancel()
    manual.runAll()
    #expect(calls.all == [])
  }

  @Test(
    "a cancelled combinator does not call its function when its suspended queue resumes",
    arguments: Combinator.failing)
  fileprivate func queue(combinator: Combinator) async {
    let queue = TestQueue("busy")
    queue.queue.suspend()
    let derived = combinator.derive(from: Source(error: StoppableError.failed).completed(), in: queue.context, calls)
    derived.cancel()
    queue.queue.resume()
    await withCheckedContinuation { done in queue.queue.async { done.resume() } }
    #expect(calls.all == [])
  }

  @Test(
    "a cancelled combinator does not call its function when its busy actor becomes free",
    arguments: Combinator.failing)
  @MainActor
  fileprivate func actor(combinator: Combinator) async {
    let source = Source(error: StoppableError.failed).completed()
    let context: ExecutionContext = { work in Task { @MainActor in work() } }
    combinator.derive(from: source, in: context, calls).cancel()
    // A closure that was created on the actor.
    combinator.deriveOnMainActor(from: source, calls)?.cancel()
    for _ in 0..<10 { await Task.yield() }
    #expect(calls.all == [])
  }
}

@Suite("Cancelling a combinator before its source is completed")
struct CancelBeforeSourceTests {
  private let calls = Log<Int>()
  private let manual = ManualContext()

  private static let contexts = ["immediate", "synchronous", "deferring"]

  private func context(_ name: String) -> ExecutionContext {
    switch name {
    case "immediate": immediateExecutionContext
    case "synchronous": synchronousContext
    default: manual.context
    }
  }

  @Test(
    "a cancelled combinator does not call its function", arguments: Combinator.waiting, contexts)
  fileprivate func cancelled(combinator: Combinator, context name: String) {
    let source = Source(error: StoppableError.failed)
    combinator.derive(from: source, in: context(name), calls).cancel()
    source.complete()
    manual.runAll()
    #expect(calls.all == [])
  }

  /// Completes the source, and checks that the function is called only when the result is read.
  private func expectCallWhenRead<E>(_ derived: Derived, _ source: Source<E>) {
    source.complete()
    manual.runAll()
    #expect(calls.all == [])
    _ = derived.isCompleted()
    manual.runAll()
    #expect(calls.all != [])
    #expect(derived.isCompleted())
  }

  @Test("a cancelled map whose error cannot be a cancellation calls its function for a callback")
  func callback() {
    let (promise, results) = (Promise<Int, TestError>(), Log<Int>())
    let mapped = promise.future.map(immediateExecutionContext) { $0 + 1 }
    mapped.onSuccess(immediateExecutionContext) { results.append($0) }
    mapped.cancel()
    promise.success(1)
    #expect(results.all == [2])
  }
}
