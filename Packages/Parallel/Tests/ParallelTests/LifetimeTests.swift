import Dispatch
import Parallel
import ParallelTesting
import TestSupport
import Testing

@Suite("Lifetime of values and callbacks in a run")
struct LifetimeTests {
  let counter = ObjectCounter()

  private func counted() -> Parallel<CountedObject> {
    let counter = counter
    return Parallel { callback in callback(CountedObject(in: counter)) }
  }

  @Test("a finished zip releases its values")
  func finishedZip() {
    let log = Log<Int>()
    for _ in 1...3 {
      let counter = counter
      zip(counted(), counted().map { $0 }).run { _, _ in log.append(counter.liveCount) }
    }
    #expect(log.all == [2, 2, 2])
    #expect(counter.liveCount == 0)
  }

  @Test("a zip releases the values that arrived when another parallel's callback is released")
  func zipWithReleasedCallback() {
    let held = HeldWork<Int>()
    let object = CountedObject(in: counter)
    zip(counted(), held.parallel, counted()).run { _, _, _ in _ = object }
    #expect(counter.liveCount == 3)
    held.drop()
    #expect(counter.liveCount == 1)
    _ = object
  }

  @Test("callbacks that outlive their call do not retain the values that they passed on")
  func keptCallbacks() {
    let stages: [(Parallel<CountedObject>) -> Parallel<Int>] = [
      { $0.map { _ in 1 } },
      { zip($0, Parallel { $0(1) }, with: { $1 }) },
      { [$0].sequence().map(\.count) },
      { race($0).map { _ in 1 } },
    ]
    for (index, stage) in stages.enumerated() {
      let held = HeldWork<CountedObject>()
      #expect(answers(of: stage(held.parallel)).isEmpty)
      held.answer(CountedObject(in: counter))
      #expect(counter.liveCount == 0, "stage \(index)")
      held.drop()
    }
  }

  @Test("a sequence that can never complete releases the values that arrived")
  func unfinishedTraverse() {
    let held = HeldWork<CountedObject>()
    [counted(), held.parallel, counted()].sequence().run { _ in }
    #expect(counter.liveCount == 2)
    held.drop()
    #expect(counter.liveCount == 0)
  }

  @Test("releasing the callback of the work releases the callback of the run, for every operator")
  func releasedCallback() {
    let stages: [(Parallel<Int>) -> Parallel<Int>] = [
      { $0 },
      { $0.map { $0 } },
      { $0.flatMap { Parallel(value: $0) } },
      { parallel in Parallel(value: 0).flatMap { _ in parallel } },
      { zip($0, Parallel(value: 1), Parallel { $0(2) }, with: { a, _, _ in a }) },
      { [Parallel { $0(1) }, $0, Parallel { _ in }].sequence().map { $0[0] } },
      { parallel in [1, 2, 3].traverse(maxConcurrent: 1) { _ in parallel }.map { $0[0] } },
      { race($0, Parallel { _ in }) },
      { $0.delay(for: .seconds(1), on: ManualClock()) },
      { $0.receive(on: .global()) },
    ]
    for (index, stage) in stages.enumerated() {
      let held = HeldWork<Int>()
      pending(stage(held.parallel))
      #expect(held.runCount == 1, "stage \(index)")
      #expect(counter.liveCount == 1, "stage \(index) released its callback too early")
      held.drop()
      #expect(counter.liveCount == 0, "stage \(index)")
    }
  }

  private func pending(_ parallel: Parallel<Int>) {
    let object = CountedObject(in: counter)
    parallel.run { _ in _ = object }
  }

  @Test("a finished race releases its callback although a loser keeps its own")
  func wonRace() {
    let (winner, loser) = (HeldWork<Int>(), HeldWork<Int>())
    pending(race(winner.parallel, loser.parallel))
    winner.answer(1)
    winner.drop()
    #expect(counter.liveCount == 0)
    loser.answer(2)
  }

  @Test(
    "a timeout that passes releases its callback although the work keeps its own", .timeLimit(.minutes(1)))
  func timedOut() async throws {
    let clock = ManualClock()
    let held = HeldWork<Int>()
    let (release, continuation) = AsyncStream<Never>.makeStream()
    do {
      let object = ReleaseObserver(continuation)
      held.parallel.timeout(after: .seconds(1), on: clock).run { _ in _ = object }
    }
    try await clock.advanceToNextSleep()
    // The timer's task releases the object, perhaps later. The stream ends then.
    for await _ in release {}
    held.answer(1)
  }

  /// Finishes a stream when it is released.
  private final class ReleaseObserver: Sendable {
    private let continuation: AsyncStream<Never>.Continuation

    init(_ continuation: AsyncStream<Never>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
  }
}
