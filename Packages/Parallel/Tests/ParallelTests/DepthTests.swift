import Dispatch
import Parallel
import TestSupport
import Testing

/// Each test runs on a stack of 512 KiB, as threads of pools have it.
@Suite("Deep chains and recursions of parallels")
struct DepthTests {
  enum Chain: String, CaseIterable, Sendable {
    case mapped, flatMapped, captured, traversed, zipped, sequenced, raced

    func add(to parallel: Parallel<Int>) -> Parallel<Int> {
      switch self {
      case .mapped: parallel.map { $0 + 1 }
      case .flatMapped: parallel.flatMap { value in Parallel { $0(value + 1) } }
      case .captured: Parallel(value: 1).flatMap { _ in parallel }
      case .traversed: [1].traverse { _ in parallel }.map { $0[0] + 1 }
      case .zipped: zip(parallel, Parallel { $0(1) }.flatMap { Parallel(value: $0) }, with: +)
      case .sequenced: [parallel].sequence().map { $0[0] + 1 }
      case .raced: race(parallel).map { $0 + 1 }
      }
    }
  }

  @Test("a long chain of operators is released, and runs", arguments: Chain.allCases, [false, true])
  func chain(of kind: Chain, isRun: Bool) async {
    let count = kind == .mapped && !isThreadSanitized ? 200_000 : 10_000
    let (isReleased, values) = await onThread {
      weak var released: Witness?
      let log = Log<Int>()
      do {
        let witness = Witness()
        released = witness
        var parallel = Parallel<Int> { $0(witness.number) }
        for _ in 0..<count { parallel = kind.add(to: parallel) }
        if isRun { parallel.run { log.append($0) } }
      }
      return (released == nil, log.all)
    }
    #expect(isReleased)
    #expect(values == (isRun ? [kind == .captured ? 0 : count] : []))
  }

  @Test("a recursion of 100,000 flatMaps calls back before run returns")
  func recursion() async {
    @Sendable func countdown(from number: Int) -> Parallel<Int> {
      number == 0 ? Parallel(value: 0) : Parallel { $0(number) }.flatMap { countdown(from: $0 - 1) }
    }
    #expect(await onThread { answers(of: countdown(from: 100_000)) } == [0])
  }

  @Test("a traverse of 100,000 parallels that call back at once uses no stack", arguments: [1, 4, Int.max])
  func traverse(limit: Int) async {
    let values = await onThread {
      answers(of: (0..<100_000).traverse(maxConcurrent: limit) { element in Parallel<Int> { $0(element) } })
    }
    #expect(values == [Array(0..<100_000)])
  }

  enum Step: String, CaseIterable, Sendable {
    case mapped, zipped, raced, sequenced, traversed, traversedRecursively, flatMapped, nested

    /// Returns the sum of the numbers up to a number.
    ///
    /// - Parameter queue: The queue of the steps. Without it, each step calls back at once.
    func sum(of number: Int, in queue: StepQueue? = nil) -> Parallel<Int> {
      guard number > 0 else { return Parallel { $0(0) } }
      let rest = Parallel { callback in
        if let queue { queue.append { callback(number - 1) } } else { callback(number - 1) }
      }.flatMap { sum(of: $0, in: queue) }
      return switch self {
      case .mapped: rest.map { $0 + number }
      case .zipped: zip(rest, Parallel { $0(number) }, with: +)
      case .raced: [rest.map { $0 + number }].race()
      case .sequenced: [rest].sequence().map { $0[0] + number }
      case .traversed: [rest].traverse { $0 }.map { $0[0] + number }
      case .nested: Parallel { callback in rest.run { callback($0 + number) } }
      case .flatMapped: rest.flatMap { value in Parallel { $0(value + number) } }
      case .traversedRecursively: [number].traverse { sum(of: $0 - 1, in: queue) }.map { $0[0] + number }
      }
    }
  }

  @Test("a recursion whose steps transform the value of the next step runs", arguments: Step.allCases, [false, true])
  func transformingRecursion(step: Step, isAsynchronous: Bool) async {
    let value = await onThread {
      let (log, steps) = (Log<Int>(), StepQueue())
      step.sum(of: 10_000, in: isAsynchronous ? steps : nil).run { log.append($0) }
      while steps.runNext() {}
      return log.all
    }
    #expect(value == [50_005_000])
  }

  @Test("an asynchronous loop of flatMaps retains a constant number of objects")
  func constantMemory() async {
    let (counter, steps) = (ObjectCounter(), StepQueue())
    @Sendable func poll() -> Parallel<Int> {
      let object = CountedObject(in: counter)
      return Parallel { callback in steps.append { callback(1) } }
        .flatMap { value in Parallel { callback in steps.append { callback(value + 1) } } }
        .map { (object, $0).1 }
        .flatMap { _ in poll() }
    }
    poll().run { _ in }
    for _ in 0..<1_000 { steps.runNext() }
    #expect(counter.liveCount <= 3)
  }
}

/// Steps of a recursion that wait for their turn.
///
/// `@unchecked Sendable`: one thread uses it.
final class StepQueue: @unchecked Sendable {
  private var steps: [() -> Void] = []

  func append(_ step: @escaping () -> Void) {
    steps.append(step)
  }

  @discardableResult
  func runNext() -> Bool {
    guard let step = steps.popLast() else { return false }
    step()
    return true
  }
}

/// A value whose release can be seen.
private final class Witness: Sendable {
  let number = 0
}
