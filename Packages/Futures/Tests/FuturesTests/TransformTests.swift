import TestSupport
import Futures
import Testing

enum Readiness: CaseIterable, Sendable {
  case completed
  case pending

  func future<T, E: Error>(_ result: Result<T, E>) -> (future: Future<T, E>, complete: @Sendable () -> Void) {
    switch self {
    case .completed: return (Future(result: result), {})
    case .pending:
      let promise = Promise<T, E>()
      return (promise.future, { promise.complete(result) })
    }
  }
}

@Suite("Transforming a future")
struct TransformTests {
  @Test("map transforms the value once", arguments: Readiness.allCases)
  func map(readiness: Readiness) {
    for context in [immediateExecutionContext, synchronousContext] {
      let (future, complete) = readiness.future(Result<Int, TestError>.success(20))
      let runs = Log<Int>()
      let mapped = future.map(context) { value in
        runs.append(value)
        return "\(value + 1)"
      }
      complete()
      #expect(mapped.result == .success("21"))
      #expect(runs.all == [20])
    }
  }

  @Test("flatMap has the result of the future that the transform returns", arguments: Readiness.allCases)
  func flatMap(readiness: Readiness) {
    for context in [immediateExecutionContext, synchronousContext] {
      for inner in Readiness.allCases {
        let (future, complete) = readiness.future(Result<Int, TestError>.success(20))
        let (next, completeNext) = inner.future(Result<String, TestError>.success("next"))
        let (bad, completeBad) = inner.future(Result<String, TestError>.failure(.second))
        let (flatMapped, failed) = (future.flatMap(context) { _ in next }, future.flatMap(context) { _ in bad })
        complete()
        #expect(flatMapped.isCompleted == (inner == .completed))
        completeNext()
        completeBad()
        #expect(flatMapped.result == .success("next"))
        #expect(failed.result == .failure(.second))
      }
    }
  }

  @Test("flatMap has the result that the transform returns", arguments: Readiness.allCases)
  func flatMapToResult(readiness: Readiness) {
    for context in [immediateExecutionContext, synchronousContext] {
      let (future, complete) = readiness.future(Result<Int, TestError>.success(20))
      let good = future.flatMapResult(context) { Result<String, TestError>.success("\($0)") }
      let bad = future.flatMapResult(context) { Result<String, TestError>.failure(.numbered($0)) }
      complete()
      #expect(good.result == .success("20"))
      #expect(bad.result == .failure(.numbered(20)))
    }
  }

  @Test("a failure passes through without running the transform", arguments: Readiness.allCases)
  func failure(readiness: Readiness) {
    for context in [immediateExecutionContext, synchronousContext] {
      let (future, complete) = readiness.future(Result<Int, TestError>.failure(.first))
      let runs = Log<Int>()
      let mapped = future.map(context) { runs.append($0) }
      let flatMapped = future.flatMap(context) { value in
        runs.append(value)
        return Future<Int, TestError>(value: value)
      }
      let resulting = future.flatMapResult(context) { value in
        runs.append(value)
        return Result<Int, TestError>.success(value)
      }
      complete()
      #expect(mapped.error == .first)
      #expect(flatMapped.error == .first)
      #expect(resulting.error == .first)
      #expect(runs.all.isEmpty)
    }
  }

  @Test("an immediate transform of a completed future runs before the call returns")
  func immediate() {
    let future = Future<Int, TestError>(value: 1)
    #expect(future.map(immediateExecutionContext) { $0 + 1 }.value == 2)
    #expect(future.flatMapResult(immediateExecutionContext) { Result<Int, TestError>.success($0 + 1) }.value == 2)
  }

  @Test("a flatMap transform can return the future that it transforms")
  func returningItself() {
    let promise = Promise<Int, TestError>()
    let future = promise.future
    let flatMapped = future.flatMap(synchronousContext) { _ in future }
    promise.success(1)
    #expect(flatMapped.value == 1)
  }

  @Test("map takes a key path")
  func keyPath() {
    #expect(Future<String, Never>(value: "puffin").map(immediateExecutionContext, f: \.count).value == 6)
  }
}

/// A minimal asynchronous type of a library's user, which is always completed.
struct Ready<Value: Sendable>: AsyncType {
  let value: Box<Value?> = Box(nil)

  init(_ scope: (@escaping @Sendable (Value) -> Void) -> Void) {
    scope { [value] in value.value = $0 }
  }

  var result: Value? { value.value }

  @discardableResult
  func onComplete(_ context: @escaping ExecutionContext, callback: @escaping @Sendable (Value) -> Void) -> Self {
    context { [value] in
      if let value = value.value { callback(value) }
    }
    return self
  }
}

@Suite("Extensions of AsyncType")
struct AnyAsyncTypeTests {
  static func expectAllOperators<A: AsyncType>(
    _ make: (Result<Int, TestError>) -> A
  ) where A.Value == Result<Int, TestError> {
    let log = Log<String>()
    let (good, bad) = (make(.success(1)), make(.failure(.first)))
    good.onSuccess(immediateExecutionContext) { log.append("value \($0)") }
      .onFailure(immediateExecutionContext) { _ in log.append("wrong") }
    bad.onSuccess(immediateExecutionContext) { _ in log.append("wrong") }
      .onFailure(immediateExecutionContext) { log.append("error \($0)") }
    #expect(log.all == ["value 1", "error first"])
  }

  @Test("a custom asynchronous type has the callbacks of futures")
  func own() {
    Self.expectAllOperators { result in Ready { $0(result) } }
  }

  @Test("an async of results has the callbacks of futures")
  func async() {
    Self.expectAllOperators { Async(result: $0) }
    Self.expectAllOperators { result in Async { $0(result) } }
  }

  @Test("a future has the callbacks of asynchronous types")
  func future() {
    Self.expectAllOperators { Future(result: $0) }
  }

  @Test("a custom asynchronous type has callbacks without a context")
  func defaultContexts() async {
    let ready = Ready<Result<Int, TestError>> { $0(.success(1)) }
    await withCheckedContinuation { continuation in ready.onSuccess { _ in continuation.resume() } }
    let failed = Ready<Result<Int, TestError>> { $0(.failure(.first)) }
    await withCheckedContinuation { continuation in failed.onFailure { _ in continuation.resume() } }
  }
}
