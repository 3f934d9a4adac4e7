import ParallelTesting
import Futures
import Testing

/// A recursion in which each step ends when the test says so, and whose futures can be seen living.
private final class Recursion: Sendable {
  typealias Step = Future<Int, StoppableError>
  /// How a step goes on to the next.
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case flatMap, recoverWith, flatMapInContext, flatMapOfMap
    var testDescription: String { rawValue }
  }

  let kind: Kind
  let count: Int
  private let steps = Box<[Weak<Step>]>([])
  private let current = Box<Promise<Int, StoppableError>?>(nil)
  let manual = ManualContext()
  /// The step whose future the test holds, and the one that it held first.
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
        promise.future.recoverWith(context: immediateExecutionContext) { _ in self.start(at: index + 1) }
      case .flatMapOfMap:
        promise.future.map(immediateExecutionContext) { $0 }
          .flatMap(immediateExecutionContext) { _ in self.start(at: index + 1) }
      }
    if heldIndices.contains(index) { held.update { $0[index] = step } }
    steps.update { $0.append(Weak(step)) }
    return step
  }

  /// Ends the step that is under way, and so begins the next.
  func goOn() {
    let promise = current.value
    if kind == .recoverWith { promise?.failure(.failed) } else { promise?.success(0) }
    manual.runAll()
  }

  var liveCount: Int { steps.update { steps in steps.filter { $0.object != nil }.count } }

  /// Whether the work of the step that is under way has been cancelled.
  var isCancelled: Bool { current.value?.future.error == .stopped }
}

@Suite("A recursive flatMap", .timeLimit(.minutes(5)))
struct LinkTests {
  @Test("keeps its first future and its last two, however many steps it took", arguments: Recursion.Kind.allCases)
  fileprivate func constant(kind: Recursion.Kind) {
    let recursion = Recursion(kind, count: 1_000)
    let all = recursion.start()
    for _ in 0..<999 {
      recursion.goOn()
      #expect(recursion.liveCount <= 3)
    }
    #expect(!all.isCompleted)
    recursion.goOn()
    #expect(all.value == 1_000)
    #expect(recursion.liveCount <= 2)
  }

  @Test("keeps only its last when it began on a completed future", arguments: Recursion.Kind.allCases)
  fileprivate func constantOnCompleted(kind: Recursion.Kind) {
    let recursion = Recursion(kind, count: 100)
    let all = Future<Int, StoppableError>(value: 0).flatMap(immediateExecutionContext) { _ in recursion.start() }
    for step in 0..<99 {
      recursion.goOn()
      #expect(recursion.liveCount <= 1, "\(step)")
    }
    recursion.goOn()
    #expect(all.value == 100)
  }

  @Test("tells everybody who holds a future in the middle the same result", arguments: Recursion.Kind.allCases)
  fileprivate func held(kind: Recursion.Kind) throws {
    let indices = [1, 2, 5, 9, 10, 17]
    let recursion = Recursion(kind, count: 20, holding: indices)
    let all = recursion.start()
    let log = Log<Int>()
    for step in 0..<20 {
      // Some are asked early, some late, some when all is over.
      if step == 6 { recursion.held.value[2]?.onSuccess(immediateExecutionContext) { log.append($0) } }
      if step == 12 { #expect(recursion.held.value[5]?.isCompleted == false) }
      if step == 15 { _ = recursion.held.value[9]?.map(immediateExecutionContext) { log.append($0) } }
      recursion.goOn()
    }
    #expect(all.value == 20)
    for index in indices { #expect(recursion.held.value[index]?.value == 20, "\(index)") }
    #expect(log.all == [20, 20])
  }

  @Test("can be cancelled at any step, and cancels the one that is under way", arguments: Recursion.Kind.allCases)
  fileprivate func cancelled(kind: Recursion.Kind) {
    for count in 0..<6 {
      let recursion = Recursion(kind, count: 20)
      let all = recursion.start()
      for _ in 0..<count { recursion.goOn() }
      #expect(!recursion.isCancelled)
      all.cancel()
      #expect(all.error == .stopped)
      #expect(recursion.isCancelled)
    }
  }

  @Test("goes on when a future in the middle is cancelled that was out of the way", arguments: Recursion.Kind.allCases)
  fileprivate func cancelledInTheMiddle(kind: Recursion.Kind) {
    let recursion = Recursion(kind, count: 10, holding: [3])
    let all = recursion.start()
    for _ in 0..<6 { recursion.goOn() }
    recursion.held.value[3]?.cancel()
    #expect(recursion.held.value[3]?.error == .stopped)
    for _ in 6..<10 { recursion.goOn() }
    #expect(all.value == 10)
  }

  @Test("that somebody in the middle waits for is not cancelled with the first", arguments: Recursion.Kind.allCases)
  fileprivate func wantedInTheMiddle(kind: Recursion.Kind) {
    let recursion = Recursion(kind, count: 10, holding: [3])
    let all = recursion.start()
    for _ in 0..<6 { recursion.goOn() }
    let other = recursion.held.value[3]?.map(immediateExecutionContext) { $0 }
    all.cancel()
    #expect(all.error == .stopped)
    for _ in 6..<10 { recursion.goOn() }
    #expect(other?.value == 10)
  }

  @Test("releases a long row of futures that are out of the way without the stack")
  func release() async {
    await onThread {
      let recursion = Recursion(.flatMap, count: 20_000, holding: Array(0..<20_000))
      let all = recursion.start()
      for _ in 0..<20_000 { recursion.goOn() }
      // The first in the middle holds the second, and so on.
      let first = recursion.held.update { held in held.removeValue(forKey: 1) }
      recursion.held.value = [:]
      #expect(all.value == 20_000)
      _ = consume first
    }
  }

  @Test("asks a long row of futures that are out of the way without the stack")
  func ask() async {
    await onThread {
      let recursion = Recursion(.flatMap, count: 20_000, holding: [1])
      let all = recursion.start()
      for _ in 0..<19_999 { recursion.goOn() }
      #expect(recursion.held.value[1]?.isCompleted == false)
      recursion.goOn()
      #expect(recursion.held.value[1]?.value == all.value)
    }
  }

  @Test("is the same for all threads that ask, cancel and complete at once", arguments: 0..<100)
  func threads(seed: Int) async {
    let recursion = Recursion(.flatMap, count: 30, holding: [seed % 7, seed % 11])
    let all = recursion.start()
    await hammer(threads: 3) { thread, _ in
      switch thread {
      case 0: for _ in 0..<30 { recursion.goOn() }
      case 1:
        for index in recursion.held.value.keys.sorted() { _ = recursion.held.value[index]?.isCompleted }
        for index in recursion.held.value.keys.sorted() { _ = recursion.held.value[index]?.map { $0 } }
      default: if seed % 2 == 0 { recursion.held.value[seed % 7]?.cancel() }
      }
    }
    // Whatever was cancelled, all know how they ended.
    while !all.isCompleted { recursion.goOn() }
    #expect(all.value == 30 || (seed % 2 == 0 && all.error == .stopped))
    // A callback in the default context may stand before those in the middle, which then hear of it after `all`.
    for (index, future) in recursion.held.value {
      let result = await (future as Async<Result<Int, StoppableError>>).get()
      #expect(result == .success(30) || (seed % 2 == 0 && result == .failure(.stopped)), "\(index)")
    }
  }
}
