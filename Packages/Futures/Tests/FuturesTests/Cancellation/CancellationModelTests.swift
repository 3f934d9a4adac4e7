import Futures
import ParallelTesting
import Testing

private typealias Outcome = Result<Int, StoppableError>

/// One instruction of a random program; the numbers choose among the futures that there are.
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

/// What cancellation means, in the plainest words: a graph of futures, asked again and again.
private struct Model {
  enum Node {
    case promise
    case map(Int)
    case flatMap(Int, to: Int)
    case sequence([Int])
  }

  private(set) var results: [Outcome?] = []
  private var nodes: [Node] = []
  private var isHeard: [Bool] = []
  private(set) var stops: Set<Int> = []
  /// The futures that have left what they wait for, during one instruction; reading their results lets them wait again.
  private var gone: Set<Int> = []

  var count: Int { nodes.count }
  func isPromise(_ index: Int) -> Bool { if case .promise = nodes[index] { true } else { false } }

  mutating func add(_ node: Node) {
    nodes.append(node)
    results.append(nil)
    isHeard.append(false)
    settle()
  }

  mutating func listen(_ index: Int) {
    isHeard[index] = true
  }

  mutating func complete(_ index: Int, _ result: Outcome) {
    if results[index] == nil { results[index] = result }
    settle()
  }

  mutating func cancel(_ index: Int) {
    guard results[index] == nil else { return }
    let awaited = awaited(by: index)
    if isPromise(index) { stops.insert(index) }
    results[index] = .failure(.stopped)
    settle()
    for other in awaited { leave(other) }
  }

  mutating func endInstruction() {
    gone = []
  }

  private mutating func leave(_ index: Int) {
    guard results[index] == nil, !gone.contains(index), !isWanted(index) else { return }
    if isPromise(index) { return cancel(index) }
    gone.insert(index)
    for other in awaited(by: index) { leave(other) }
  }

  /// What a pending future waits for, all of it.
  private func awaited(by index: Int) -> [Int] {
    guard results[index] == nil else { return [] }
    return switch nodes[index] {
    case .promise: []
    case .map(let source): [source]
    case .flatMap(let source, let other): results[source] == nil ? [source] : [other]
    case .sequence(let sources): sources.filter { results[$0] == nil }
    }
  }

  private func isWanted(_ index: Int) -> Bool {
    isHeard[index] || nodes.indices.contains { !gone.contains($0) && awaited(by: $0).contains(index) }
  }

  private mutating func settle() {
    // Earlier futures only are waited for, so one pass is enough.
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
      return futures.map(\.result) == model.results && Set(stops.keys) == model.stops
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

@Suite("Random programs of futures that are cancelled")
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

  @Test("come to what a plain model says, after each instruction: who ended how, and whose work was stopped")
  func agreement() throws {
    try checkProperty("futures agree with the model", count: 1_000, Self.instruction.array(count: 0...30)) { program in
      Run().agrees(on: program)
    }
  }
}
