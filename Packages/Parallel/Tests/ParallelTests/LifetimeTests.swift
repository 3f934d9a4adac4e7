import Dispatch
import Parallel
import ParallelTesting
import Testing

@Suite("What a run holds, and until when")
struct LifetimeTests {
  let census = Census()

  private func tracked() -> Parallel<Tracked> {
    let census = census
    return Parallel { callback in callback(Tracked(in: census)) }
  }

  @Test("regression: a finished zip leaves nothing behind")
  func zipLeavesNothing() {
    let log = Log<Int>()
    for _ in 1...3 {
      let census = census
      zip(tracked(), tracked().map { $0 }).run { _, _ in log.append(census.population) }
    }
    #expect(log.all == [2, 2, 2])
    #expect(census.population == 0)
  }

  @Test("regression: a zip of which one callback is dropped lets go of the values that came")
  func zipWithADroppedCallback() {
    let held = HeldWork<Int>()
    let object = Tracked(in: census)
    zip(tracked(), held.parallel, tracked()).run { _, _, _ in _ = object }
    #expect(census.population == 3)
    held.drop()
    #expect(census.population == 1)
    _ = object
  }

  @Test("regression: values that were passed on are not kept by callbacks that outlive their call")
  func keptCallbacks() {
    let stages: [(Parallel<Tracked>) -> Parallel<Int>] = [
      { $0.map { _ in 1 } },
      { zip($0, Parallel { $0(1) }, with: { $1 }) },
      { [$0].sequence().map(\.count) },
      { race($0).map { _ in 1 } },
    ]
    for (index, stage) in stages.enumerated() {
      let held = HeldWork<Tracked>()
      #expect(answers(of: stage(held.parallel)).isEmpty)
      held.answer(Tracked(in: census))
      #expect(census.population == 0, "stage \(index)")
      held.drop()
    }
  }

  @Test("values that came to a run that never ends are let go of with it")
  func unfinishedTraverse() {
    let held = HeldWork<Tracked>()
    [tracked(), held.parallel, tracked()].sequence().run { _ in }
    #expect(census.population == 2)
    held.drop()
    #expect(census.population == 0)
  }

  @Test("a run whose callback is dropped is let go of, with all that waits for it")
  func droppedCallback() {
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
      #expect(census.population == 1, "stage \(index): still wanted")
      held.drop()
      #expect(census.population == 0, "stage \(index)")
    }
  }

  /// Starts a run whose callback holds an object.
  private func pending(_ parallel: Parallel<Int>) {
    let object = Tracked(in: census)
    parallel.run { _ in _ = object }
  }

  @Test("regression: a race that is won lets go of the callback, though a loser never lets go of its own")
  func wonRace() {
    let (winner, loser) = (HeldWork<Int>(), HeldWork<Int>())
    pending(race(winner.parallel, loser.parallel))
    winner.answer(1)
    winner.drop()
    #expect(census.population == 0)
    loser.answer(2)
  }

  @Test(
    "regression: a time-out lets go of the callback, though the work never lets go of its own", .timeLimit(.minutes(1)))
  func timedOut() async throws {
    let clock = ManualClock()
    let held = HeldWork<Int>()
    let (gone, leaving) = AsyncStream<Never>.makeStream()
    do {
      let object = Leaving(leaving)
      held.parallel.timeout(after: .seconds(1), on: clock).run { _ in _ = object }
    }
    try await clock.advanceToNextSleep()
    // It goes with the alarm's task, which may still be on its way out: this comes to an end when it has.
    for await _ in gone {}
    held.answer(1)
  }

  /// What says when it goes.
  private final class Leaving: Sendable {
    private let announcement: AsyncStream<Never>.Continuation

    init(_ announcement: AsyncStream<Never>.Continuation) { self.announcement = announcement }

    deinit { announcement.finish() }
  }
}
