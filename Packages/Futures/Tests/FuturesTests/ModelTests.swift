import Futures
import TestSupport
import Testing

/// An instruction of a random program; the numbers select existing promises and futures.
private enum Instruction: CustomStringConvertible, Sendable {
  case makePromise
  case complete(Int, Result<Int, TestError>)
  case map(Int, adding: Int, isCustom: Bool)
  case flatMap(Int, to: Int, isCustom: Bool)
  case flatMapToResult(Int, failing: Bool, isCustom: Bool)
  case sequence([Int])
  case register(Int, isCustom: Bool)
  case completeInCallback(of: Int, Int)

  var description: String {
    switch self {
    case .makePromise: "makePromise"
    case .complete(let promise, let result): "complete promise \(promise) with \(result)"
    case .map(let future, let addend, let isCustom): "map \(future) adding \(addend) \(isCustom)"
    case .flatMap(let future, let other, let isCustom): "flatMap \(future) to \(other) \(isCustom)"
    case .flatMapToResult(let future, let failing, let isCustom): "flatMap \(future) failing \(failing) \(isCustom)"
    case .sequence(let futures): "sequence \(futures)"
    case .register(let future, let isCustom): "register on \(future) \(isCustom)"
    case .completeInCallback(let future, let promise): "complete promise \(promise) in a callback of \(future)"
    }
  }
}

/// The specification of futures: each is a formula over promises and earlier futures.
private struct Model {
  enum Formula {
    case promise(Int)
    case map(Int, adding: Int)
    case flatMap(Int, to: Int)
    case flatMapToResult(Int, failing: Bool)
    case sequence([Int])
  }

  var promises: [Result<Int, TestError>?] = []
  var futures: [Formula] = []
  var triggers: [(future: Int, promise: Int)] = []

  mutating func makePromise() {
    futures.append(.promise(promises.count))
    promises.append(nil)
  }

  mutating func complete(_ promise: Int, _ result: Result<Int, TestError>) {
    if promises[promise] == nil { promises[promise] = result }
    completeTriggered()
  }

  mutating func completeTriggered() {
    // Every trigger completes with the same result, so their order does not matter.
    while true {
      let results = results
      guard let next = triggers.first(where: { promises[$0.promise] == nil && results[$0.future] != nil }) else {
        return
      }
      promises[next.promise] = .success(0)
    }
  }

  var results: [Result<Int, TestError>?] {
    var results: [Result<Int, TestError>?] = []
    for formula in futures { results.append(result(of: formula, results)) }
    return results
  }

  private func result(of formula: Formula, _ earlier: [Result<Int, TestError>?]) -> Result<Int, TestError>? {
    switch formula {
    case .promise(let index): return promises[index]
    case .map(let source, let addend): return earlier[source]?.map { $0 &+ addend }
    case .flatMap(let source, let other):
      if case .success? = earlier[source] { return earlier[other] }
      return earlier[source]
    case .flatMapToResult(let source, let failing):
      return earlier[source]?.flatMap { failing ? .failure(.numbered($0)) : .success($0) }
    case .sequence(let sources):
      var sum = 0
      for source in sources {
        guard case .success(let value)? = earlier[source] else { return earlier[source] }
        sum &+= value
      }
      return .success(sum)
    }
  }
}

/// Runs a program on futures and on the model, and compares after each instruction.
private final class Run {
  private var model = Model()
  private var promises: [Promise<Int, TestError>] = []
  private var futures: [Future<Int, TestError>] = []
  private var callbacks: [(future: Int, results: Log<Result<Int, TestError>>)] = []
  private var order: [Int: (registered: Int, called: Log<Int>)] = [:]

  func agrees(on program: [Instruction]) -> Bool {
    step(.makePromise)
    return program.allSatisfy { instruction in
      step(instruction)
      return agreesNow
    }
  }

  private func context(_ isCustom: Bool) -> ExecutionContext {
    isCustom ? synchronousContext : immediateExecutionContext
  }

