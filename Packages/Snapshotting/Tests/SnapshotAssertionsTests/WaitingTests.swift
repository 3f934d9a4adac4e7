import Foundation
import ParallelTesting
import TestSupport
import Testing

@testable import SnapshotAssertions
@testable import SnapshotStore

extension Snapshotting where Value == String, Format == String {
  /// Finishes on another queue.
  fileprivate static let onQueue = SimplySnapshotting.lines.asyncPullback { (text: String) in
    Parallel<String> { callback in DispatchQueue.global().async { callback(text) } }
  }
  /// Finishes on the cooperative pool after several suspensions.
  fileprivate static let onPool = SimplySnapshotting.lines.asyncPullback { (text: String) in
    Parallel<String> {
      for _ in 1...10 { await Task.yield() }
      return await Task.detached(priority: Task.currentPriority) { text }.value
    }
  }
  /// Finishes on the main actor.
  fileprivate static let onMainActor = SimplySnapshotting.lines.asyncPullback { (text: String) in
    Parallel<String> { await MainActor.run { text } }
  }
  /// Never finishes.
  fileprivate static let never = SimplySnapshotting.lines.asyncPullback { (_: String) in Parallel<String> { _ in } }
}

@Suite("Waiting for asynchronous snapshots", .timeLimit(.minutes(5)))
struct WaitingTests {
  private let snapshots = SnapshotFolder()
  private let site = AssertionSite(fileID: "T/T.swift", filePath: #filePath, line: 1, column: 1)

  private func outcome<C: Clock>(
    of text: String, as strategy: Snapshotting<String, String>, timeout: Duration = .seconds(5), on clock: C,
    isolation: isolated (any Actor)? = #isolation
  ) async -> AssertionOutcome where C.Duration == Duration {
    let assertion = Assertion(
      name: "a", record: .missing, snapshotDirectory: snapshots.path, timeout: timeout.inSeconds, testName: "test()",
      site: site, test: .made(), process: TestProcess())
    return await verify({ text }, as: strategy, in: assertion, on: clock)
  }

  @Test("a timeout that is not above 0 is an error", arguments: [0, -1, .nan])
  func invalidTimeout(timeout: TimeInterval) {
    let failure = snapshots.outcome(of: "x", as: .lines, timeout: timeout).failure
    #expect(failure?.contains("the timeout is \(timeout) seconds. Set `timeout` above 0.") == true)
  }

  @Test("the longest possible retry and interval pass")
  func longest() async throws {
    try snapshots.write("x", to: "test.a.txt")
    let strategy = SimplySnapshotting.lines.retrying(every: .seconds(Int64.max), within: .seconds(Int64.max))
    #expect(await outcome(of: "x", as: strategy, on: ContinuousClock()).failure == nil)
    #expect(snapshots.outcome(of: "x", as: strategy, named: "a").failure == nil)
  }

  @Test("on the main actor, the asynchronous form waits for a strategy that needs the main actor")
  @MainActor func mainActor() async throws {
    try snapshots.write("x", to: "test.a.txt")
    #expect(await outcome(of: "x", as: .onMainActor, timeout: .seconds(600), on: ContinuousClock()).failure == nil)
  }

  @Test("many concurrent tests with asynchronous strategies pass")
  func manyAtOnce() async throws {
    try snapshots.write("x", to: "test.a.txt")
    let clock = ManualClock()
    let slow = SimplySnapshotting.lines.asyncPullback { (text: String) in
      Parallel(value: text).delay(for: .milliseconds(10), on: clock)
    }
    let failures = await withTaskGroup { group in
      for _ in 1...32 {
        group.addTask { await outcome(of: "x", as: slow, timeout: .seconds(600), on: ContinuousClock()).failure }
      }
      _ = try? await clock.sleeps(count: 32)
      clock.advance(by: .milliseconds(10))
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.count == 32 && failures.allSatisfy { $0 == nil })
  }

  @Test("a timeout ends the wait at the deadline and names the strategy")
  func timeout() async throws {
    let clock = ManualClock()
    async let failure = outcome(of: "x", as: .never, timeout: .seconds(3), on: clock).failure
    #expect(try await clock.nextSleep() == .zero.advanced(by: .seconds(3)))
    clock.advance(by: .seconds(3))
    let text = try #require(await failure)
    #expect(
      text.hasPrefix("Exceeded timeout of 3 seconds waiting for snapshot.\n\nThe strategy Snapshotting<String, String>")
    )
  }

