import Foundation
import Futures
import TestSupport
import Testing

@Suite("Promises and futures that several threads use at the same time")
struct HammerTests {
  @Test("exactly one of several concurrent completions succeeds, and all threads then see its result")
  func oneWinner() async {
    let promises = (0..<10_000).map { _ in Promise<Int, TestError>() }
    let (wins, wrong) = (Box(0), Box(0))
    await hammer(threads: 4) { thread, _ in
      for promise in promises {
        let isWinner = promise.trySuccess(thread)
        if isWinner { wins.update { $0 += 1 } }
        if promise.future.value == nil || isWinner && promise.future.value != thread { wrong.update { $0 += 1 } }
      }
    }
    #expect(wins.value == promises.count)
    #expect(wrong.value == 0)
  }

  @Test("callbacks and operators that are added while another thread completes the promise run once each")
  func addingAgainstCompleting() async {
    for _ in 0..<100 {
      let (promise, runs, made) = (Promise<Int, TestError>(), Box(0), Log<Future<Int, TestError>>())
      await hammer(threads: 4) { thread, _ in
        if thread == 0 { return promise.success(1) }
        for _ in 0..<50 {
          promise.future.onSuccess(now) { value in runs.update { $0 += value } }
          let mapped = promise.future.map(now) { value in
            runs.update { $0 += value }
            return value
          }
          made.append(mapped.flatMap(now) { Future(value: $0) })
          made.append([mapped, promise.future].sequence().map(now) { $0.reduce(0, +) - 1 })
        }
      }
      #expect(runs.value == 300)
      #expect(made.all.allSatisfy { $0.value == 1 })
    }
  }

  @Test(
    "cancelling calls each handler once, in each thread's order, when several threads added handlers", arguments: 0..<20
  )
  func handlers(index: Int) async {
    let (promise, log) = (Promise<Int, StoppableError>(), Log<Int>())
    await hammer(threads: 4) { thread, _ in
      if thread == 3 { return promise.future.cancel() }
      for index in 0..<100 { promise.onCancel { log.append(100 * thread + index) } }
    }
    #expect(log.all.sorted() == Array(0..<300))
  }

  @Test("a task that is cancelled while its future completes gets the future's result", arguments: 0..<100)
  func cancelledTask(index: Int) async {
    let work = Work<Int, StoppableError>()
    let task = Task.immediate { () -> Result<Int, StoppableError> in
      do throws(StoppableError) { return .success(try await work.future.get()) } catch { return .failure(error) }
    }
    await hammer(threads: 2) { thread, _ in
      if thread == 0 { task.cancel() } else { work.promise.success(1) }
    }
    let result = await task.value
    #expect(result == work.future.result)
    #expect(result == .success(1) || result == .failure(.stopped))
  }

  // MARK: Random graphs

  private typealias Number = Future<Int, StoppableError>

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
      return futures.value.allSatisfy { $0.onComplete(now) { _ in }.isCompleted }
    }

    func step<G: RandomNumberGenerator>(_ generator: inout G) {
      let (one, other, object) = (any(&generator), any(&generator), counter.object())
      switch Int.random(in: 0..<15, using: &generator) {
      case 0, 1: add(one.map(now) { ($0 &+ 1, object).0 })
      case 2, 3, 4: add(one.flatMap(now) { _ in (other, object).0 })
      case 5: add(one.recoverWith(now) { _ in (other, object).0 })
      case 6, 7: add(one.zip(other).map(now) { ($0 &+ $1, object).0 })
      case 8: add([one, other, one].sequence().map(now) { ($0.reduce(0, &+), object).0 })
      case 9: add([one, other].firstCompleted())
      case 10: one.onComplete(now) { [one] _ in _ = (object, one) }
      case 11: _ = one.isCompleted
      case 12: one.cancel()
      case 13:
        let promise = Promise<Int, StoppableError>()
        promise.onCancel { _ = object }
        promise.complete(with: one)
        add(promise.future)
      default: promises.randomElement(using: &generator)?.trySuccess(1)
      }
    }
  }

  @Test(
    "a random graph that three threads extend, read, cancel and complete ends with its promises, and releases its objects",
    arguments: [true, false])
  func graph(isReleased: Bool) async {
    let counter = ObjectCounter()
    for round in 0..<500 {
      // The box releases the graph although a thread may still hold its closure after `hammer` has returned.
      let graph = Box<Graph?>(Graph(counter))
      await hammer(threads: 3) { thread, _ in
        var generator = SeededGenerator(seed: UInt64(round * 3 + thread))
        for _ in 0..<40 { graph.value?.step(&generator) }
        if isReleased, thread == 0 { graph.value = nil }
      }
      #expect(graph.value?.isCompletedByItsPromises() != false, "round \(round)")
      graph.value = nil
      #expect(counter.liveCount == 0, "round \(round)")
    }
  }
}
