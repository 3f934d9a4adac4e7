import Dispatch
import Parallel
import ParallelTesting
import TestSupport
import Testing

@Suite("Lifetime of values and callbacks in a run")
struct LifetimeTests {
  let counter = ObjectCounter()

  private func counted() -> Parallel<CountedObject> {
    Parallel { [counter] callback in callback(CountedObject(in: counter)) }
  }

  @Test("zip and sequence release the values that arrived when another parallel's callback is released")
  func unfinished() {
    for isZip in [true, false] {
      let held = HeldWork<CountedObject>()
      if isZip {
        zip(counted(), held.parallel, counted()).run { _, _, _ in }
      } else {
        [counted(), held.parallel, counted()].sequence().run { _ in }
      }
      #expect(counter.liveCount == 2)
      held.drop()
      #expect(counter.liveCount == 0)
    }
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
      do {
        let object = CountedObject(in: counter)
        stage(held.parallel).run { _ in _ = object }
      }
      #expect(counter.liveCount == 1, "stage \(index) released its callback too early")
      held.drop()
      #expect(counter.liveCount == 0, "stage \(index)")
    }
  }

  @Test("a finished race and a timeout release their callback although a loser keeps its own", .timeLimit(.minutes(5)))
  func losers() async throws {
    let (clock, held) = (ManualClock(), HeldWork<Int>())
    let (release, continuation) = AsyncStream<Never>.makeStream()
    do {
      let object = ReleaseObserver(continuation)
      race(held.parallel, Parallel(value: 1)).run { _ in _ = object }
      held.parallel.timeout(after: .seconds(1), on: clock).run { _ in _ = object }
    }
    try await clock.advanceToNextSleep()
    // The timer's task releases the object, perhaps later. The stream ends then.
    for await _ in release {}
    held.drop()
  }

  /// Finishes a stream when it is released.
  private final class ReleaseObserver: Sendable {
    private let continuation: AsyncStream<Never>.Continuation

    init(_ continuation: AsyncStream<Never>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
  }
}