  @Test("a strategy can extend the deadline during the wait")
  func extendedLate() async throws {
    let clock = ManualClock()
    let patient = Snapshotting<String, String>(pathExtension: "txt", diffing: .lines) { text, context in
      Parallel(value: ()).delay(for: .seconds(2), on: clock).flatMap { _ in
        context.extendDeadline(by: .seconds(10))
        return Parallel(value: text).delay(for: .seconds(10), on: clock)
      }
    }
    try snapshots.write("x", to: "test.a.txt")
    let outcomes = Log<String?>()
    let waiting = Task { outcomes.append(await outcome(of: "x", as: patient, timeout: .seconds(3), on: clock).failure) }
    try await clock.sleeps(count: 2)
    clock.advance(by: .seconds(2))
    try await clock.sleeps(count: 2)
    clock.advance(by: .seconds(1))
    // The first deadline has passed. Either the assertion waits for the next one, or it has failed.
    while clock.armedCount < 2 && outcomes.count == 0 {
      try Task.checkCancellation()
      await Task.yield()
    }
    clock.advance(by: .seconds(9))
    await waiting.value
    #expect(outcomes.all == [nil])
  }

  @Test("cancelling a test ends the wait")
  func cancelled() async {
    let task = Task { await outcome(of: "x", as: .never, on: ManualClock()).failure }
    task.cancel()
    #expect(await task.value?.contains("cancelled") == true)
  }

  @Test("on the main actor, the synchronous form waits for a strategy that finishes elsewhere")
  @MainActor func finishesElsewhere() throws {
    try snapshots.write("x", to: "test.a.txt")
    let strategies: [Snapshotting<String, String>] = [
      .onQueue, .onPool, .waiting(for: 0.01, on: .lines), .wait(for: 0.01, on: .waiting(for: 0.01, on: .onQueue)),
    ]
    for strategy in strategies {
      #expect(snapshots.outcome(of: "x", as: strategy, named: "a", timeout: 600, line: 1).failure == nil)
    }
  }

  @Test("the synchronous form passes in the callback of a chain of a hundred parallels")
  func inDeepCallback() throws {
    try snapshots.write("x", to: "test.a.txt")
    let failures = Log<String?>()
    var chain = Parallel(value: "x")
    for _ in 1...100 { chain = chain.map { $0 } }
    chain.run { [snapshots] text in
      failures.append(snapshots.outcome(of: text, as: .lines, named: "a", timeout: 0.5, line: 1).failure)
    }
    #expect(failures.all == [nil])
  }

  @Test("on the main actor, the synchronous form names the other form when the strategy needs the main actor")
  @MainActor func impossible() {
    let failure = snapshots.outcome(of: "x", as: .onMainActor, timeout: 0.1).failure
    #expect(failure?.hasPrefix("Exceeded timeout of 0.1 seconds waiting for snapshot.") == true)
    #expect(failure?.contains("This call blocks the main actor") == true)
    #expect(failure?.contains("await expectSnapshot(of: …, as: …)") == true)
    #expect(snapshots.files.isEmpty)
  }

  @Test("many concurrent tests with synchronous assertions all pass, although their strategies need the pool")
  func manySynchronous() async throws {
    try snapshots.write("x", to: "test.a.txt")
    let strategies: [Snapshotting<String, String>] = [
      .waiting(for: 0.01, on: .lines), .onPool, .onQueue, .waiting(for: 0.01, on: .onMainActor),
    ]
    let failures = await withTaskGroup { group in
      for number in 1...64 {
        group.addTask {
          snapshots.outcome(of: "x", as: strategies[number % strategies.count], named: "a", timeout: 600, line: 1)
            .failure
        }
      }
      return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
    }
    #expect(failures.isEmpty)
  }

  @Test("on a separate thread, the synchronous form waits for a strategy that needs the main actor")
  func thread() async throws {
    try snapshots.write("x", to: "test.1.txt")
    // Long enough for a busy machine. The test does not wait that long.
    let failure = await onThread { snapshots.outcome(of: "x", as: .onMainActor, timeout: 1_000).failure }
    #expect(failure == nil)
  }
}
