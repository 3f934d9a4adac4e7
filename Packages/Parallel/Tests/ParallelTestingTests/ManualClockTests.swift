import Dispatch
import Foundation
import ParallelTesting
import TestSupport
import Testing

@Suite("Sleeping on a manual clock")
struct ManualClockTests {
  let clock = ManualClock()

  @Test("the time of a manual clock changes only when it is advanced, and never decreases")
  func standsStill() {
    #expect(clock.now == .zero)
    clock.advance(by: .seconds(3))
    #expect(clock.now == at(3))
    clock.advance(by: .seconds(-1))
    clock.advance(to: at(1))
    #expect(clock.now == at(3))
  }

  @Test("a manual clock wakes a sleeping task at its deadline and not before")
  func wakes() async throws {
    let log = Log<String>()
    let sleeper = Task {
      try await clock.sleep(for: .seconds(3))
      log.append("awake at \(clock.now)")
    }
    #expect(try await clock.nextSleep() == at(3))
    clock.advance(by: .milliseconds(2_999))
    #expect(clock.armedDeadlines == [at(3)])
    clock.advance(by: .milliseconds(1))
    #expect(clock.armedCount == 0)
    try await sleeper.value
    #expect(log.all == ["awake at 3.0 seconds"])
  }

  @Test("a cancelled sleep throws CancellationError and is removed from the clock", arguments: [false, true])
  func cancelled(before: Bool) async throws {
    let sleeper = Task { [clock] in
      if before { withUnsafeCurrentTask { $0?.cancel() } }
      try await clock.sleep(for: .seconds(3))
    }
    if !before {
      try await clock.nextSleep()
      sleeper.cancel()
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.armedCount == 0)
  }

  @Test(
    "sleeps(count:) throws CancellationError in a cancelled task and is removed from the clock",
    arguments: [false, true])
  func cancelledWaiter(before: Bool) async throws {
    let waiter = Task { [clock] in
      if before { withUnsafeCurrentTask { $0?.cancel() } }
      try await clock.sleeps(count: 2)
    }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    // Later callbacks must not resume the waiter a second time.
    clock.schedule(at: at(1)) {}
    clock.schedule(at: at(2)) {}
  }

  @Test("idle() waits until all sleeps and callbacks have fired or were cancelled", .timeLimit(.minutes(5)))
  func idle() async throws {
    try await clock.idle()
    let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    clock.schedule(at: at(2)) { [clock] in clock.schedule(at: at(3)) {} }
    try await clock.sleeps(count: 2)
    let log = Log<String>()
    let waiter = Task { [clock] in
      try await clock.idle()
      log.append("idle at \(clock.now)")
    }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    // Gives the waiter time to start.
    for _ in 1...100 { await Task.yield() }
    clock.advance(by: .seconds(2))
    for _ in 1...100 { await Task.yield() }
    #expect(log.all.isEmpty, "idle() returned although a callback had scheduled another one")
    clock.advance(by: .seconds(1))
    try await waiter.value
    #expect(log.all == ["idle at 3.0 seconds"])
    let callback = clock.schedule(after: .seconds(1)) {}
    async let idle: Void = clock.idle()
    callback.cancel()
    try await idle
  }

  @Test("advanceToNextSleep() wakes a task from one sleep after the other")
  func advancesToNextSleep() async throws {
    let sleeper = Task { [clock] in
      for _ in 1...3 { try await clock.sleep(for: .seconds(2)) }
      return clock.now
    }
    for second in [2, 4, 6] { #expect(try await clock.advanceToNextSleep() == at(second)) }
    #expect(try await sleeper.value == at(6))
  }
}

@Suite("Running an operation on a manual clock", .timeLimit(.minutes(5)))
struct ManualClockRunTests {
  let clock = ManualClock()

  @Test("run advances through every sleep of an operation, although each is armed after the one before")
  func sleepsInSequence() async throws {
    let end = try await clock.run { [clock] in
      for second in 1...20 {
        try await clock.sleep(for: .seconds(second))
        await Task.yield()
      }
      return clock.now
    }
    #expect(end == at(210))
  }

  @Test("run throws the error of its operation")
  func failure() async {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await clock.run { [clock] in
        try await clock.sleep(for: .seconds(1))
        throw Failure()
      }
    }
  }

