import Futures
import ParallelTesting
import TestSupport
import Testing

/// An instruction of a random program; the numbers select existing futures.
private enum Instruction: Sendable {
  case work
  case promise
  case map(Int)
  case flatMap(Int, to: Int)
  case sequence([Int])
  case race([Int])
  case timeout(Int)
  case adoption(Int)
  case listen(Int)
  case complete(Int, isSuccess: Bool)
  case cancel(Int)
  case read(Int)
}

/// Runs a program on futures and on the model.
private final class Run {
  private var model = CancellationModel()
  private var futures: [Future<Int, StoppableError>] = []
  private var promises: [Int: Promise<Int, StoppableError>] = [:]
  private var works: [Int: Work<Int, StoppableError>] = [:]
  private let clock = ManualClock()

  func agrees(on program: [Instruction]) -> Bool {
    // Ends the timers.
    defer { for future in futures { future.cancel() } }
    return step(.work) && program.allSatisfy { step($0) } && futures.indices.allSatisfy { step(.read($0)) }
  }

  private func add(_ node: CancellationModel.Node, _ future: Future<Int, StoppableError>) {
    futures.append(future)
    model.add(node)
  }

  private func step(_ instruction: Instruction) -> Bool {
    func index(_ choice: Int) -> Int { choice % futures.count }
    func promise(_ choice: Int) -> Int { model.promise(before: index(choice)) }
    switch instruction {
    case .work:
      let work = Work<Int, StoppableError>()
      (works[futures.count], promises[futures.count]) = (work, work.promise)
      add(.work, work.future)
    case .promise:
      let promise = Promise<Int, StoppableError>()
      promises[futures.count] = promise
      add(.promise, promise.future)
    case .map(let choice):
      let source = index(choice)
      add(.map(source), futures[source].map(now) { $0 + 1 })
    case .flatMap(let choice, let other):
      let (source, next) = (index(choice), promise(other))
      add(.flatMap(source, to: next), futures[source].flatMap(now) { [future = futures[next]] _ in future })
    case .sequence(let choices):
      let sources = choices.map(index)
      let sequence: Future<[Int], StoppableError> = sources.map { futures[$0] }.sequence()
      add(.sequence(sources), sequence.map(now) { $0.count })
    case .race(let choices):
      let sources = choices.map(promise)
      add(.race(sources), sources.map { futures[$0] }.firstCompleted())
    case .timeout(let choice):
      let source = index(choice)
      add(.timeout(source), futures[source].timeout(after: .seconds(1), on: clock, failingWith: .failed))
    case .adoption(let choice):
      let (source, promise) = (index(choice), Promise<Int, StoppableError>())
      promise.complete(with: futures[source])
      add(.adoption(source), promise.future)
    case .listen(let choice):
      futures[index(choice)].onComplete(now) { _ in }
      model.listen(index(choice))
    case .complete(let choice, let isSuccess):
      let result: CancellationOutcome = isSuccess ? .success(0) : .failure(.failed)
      promises[promise(choice)]?.complete(result)
      model.complete(promise(choice), result)
    case .cancel(let choice):
      futures[index(choice)].cancel()
      model.cancel(index(choice))
    case .read(let choice):
      guard futures[index(choice)].result == model.read(index(choice)) else { return false }
    }
    let stops = works.filter { $0.value.stopCount > 0 }
    return Set(stops.keys) == model.stopped && stops.allSatisfy { $0.value.stopCount == 1 }
  }
}

@Suite("Random programs that cancel futures")
struct CancellationModelTests {
  private static let index = Generator.int(in: 0...12)
  private static let instruction = Generator<Instruction>.frequency([
    (3, .always(.work)),
    (1, .always(.promise)),
    (4, index.map { Instruction.map($0) }),
    (3, Generator.zip(index, index).map { Instruction.flatMap($0, to: $1) }),
    (2, index.array(count: 0...4).map { Instruction.sequence($0) }),
    (2, index.array(count: 1...3).map { Instruction.race($0) }),
    (1, index.map { Instruction.timeout($0) }),
    (2, index.map { Instruction.adoption($0) }),
    (2, index.map { Instruction.listen($0) }),
    (3, Generator.zip(index, .bool).map { Instruction.complete($0, isSuccess: $1) }),
    (4, index.map { Instruction.cancel($0) }),
    (2, index.map { Instruction.read($0) }),
  ])

  @Test(
    "a random program stops the work of a simple model after each instruction, and reads that model's results")
  func agreement() throws {
    try checkProperty("futures agree with the model", count: 2_000, Self.instruction.array(count: 0...40)) { program in
      Run().agrees(on: program)
    }
  }
}
