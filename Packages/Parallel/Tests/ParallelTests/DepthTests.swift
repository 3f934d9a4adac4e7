import Dispatch
import Parallel
import TestSupport
import Testing

@Suite("Deep chains of parallels")
struct DepthTests {
  @Test("a chain of 10,000 maps runs and is released on a stack of 512 KiB")
  func maps() async {
    let value = await onThread {
      let log = Log<Int>()
      var parallel = Parallel<Int> { $0(0) }
      for _ in 0..<10_000 { parallel = parallel.map { $0 + 1 } }
      parallel.run { log.append($0) }
      return log.all
    }
    #expect(value == [10_000])
  }

  @Test("a chain of 10,000 maps is released on a stack of 512 KiB although it never runs")
  func release() async {
    let isReleased = await onThread {
      weak var released: Witness?
      do {
        let witness = Witness()
        released = witness
        var parallel = Parallel<Int> { $0(witness.number) }
        for _ in 0..<10_000 { parallel = parallel.map { $0 + 1 } }
      }
      return released == nil
    }
    #expect(isReleased)
  }

  @Test("a chain of 10,000 flatMaps runs on a stack of 512 KiB")
  func flatMaps() async {
    let value = await onThread {
      let log = Log<Int>()
      var parallel = Parallel<Int> { $0(0) }
      for _ in 0..<10_000 { parallel = parallel.flatMap { value in Parallel { $0(value + 1) } } }
      parallel.run { log.append($0) }
      return log.all
    }
    #expect(value == [10_000])
  }

  @Test(
    "a chain of 10,000 closures that each return the parallel before runs and is released on a stack of 512 KiB",
    arguments: [false, true], [false, true])
  func capturedParallels(isTraversal: Bool, isRun: Bool) async {
    let (isReleased, values) = await onThread {
      weak var released: Witness?
      let log = Log<Int>()
      do {
        let witness = Witness()
        released = witness
        var parallel = Parallel<Int> { $0(witness.number) }
        for _ in 0..<10_000 {
          let previous = parallel
          parallel =
            isTraversal
            ? [1].traverse { _ in previous }.map { $0[0] } : Parallel(value: 1).flatMap { _ in previous }
        }
        if isRun { parallel.run { log.append($0) } }
      }
      return (released == nil, log.all)
    }
    #expect(isReleased)
    #expect(values == (isRun ? [0] : []))
  }

  @Test("a recursion of 100,000 flatMaps runs on a stack of 512 KiB")
  func recursion() async {
    let value = await onThread {
      let log = Log<Int>()
      countdown(from: 100_000).run { log.append($0) }
      return log.all
    }
    #expect(value == [0])
  }

  @Test("a chain of 10,000 zips runs on a stack of 512 KiB")
  func zips() async {
    let value = await onThread {
      let log = Log<Int>()
      var parallel = Parallel<Int> { $0(0) }
      for _ in 0..<10_000 { parallel = zip(parallel, Parallel { $0(1) }).map { $0 + $1 } }
      parallel.run { log.append($0) }
      return log.all
    }
    #expect(value == [10_000])
  }

  @Test("a chain of 10,000 zips with flatMaps runs on a stack of 512 KiB")
  func zipsWithFlatMaps() async {
    let value = await onThread {
      let log = Log<Int>()
      var parallel = Parallel<Int> { $0(0) }
      for _ in 0..<10_000 {
        parallel = zip(parallel, Parallel { $0(1) }.flatMap { Parallel(value: $0) }).map { $0 + $1 }
      }
      parallel.run { log.append($0) }
      return log.all
    }
    #expect(value == [10_000])
  }

  @Test("a chain of 10,000 sequences runs on a stack of 512 KiB")
  func sequences() async {
    let value = await onThread {
      let log = Log<Int>()
      var parallel = Parallel<Int> { $0(0) }
      for _ in 0..<10_000 { parallel = [parallel].sequence().map { $0[0] + 1 } }
      parallel.run { log.append($0) }
      return log.all
    }
    #expect(value == [10_000])
  }

  @Test(
    "a recursion whose steps transform the value of the next step runs on a stack of 512 KiB", arguments: Step.allCases)
  func transformingRecursion(step: Step) async {
    let value = await onThread {
      let log = Log<Int>()
      step.sum(of: 10_000).run { log.append($0) }
      return log.all
    }
    #expect(value == [50_005_000])
  }

  @Test(
    "a recursion of asynchronous steps that transform the value of the next step runs on a stack of 512 KiB",
    arguments: Step.allCases)
  func asynchronousTransformingRecursion(step: Step) async {
    let value = await onThread {
      let (log, steps) = (Log<Int>(), StepQueue())
      step.sum(of: 10_000, in: steps).run { log.append($0) }
      steps.runAll()
      return log.all
    }
    #expect(value == [50_005_000])
  }

  @Test(
    "a recursion of asynchronous steps that never ends is released on a stack of 512 KiB", arguments: Step.allCases)
  func endlessRecursion(step: Step) async {
    let isReleased = await onThread {
      let steps = StepQueue()
      weak var released: Witness?
      do {
        let witness = Witness()
        released = witness
        step.sum(of: 10_000, in: steps).run { _ in _ = witness }
        for _ in 0..<9_000 { steps.runNext() }
      }
      steps.removeAll()
      return released == nil
    }
    #expect(isReleased)
  }

  @Test("an asynchronous loop of flatMaps retains a constant number of objects")
  func constantMemory() async {
    let counter = ObjectCounter()
    let steps = StepQueue()
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

  enum Step: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case mapped, zipped, zippedWith, raced, sequenced, traversed, traversedRecursively, flatMapped, nested
    var testDescription: String { rawValue }

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
      case .zipped: zip(rest, Parallel { $0(number) }).map { $0 + $1 }
      case .zippedWith: zip(rest, Parallel { $0(number) }, with: +)
      case .raced: [rest.map { $0 + number }].race()
      case .sequenced: [rest].sequence().map { $0[0] + number }
      case .traversed: [rest].traverse { $0 }.map { $0[0] + number }
      case .nested: Parallel { callback in rest.run { callback($0 + number) } }
      case .flatMapped: rest.flatMap { value in Parallel { $0(value + number) } }
      case .traversedRecursively: [number].traverse { sum(of: $0 - 1, in: queue) }.map { $0[0] + number }
      }
    }
  }

  @Test("a recursion of 100,000 steps that switch queues does not overflow the stack")
  func queueSwitches() async throws {
    let values = try await queueSwitchingCountdown(from: 100_000).value()
    #expect(values == 0)
  }
}

@Sendable private func countdown(from number: Int) -> Parallel<Int> {
  number == 0 ? Parallel(value: 0) : Parallel { $0(number) }.flatMap { countdown(from: $0 - 1) }
}

@Sendable private func queueSwitchingCountdown(from number: Int) -> Parallel<Int> {
  number == 0
    ? Parallel(value: 0)
    : Parallel { $0(number) }.receive(on: .global()).flatMap { queueSwitchingCountdown(from: $0 - 1) }
}

/// Steps of a recursion that wait for their turn.
///
/// `@unchecked Sendable`: one thread uses it.
final class StepQueue: @unchecked Sendable {
  private var steps: [() -> Void] = []

  func append(_ step: @escaping () -> Void) {
    steps.append(step)
  }

  func runNext() {
    steps.popLast()?()
  }

  func removeAll() {
    steps = []
  }

  func runAll() {
    while let step = steps.popLast() { step() }
  }
}

/// A value whose release can be seen.
private final class Witness: Sendable {
  let number = 0
}