  @Test("run of an operation that waits for another clock throws an error that explains it, and cancels the operation")
  func otherClock() async throws {
    let other = ManualClock()
    let error = await #expect(throws: ManualClock.UnfinishedError.self) {
      // The timeout passes at once. The operation never returns.
      try await clock.run(timeout: .zero) { try await other.sleep(for: .seconds(1)) }
    }
    #expect(error?.armedDeadlines == [])
    #expect("\(try #require(error))".contains("Nothing sleeps on this clock. Pass this clock to the code under test"))
    try await other.idle()
  }

  @Test("cancelling a task in run cancels the operation and throws CancellationError")
  func cancelled() async throws {
    let other = ManualClock()
    let waiter = Task { [clock] in try await clock.run { try await other.sleep(for: .seconds(1)) } }
    try await other.nextSleep()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    try await other.idle()
  }

  @Test("the operation of run uses the actor where it was created")
  @MainActor func actor() async throws {
    var log: [Int] = []
    try await clock.run { [clock] in
      log.append(1)
      try await clock.sleep(for: .seconds(1))
      log.append(2)
    }
    #expect(log == [1, 2])
  }
}

@Suite("Callbacks on a manual clock")
struct ManualClockCallbackTests {
  let clock = ManualClock()
  let log = Log<String>()

  private func note(_ text: String, at second: Int) {
    clock.schedule(at: at(second)) { [clock, log] in log.append("\(text)@\(clock.now.offset.components.seconds)") }
  }

  @Test("callbacks run in the order of their deadlines, then in the order of scheduling")
  func order() {
    note("c", at: 2)
    note("a", at: 1)
    note("d", at: 2)
    note("b", at: 1)
    note("later", at: 3)
    clock.advance(by: .seconds(2))
    #expect(log.all == ["a@1", "b@1", "c@2", "d@2"])
  }

  @Test("a callback that is scheduled during an advance and due within it runs in the same advance")
  func nested() {
    clock.schedule(after: .seconds(1)) { [clock, log] in
      log.append("outer")
      clock.schedule(after: .seconds(1)) { log.append("inner") }
      clock.schedule(after: .seconds(9)) { log.append("too late") }
    }
    clock.advance(by: .seconds(5))
    #expect(log.all == ["outer", "inner"])
    #expect(clock.armedDeadlines == [at(10)])
  }

  @Test("a callback can advance the clock")
  func reentrant() {
    note("b", at: 2)
    clock.schedule(at: at(1)) { [clock, log] in
      log.append("a")
      clock.advance(to: at(3))
      log.append("back in a")
    }
    clock.advance(to: at(1))
    #expect(log.all == ["a", "b@2", "back in a"])
    #expect(clock.now == at(3))
  }

  @Test("cancel() prevents a pending callback and returns whether it did")
  func cancelling() {
    let first = clock.schedule(at: at(1)) { [log] in log.append("first") }
    let second = clock.schedule(at: at(2)) { [log] in log.append("second") }
    #expect(second.cancel())
    #expect(!second.cancel())
    clock.advance(by: .seconds(3))
    #expect(!first.cancel())
    #expect(log.all == ["first"])
  }

  @Test("callbacks run once, one at a time, when several threads schedule, cancel and advance")
  func threads() async {
    let inside = Log<Int>()
    let overlaps = Log<String>()
    let cancelled = Log<Int>()
    await hammer(threads: 4, iterations: 200) { [clock, log] thread, iteration in
      let handle = clock.schedule(after: .milliseconds(iteration % 7)) {
        inside.append(1)
        if inside.all.count % 2 != 1 { overlaps.append("two at once") }
        log.append("ran")
        inside.append(-1)
      }
      if iteration % 3 == 0, handle.cancel() { cancelled.append(1) }
      if iteration % 2 == 0 { clock.advance(by: .milliseconds(1)) }
    }
    clock.advance(by: .seconds(1))
    #expect(overlaps.all.isEmpty)
    #expect(log.all.count + cancelled.all.count == 800)
    #expect(clock.armedCount == 0)
  }

  @Test("every sleeping task wakes when tasks sleep, are cancelled and advance the clock concurrently")
  func tasks() async throws {
    let advancer = Task { [clock] in
      while true { try await clock.advanceToNextSleep() }
    }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask { [clock, log] in
          let sleeper = Task { try await clock.sleep(for: .milliseconds(1 + index % 5)) }
          if index % 4 == 0 { sleeper.cancel() }
          let woke: ()? = try? await sleeper.value
          log.append(woke == nil ? "cancelled" : "woke")
        }
      }
    }
    advancer.cancel()
    await #expect(throws: CancellationError.self) { try await advancer.value }
    #expect(log.all.count == 200)
    #expect(clock.armedCount == 0)
  }
}

private func at(_ second: Int) -> ManualClock.Instant { .init(offset: .seconds(second)) }
