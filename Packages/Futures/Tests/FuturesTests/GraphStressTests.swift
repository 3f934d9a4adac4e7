import Dispatch
import Futures
import TestSupport
import Testing

@Suite("Random graphs of futures that several threads extend, read, cancel and complete")
struct GraphStressTests {
  typealias Number = Future<Int, StoppableError>

  private final class Graph: Sendable {
    let promises = (0..<4).map { _ in Promise<Int, StoppableError>() }
    let futures: Box<[Number]>
    let counter: ObjectCounter

    init(_ counter: ObjectCounter) {
      futures = Box(promises.map(\.future))
      self.counter = counter
    }

    func any<G: RandomNumberGenerator>(_ generator: inout G) -> Number {
      // Prefer later futures, so that the graph becomes deep.
      futures.update {
        $0[max(.random(in: 0..<$0.count, using: &generator), .random(in: 0..<$0.count, using: &generator))]
      }
    }

    func add(_ future: Number) { futures.update { $0.append(future) } }

    func isCompletedByItsPromises() -> Bool {
      for promise in promises { promise.trySuccess(2) }
      // A future that everyone has left waits again for a new listener.
      return futures.value.allSatisfy { $0.onComplete(immediateExecutionContext) { _ in }.isCompleted }
    }

    func step<G: RandomNumberGenerator>(_ generator: inout G) {
      let (one, other) = (any(&generator), any(&generator))
      let object = counter.object()
      let context = Bool.random(using: &generator) ? immediateExecutionContext : synchronousContext
      switch Int.random(in: 0..<16, using: &generator) {
      case 0, 1: add(one.map(context) { ($0 &+ 1, object).0 })
      case 2, 3, 4: add(one.flatMap(context) { _ in (other, object).0 })
      case 5: add(one.recoverWith(context) { _ in (other, object).0 })
      case 6, 7: add(one.zip(other).map(context) { ($0 &+ $1, object).0 })
      case 8: add([one, other, one].sequence().map(context) { ($0.reduce(0, &+), object).0 })
      case 9: add([one, other].firstCompleted())
      case 10: one.onComplete(context) { _ in _ = object }
      case 11: one.onSuccess(context) { [one] _ in _ = (object, one) }
      case 12: _ = one.isCompleted
      case 13: one.cancel()
      case 14:
        let promise = Promise<Int, StoppableError>()
        promise.onCancel { _ = object }
        promise.complete(with: one)
        add(promise.future)
      default: promises.randomElement(using: &generator)?.trySuccess(1)
      }
    }
  }

  /// Runs three threads on a new graph in each round, and checks that it completes and is released.
  private func rounds(_ atEnd: @escaping @Sendable (_ graph: Box<Graph?>, _ thread: Int) -> Void) async {
    let counter = ObjectCounter()
    for round in 0..<1_000 {
      // The box releases the graph although a thread may still hold its closure after `hammer` has returned.
      let graph = Box<Graph?>(Graph(counter))
      await hammer(threads: 3) { thread, _ in
        var generator = SeededGenerator(seed: UInt64(round * 3 + thread))
        for _ in 0..<40 { graph.value?.step(&generator) }
        atEnd(graph, thread)
      }
      #expect(graph.value?.isCompletedByItsPromises() != false, "round \(round)")
      graph.value = nil
      #expect(counter.liveCount == 0, "round \(round)")
    }
  }

  @Test("completing all promises completes every future of the graph, and all objects are released")
  func completed() async {
    await rounds { graph, _ in #expect(graph.value != nil) }
  }

  @Test("releasing the promises releases all objects of the graph")
  func released() async {
    await rounds { graph, thread in if thread == 0 { graph.value = nil } }
  }
}
