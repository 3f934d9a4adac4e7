import Dispatch
import Futures
import TestSupport
import Testing

/// When and where a future of a law is completed.
private enum Timing: CaseIterable, Sendable { case completed, pending, onAnotherThread }

private struct Source: Sendable {
  let timing: Timing
  let result: Result<Int, TestError>

  func future(_ finish: Finish) -> Future<Int, TestError> {
    switch timing {
    case .completed: return Future(result: result)
    case .pending:
      let promise = Promise<Int, TestError>()
      finish.append { promise.complete(result) }
      return promise.future
    case .onAnotherThread:
      let promise = Promise<Int, TestError>()
      startThread { promise.complete(result) }
      return promise.future
    }
  }
}

/// Closures that complete the pending futures of one case after they are composed.
private typealias Finish = Log<@Sendable () -> Void>

/// A pure function from a number to a result, which fails for some numbers.
private struct Step: Sendable {
  let factor: Int
  let failing: Int
  let timing: Timing

  func callAsFunction(_ number: Int, _ finish: Finish) -> Future<Int, TestError> {
    let result: Result<Int, TestError> =
      number % 7 == failing ? .failure(.numbered(number)) : .success(number &* factor)
    // A transform runs after the test has called the closures in `finish`, so its future cannot be pending.
    return Source(timing: timing == .pending ? .completed : timing, result: result).future(finish)
  }
}

@Suite("Algebraic laws of futures")
struct LawTests {
  private static let timings = Generator.element(of: Timing.allCases)
  private static let results = Generator.oneOf([
    Generator.int.map { Result<Int, TestError>.success($0) },
    Generator.int(in: 0...9).map { Result<Int, TestError>.failure(.numbered($0)) },
  ])
  private static let sources = Generator.zip(timings, results).map { Source(timing: $0, result: $1) }
  private static let steps = Generator.zip(.int, .int(in: 0...9), timings).map {
    Step(factor: $0, failing: $1, timing: $2)
  }
  private static let contexts = Generator.bool

  private static func context(_ isQueued: Bool) -> ExecutionContext {
    isQueued ? DispatchQueue.global().context : now
  }

  private static func same(
    _ make: (Finish) -> (left: Future<Int, TestError>, right: Future<Int, TestError>)
  ) async -> Bool {
    let finish = Finish()
    let (left, right) = make(finish)
    for complete in finish.all { complete() }
    return await (left.get() as Result) == (right.get() as Result)
  }

  @Test("monad law: a completed future is a left identity of flatMap")
  func leftIdentity() async throws {
    try await checkProperty("Future(value: a).flatMap(f) is f(a)", .int, Self.steps, Self.contexts) {
      number, step, isQueued in
      await Self.same { finish in
        (
          Future(value: number).flatMap(Self.context(isQueued)) { step($0, finish) }, step(number, finish)
        )
      }
    }
  }

  @Test("monad law: a completed future is a right identity of flatMap")
  func rightIdentity() async throws {
    try await checkProperty("flatMap(Future(value:)) is the future", Self.sources, Self.contexts) { source, isQueued in
      await Self.same { finish in
        let future = source.future(finish)
        return (future.flatMap(Self.context(isQueued)) { Future(value: $0) }, future)
      }
    }
  }

  @Test("monad law: flatMap is associative")
  func associativity() async throws {
    try await checkProperty(
      "flatMap(f).flatMap(g) is flatMap { f($0).flatMap(g) }", Self.sources, Self.steps, Self.steps, Self.contexts
    ) { source, first, second, isQueued in
      await Self.same { finish in
        let (future, context) = (source.future(finish), Self.context(isQueued))
        return (
          future.flatMap(context) { first($0, finish) }.flatMap(context) { second($0, finish) },
          future.flatMap(context) { first($0, finish).flatMap(context) { second($0, finish) } }
        )
      }
    }
  }

  @Test("map equals flatMap to a completed future")
  func mapIsFlatMap() async throws {
    try await checkProperty("map(f) is flatMap { Future(value: f($0)) }", Self.sources, Self.contexts) {
      source, isQueued in
      await Self.same { finish in
        let (future, context) = (source.future(finish), Self.context(isQueued))
        return (future.map(context) { $0 &+ 1 }, future.flatMap(context) { Future(value: $0 &+ 1) })
      }
    }
  }

  @Test("zip has the result of flatMap and map")
  func zipByFlatMap() async throws {
    try await checkProperty("a.zip(b) is a.flatMap { x in b.map { (x, $0) } }", Self.sources, Self.sources) {
      first, second in
      await Self.same { finish in
        let (a, b) = (first.future(finish), second.future(finish))
        return (a.zip(b).map(now) { $0.0 &- $0.1 }, a.flatMap(now) { x in b.map(now) { x &- $0 } })
      }
    }
  }

  @Test("recoverWith is a flatMap of the error")
  func recoverLaws() async throws {
    try await checkProperty("recoverWith does not change a value", .int, Self.steps, Self.contexts) {
      value, step, isQueued in
      await Self.same { finish in
        let future = Future<Int, TestError>(value: value)
        return (future.recoverWith(Self.context(isQueued)) { _ in step(value, finish) }, future)
      }
    }
    try await checkProperty("recovering an error with f is f of the error", .int(in: 0...9), Self.steps) {
      number, step in
      await Self.same { finish in
        let failed = Future<Int, TestError>(error: .numbered(number))
        return (
          failed.recoverWith(now) { _ in step(number, finish) }, step(number, finish)
        )
      }
    }
  }
}