  private func step(_ instruction: Instruction) {
    switch instruction {
    case .makePromise:
      promises.append(Promise())
      futures.append(promises[promises.count - 1].future)
      model.makePromise()
    case .complete(let choice, let result):
      let index = choice % promises.count
      promises[index].complete(result)
      model.complete(index, result)
    case .map(let choice, let addend, let isCustom):
      let index = choice % futures.count
      futures.append(futures[index].map(context(isCustom)) { $0 &+ addend })
      model.futures.append(.map(index, adding: addend))
    case .flatMap(let choice, let other, let isCustom):
      let (index, next) = (choice % futures.count, other % futures.count)
      futures.append(futures[index].flatMap(context(isCustom)) { [future = futures[next]] _ in future })
      model.futures.append(.flatMap(index, to: next))
    case .flatMapToResult(let choice, let failing, let isCustom):
      let index = choice % futures.count
      futures.append(
        futures[index].flatMapResult(context(isCustom)) { failing ? .failure(.numbered($0)) : .success($0) })
      model.futures.append(.flatMapToResult(index, failing: failing))
    case .sequence(let choices):
      let indices = choices.map { $0 % futures.count }
      let sequence: Future<[Int], TestError> = indices.map { futures[$0] }.sequence()
      futures.append(sequence.map(immediateExecutionContext) { $0.reduce(0, &+) })
      model.futures.append(.sequence(indices))
    case .register(let choice, let isCustom):
      let index = choice % futures.count
      let results = Log<Result<Int, TestError>>()
      let (number, called) = order[index] ?? (0, Log())
      order[index] = (number + 1, called)
      callbacks.append((index, results))
      futures[index].onComplete(context(isCustom)) { result in
        results.append(result)
        called.append(number)
      }
    case .completeInCallback(let choice, let target):
      let (index, promise) = (choice % futures.count, target % promises.count)
      futures[index].onComplete(immediateExecutionContext) { [promise = promises[promise]] _ in promise.success(0) }
      model.triggers.append((index, promise))
      model.completeTriggered()
    }
  }

  private var agreesNow: Bool {
    let results = model.results
    return futures.map(\.result) == results
      && callbacks.allSatisfy { $0.results.all == (results[$0.future].map { [$0] } ?? []) }
      && order.values.allSatisfy { $0.called.all == Array(0..<$0.called.count) }
  }
}

@Suite("Random programs of futures")
struct ModelTests {
  private static let index = Generator.int(in: 0...30)
  private static let result = Generator.oneOf([
    Generator.int(in: 0...99).map { Result<Int, TestError>.success($0) },
    Generator.int(in: 0...99).map { Result<Int, TestError>.failure(.numbered($0)) },
  ])
  private static let flag = Generator<Bool>.bool
  private static let digit = Generator.int(in: 0...9)

  private static let instruction = Generator<Instruction>.frequency([
    (2, .always(.makePromise)),
    (4, each(index, result, flag) { promise, result, _ in .complete(promise, result) }),
    (3, each(index, digit, flag) { .map($0, adding: $1, isCustom: $2) }),
    (3, each(index, index, flag) { .flatMap($0, to: $1, isCustom: $2) }),
    (2, each(index, flag, flag) { .flatMapToResult($0, failing: $1, isCustom: $2) }),
    (2, index.array(count: 0...4).map { Instruction.sequence($0) }),
    (4, each(index, flag, flag) { future, isCustom, _ in .register(future, isCustom: isCustom) }),
    (1, each(index, index, flag) { future, promise, _ in .completeInCallback(of: future, promise) }),
  ])

  private static func each<A, B, C>(
    _ a: Generator<A>, _ b: Generator<B>, _ c: Generator<C>, _ make: @escaping @Sendable (A, B, C) -> Instruction
  ) -> Generator<Instruction> {
    Generator { choices throws(GeneratorError) in
      make(try choices.draw(a), try choices.draw(b), try choices.draw(c))
    }
  }

  @Test("after each instruction of a random program, futures agree with a model and have called back once, in order")
  func agreement() throws {
    try checkProperty("futures agree with the model", count: 500, Self.instruction.array(count: 0...40)) { program in
      Run().agrees(on: program)
    }
  }
}
