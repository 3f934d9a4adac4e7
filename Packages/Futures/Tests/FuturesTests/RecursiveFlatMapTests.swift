import ParallelTesting
import TestSupport
import Futures
import Testing

/// A recursion whose steps end on request, and which counts its living futures.
private final class Recursion: Sendable {
  typealias Step = Future<Int, StoppableError>
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case flatMap, recoverWith, flatMapInContext, flatMapOfMap
    var testDescription: String { rawValue }
  }

  let kind: Kind
  let count: Int
  private let steps = Box<[Weak<Step>]>([])
  private let current = Box<Promise<Int, StoppableError>?>(nil)
  let manual = ManualContext()
  /// The futures that the test retains, by the index of their step.
  let held: Box<[Int: Step]>

  init(_ kind: Kind, count: Int, holding indices: [Int] = []) {
    self.kind = kind
    self.count = count
    held = Box([:])
    heldIndices = Set(indices)
  }

  private let heldIndices: Set<Int>

  func start(at index: Int = 0) -> Step {
    guard index < count else { return Future(value: index) }
    let promise = Promise<Int, StoppableError>()
    promise.onCancel {}
    current.value = promise
    let step =
      switch kind {
      case .flatMap: promise.future.flatMap(immediateExecutionContext) { _ in self.start(at: index + 1) }
      case .flatMapInContext: promise.future.flatMap(manual.context) { _ in self.start(at: index + 1) }
      case .recoverWith:
        promise.future.recoverWith(immediateExecutionContext) { _ in self.start(at: index + 1) }
      case .flatMapOfMap:
        promise.future.map(immediateExecutionContext) { $0 }
          .flatMap(immediateExecutionContext) { _ in self.start(at: index + 1) }
      }
    if heldIndices.contains(index) { held.update { $0[index] = step } }
    steps.update { $0.append(Weak(step)) }
    return step
  }

  func advance() {
    let promise = current.value
    if kind == .recoverWith { promise?.failure(.failed) } else { promise?.success(0) }
    manual.runAll()
  }

  var liveCount: Int { steps.update { steps in steps.filter { $0.object != nil }.count } }

  var isCancelled: Bool { current.value?.future.error == .stopped }
}

@Suite("Recursive flatMap and recoverWith", .timeLimit(.minutes(5)))
struct RecursiveFlatMapTests {
  @Test("every retained intermediate future of a recursion gets the same result", arguments: Recursion.Kind.allCases)
  fileprivate func held(kind: Recursion.Kind) throws {
    let indices = [1, 2, 5, 9, 10, 17]
    let recursion = Recursion(kind, count: 20, holding: indices)
    let all = recursion.start()
    let log = Log<Int>()
    for step in 0..<20 {
      // Use some futures early, some late, and some after the end.
      if step == 6 { recursion.held.value[2]?.onSuccess(immediateExecutionContext) { log.append($0) } }
      if step == 12 { #expect(recursion.held.value[5]?.isCompleted == false) }
      if step == 15 { _ = recursion.held.value[9]?.map(immediateExecutionContext) { log.append($0) } }
      recursion.advance()
    }
    #expect(all.value == 20)
    for index in indices { #expect(recursion.held.value[index]?.value == 20, "\(index)") }
    #expect(log.all == [20, 20])
  }

  @Test("cancelling a recursion at any step cancels the work of the current step", arguments: Recursion.Kind.allCases)
  fileprivate func cancelled(kind: Recursion.Kind) {
    for count in 0..<6 {
      let recursion = Recursion(kind, count: 20)
      let all = recursion.start()
      for _ in 0..<count { recursion.advance() }
      #expect(!recursion.isCancelled)
      all.cancel()
      #expect(all.error == .stopped)
      #expect(recursion.isCancelled)
    }
  }

  @Test(
    "a recursion continues after the cancellation of its first future if an intermediate future has a listener",
    arguments: Recursion.Kind.allCases)
  fileprivate func wantedInTheMiddle(kind: Recursion.Kind) {
    let recursion = Recursion(kind, count: 10, holding: [3])
    let all = recursion.start()
    for _ in 0..<6 { recursion.advance() }
    let other = recursion.held.value[3]?.map(immediateExecutionContext) { $0 }
    all.cancel()
    #expect(all.error == .stopped)
    for _ in 6..<10 { recursion.advance() }
    #expect(other?.value == 10)
  }

  @Test("releasing twenty thousand intermediate futures does not overflow the stack")
  func release() async {
    await onThread {
      let recursion = Recursion(.flatMap, count: 20_000, holding: Array(0..<20_000))
      let all = recursion.start()
      for _ in 0..<20_000 { recursion.advance() }
      // The first intermediate future may retain all others.
      let first = recursion.held.update { held in held.removeValue(forKey: 1) }
      recursion.held.value = [:]
      #expect(all.value == 20_000)
      _ = consume first
    }
  }

  @Test("reading an early intermediate future after twenty thousand steps does not overflow the stack")
  func read() async {
    await onThread {
      let recursion = Recursion(.flatMap, count: 20_000, holding: [1])
      let all = recursion.start()
      for _ in 0..<19_999 { recursion.advance() }
      #expect(recursion.held.value[1]?.isCompleted == false)
      recursion.advance()
      #expect(recursion.held.value[1]?.value == all.value)
    }
  }

  @Test(
    "all futures of a recursion have the same result when threads read, cancel and complete them concurrently",
    arguments: 0..<100)
  func threads(seed: Int) async {
    let recursion = Recursion(.flatMap, count: 30, holding: [seed % 7, seed % 11])
    let all = recursion.start()
    await hammer(threads: 3) { thread, _ in
      switch thread {
      case 0: for _ in 0..<30 { recursion.advance() }
      case 1:
        for index in recursion.held.value.keys.sorted() { _ = recursion.held.value[index]?.isCompleted }
        for index in recursion.held.value.keys.sorted() { _ = recursion.held.value[index]?.map { $0 } }
        // A future in the middle gets its result no later than the last future.
        for index in recursion.held.value.keys.sorted() where all.value != nil {
          #expect(recursion.held.value[index]?.isCompleted == true, "\(index)")
        }
      default: if seed % 2 == 0 { recursion.held.value[seed % 7]?.cancel() }
      }
    }
    // A cancelled intermediate future does not stop the recursion, so the remaining steps may still be pending.
    while !all.isCompleted { recursion.advance() }
    #expect(all.value == 30 || (seed % 2 == 0 && all.error == .stopped))
    // Intermediate futures with a callback in the default context can get their result after `all`.
    for (index, future) in recursion.held.value {
      let result = await (future as Async<Result<Int, StoppableError>>).get()
      #expect(result == .success(30) || (seed % 2 == 0 && result == .failure(.stopped)), "\(index)")
    }
  }
}
