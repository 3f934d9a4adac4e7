import Futures
import TestSupport
import Testing

private typealias Outcome = Result<Int, StoppableError>

/// An instruction of a random program; the numbers select existing futures.
private enum Instruction: CustomStringConvertible, Sendable {
  case promise
  case map(Int)
  case flatMap(Int, to: Int)
  case sequence([Int])
  case listen(Int)
  case complete(Int, isSuccess: Bool)
  case cancel(Int)

  var description: String {
    switch self {
    case .promise: "promise"
    case .map(let source): "map \(source)"
    case .flatMap(let source, let other): "flatMap \(source) to \(other)"
    case .sequence(let sources): "sequence \(sources)"
    case .listen(let future): "listen to \(future)"
    case .complete(let future, let isSuccess): "complete \(future) with \(isSuccess ? "a value" : "an error")"
    case .cancel(let future): "cancel \(future)"
    }
  }
}

/// The specification of cancellation: a graph of futures that is evaluated again after each instruction.
private struct Model {
  enum Node {
    case promise
    case map(Int)
    case flatMap(Int, to: Int)
    case sequence([Int])
  }

  private(set) var results: [Outcome?] = []
  private var nodes: [Node] = []
  private var hasListener: [Bool] = []
  private(set) var stopped: Set<Int> = []
  /// The futures that have left their sources during this instruction.
  ///
  /// Reading their results makes them wait again.
  private var left: Set<Int> = []

  var count: Int { nodes.count }
  func isPromise(_ index: Int) -> Bool { if case .promise = nodes[index] { true } else { false } }

  mutating func add(_ node: Node) {
    nodes.append(node)
    results.append(nil)
    hasListener.append(false)
    propagate()
  }

  mutating func listen(_ index: Int) {
    hasListener[index] = true
  }

  mutating func complete(_ index: Int, _ result: Outcome) {
    if results[index] == nil { results[index] = result }
    propagate()
  }

  mutating func cancel(_ index: Int) {
    guard results[index] == nil else { return }
    let sources = sources(of: index)
    if isPromise(index) { stopped.insert(index) }
    results[index] = .failure(.stopped)
    propagate()
    for other in sources { leave(other) }
  }

  mutating func endInstruction() {
    left = []
  }

  private mutating func leave(_ index: Int) {
    guard results[index] == nil, !left.contains(index), !isWanted(index) else { return }
    if isPromise(index) { return cancel(index) }
    left.insert(index)
    for other in sources(of: index) { leave(other) }
  }

  /// All futures that a pending future waits for.
  private func sources(of index: Int) -> [Int] {
    guard results[index] == nil else { return [] }
    return switch nodes[index] {
    case .promise: []
    case .map(let source): [source]
    case .flatMap(let source, let other): results[source] == nil ? [source] : [other]
    case .sequence(let sources): sources.filter { results[$0] == nil }
    }
  }

  private func isWanted(_ index: Int) -> Bool {
    hasListener[index] || nodes.indices.contains { !left.contains($0) && sources(of: $0).contains(index) }
  }

  private mutating func propagate() {
    // A future waits only for earlier futures, so one pass is enough.
    for index in nodes.indices where results[index] == nil { results[index] = result(of: nodes[index]) }
  }

  private func result(of node: Node) -> Outcome? {
    switch node {
    case .promise: return nil
    case .map(let source): return results[source]?.map { $0 + 1 }
    case .flatMap(let source, let other):
      guard case .success? = results[source] else { return results[source] }
      return results[other]
    case .sequence(let sources):
      for source in sources {
        guard case .success? = results[source] else { return results[source] }
      }
      return .success(sources.count)
    }
  }
}

/// Runs a program on futures and on the model, and compares after each instruction.
private final class Run {
  private var model = Model()
  private var futures: [Future<Int, StoppableError>] = []
  private var works: [Int: Work<Int, StoppableError>] = [:]
  private let now = immediateExecutionContext

  func agrees(on program: [Instruction]) -> Bool {
    step(.promise)
    return program.allSatisfy { instruction in
      step(instruction)
      model.endInstruction()
      let stops = works.filter { $0.value.stopCount > 0 }
      return futures.map(\.result) == model.results && Set(stops.keys) == model.stopped
        && stops.allSatisfy { $0.value.stopCount == 1 }
    }
  }

  private func step(_ instruction: Instruction) {
    func index(_ choice: Int) -> Int { choice % futures.count }
    switch instruction {
    case .promise:
      let work = Work<Int, StoppableError>()
      works[futures.count] = work
      futures.append(work.future)
      model.add(.promise)
    case .map(let choice):
      let source = index(choice)
      futures.append(futures[source].map(now) { $0 + 1 })
      model.add(.map(source))
    case .flatMap(let choice, let other):
      let (source, next) = (index(choice), index(other))
      futures.append(futures[source].flatMap(now) { [future = futures[next]] _ in future })
      model.add(.flatMap(source, to: next))
    case .sequence(let choices):
      let sources = choices.map(index)
      let sequence: Future<[Int], StoppableError> = sources.map { futures[$0] }.sequence()
      futures.append(sequence.map(now) { $0.count })
      model.add(.sequence(sources))
    case .listen(let choice):
      futures[index(choice)].onComplete(now) { _ in }
      model.listen(index(choice))
    case .complete(let choice, let isSuccess):
      guard let work = works[index(choice)] else { return }
      let result: Outcome = isSuccess ? .success(0) : .failure(.failed)
      work.promise.complete(result)
      model.complete(index(choice), result)
    case .cancel(let choice):
      futures[index(choice)].cancel()
      model.cancel(index(choice))
    }
  }
}

@Suite("Random programs that cancel futures")
struct CancellationModelTests {
  private static let index = Generator.int(in: 0...20)
  private static let instruction = Generator<Instruction>.frequency([
    (3, .always(.promise)),
    (4, index.map { Instruction.map($0) }),
    (3, Generator.zip(index, index).map { Instruction.flatMap($0, to: $1) }),
    (2, index.array(count: 0...4).map { Instruction.sequence($0) }),
    (2, index.map { Instruction.listen($0) }),
    (3, Generator.zip(index, .bool).map { Instruction.complete($0, isSuccess: $1) }),
    (4, index.map { Instruction.cancel($0) }),
  ])

  @Test("after each instruction of a random program, futures have the results and the stopped work of a simple model")
  func agreement() throws {
    try checkProperty("futures agree with the model", count: 1_000, Self.instruction.array(count: 0...30)) { program in
      Run().agrees(on: program)
    }
  }
}
