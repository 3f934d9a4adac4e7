import Dispatch
import Foundation
import Isolation
import Parallel
import ParallelTesting
import TestSupport
import Snapshotting
import Testing

private func observed<Value, Format: Sendable>(
  _ value: Value, as strategy: Snapshotting<Value, Format>, reference: (@Sendable (Format) -> Bool)? = nil
) -> (format: Format?, entries: [SnapshotLog.Entry], log: SnapshotLog) {
  let log = SnapshotLog()
  let format = immediateValue(of: strategy.capture(value, SnapshotContext(log: log, matchesReference: reference)))
  return (format, log.entries, log)
}

/// A strategy with a list of snapshots.
///
/// It repeats the last one.
private func scripted(_ texts: [String]) -> Snapshotting<Void, String> {
  let taken = Log<Int>()
  return Snapshotting(pathExtension: "txt", diffing: .lines) { _ in
    taken.append(1)
    return texts[min(taken.count, texts.count) - 1]
  }
}

@Suite("Waiting")
struct WaitingStrategyTests {
  @Test("waiting takes the snapshot after the duration, and extends the deadline by it")
  func waits() async throws {
    let clock = ManualClock()
    let log = SnapshotLog()
    let taken = Log<ManualClock.Instant>()
    let strategy = Snapshotting<Int, String>(pathExtension: "x", diffing: .lines) { number in
      taken.append(clock.now)
      return "\(number)"
    }
    let waiting = Snapshotting.waiting(for: .seconds(2), on: strategy, clock: clock)
    #expect(waiting.pathExtension == "x")
    async let text = waiting.capture(7, SnapshotContext(log: log)).value()
    #expect(try await clock.nextSleep() == .zero.advanced(by: .seconds(2)))
    #expect(taken.count == 0 && log.deadlineExtension == .seconds(2))
    clock.advance(by: .seconds(2))
    #expect(try await text == "7")
    #expect(taken.all == [.zero.advanced(by: .seconds(2))])
  }

  @Test("a snapshot that starts on the main thread continues there after the wait")
  @MainActor func mainThread() async throws {
    let clock = ManualClock()
    let strategy = Snapshotting<Int, String>(pathExtension: nil, diffing: .lines) { @Sendable _ in "\(isMainThread())" }
    let answers = AsyncStream<String>.makeStream()
    Snapshotting.waiting(for: .seconds(1), on: strategy, clock: clock).snapshot(1).run {
      answers.continuation.yield($0)
    }
    try await clock.advanceToNextSleep()
    for await answer in answers.stream {
      #expect(answer == "true")
      break
    }
  }

  @Test(
    "a duration that no clock can represent is limited instead of trapping",
    arguments: [.infinity, -.infinity, .nan, .greatestFiniteMagnitude, 1e19] as [TimeInterval])
  func extremeDurations(seconds: TimeInterval) {
    let log = SnapshotLog()
    // The wait starts, and ends with the process.
    Snapshotting.waiting(for: seconds, on: .lines).capture("a", SnapshotContext(log: log)).run { _ in }
    #expect(log.deadlineExtension <= .seconds(31_536_000))
  }
}

@Suite("Retrying")
struct RetryingTests {
  private func run(
    _ texts: [String], within limit: Duration = .seconds(10), reference: (@Sendable (String) -> Bool)? = nil,
    failing failure: String? = nil
  ) async throws -> (text: String, entries: [SnapshotLog.Entry], time: ManualClock.Instant) {
    let clock = ManualClock()
    let log = SnapshotLog()
    let attempts = Log<Int>()
    let strategy = scripted(texts).mapFormat { text, context in
      attempts.append(1)
      if text == failure { context.fail("Attempt \(attempts.count) failed.") }
      return text
    }
    .retrying(every: .seconds(1), within: limit, on: clock)
    async let text = strategy.capture((), SnapshotContext(log: log, matchesReference: reference)).value()
    let mover = Task { while true { try await clock.advanceToNextSleep() } }
    let taken = try await text
    mover.cancel()
    return (taken, log.entries, clock.now)
  }

  @Test("retrying ends when two consecutive snapshots match")
  func stable() async throws {
    let result = try await run(["a", "b", "c", "c", "d"])
    #expect(result.text == "c" && result.entries.isEmpty)
    #expect(result.time == .zero.advanced(by: .seconds(3)))
  }

  @Test("retrying ends when a snapshot matches the reference")
  func reference() async throws {
    let result = try await run(["a", "b", "c", "d"], reference: { $0 == "b" })
    #expect(result.text == "b" && result.entries.isEmpty)
  }

  @Test("a failed attempt does not fail the assertion when a later attempt succeeds")
  func failedAttempt() async throws {
    let result = try await run(["broken", "broken", "c", "c"], failing: "broken")
    #expect(result.text == "c" && result.entries.isEmpty)
    #expect(result.time == .zero.advanced(by: .seconds(3)))
  }

  @Test("when every attempt fails, only the last attempt's entries count")
  func lastAttempt() async throws {
    let result = try await run(["broken"], within: .seconds(3), failing: "broken")
    #expect(result.text == "broken" && result.entries.map(\.message) == ["Attempt 4 failed."])
  }

  @Test("retrying a value that never becomes stable fails with the last difference, and calls back")
  func neverStable() async throws {
    let result = try await run((1...50).map { "\($0)" }, within: .seconds(3))
    #expect(result.text == "4")
    let failure = try #require(result.entries.first)
    #expect(failure.kind == .failure && failure.message.contains("still changing after 3.0 seconds"))
    #expect(failure.message.contains("\u{2212}3") && failure.message.contains("+4"))
  }
}

@Suite("Redacting")
struct RedactionTests {
  private func redacted(_ text: String, _ rule: Redaction) -> String? {
    observed(text, as: SimplySnapshotting.lines.redacting(rule)).format
  }

  @Test("UUIDs and addresses are replaced")
  func identifiers() {
    let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    #expect(redacted("\(id) \(id.lowercased()) \(id)0", .uuids) == "<UUID> <UUID> \(id)0")
    #expect(redacted("<V: 0x00007f8a4c004a10; 0xFF>", .pointers) == "<V: <pointer>; 0xFF>")
  }

  @Test(
    "dates with a time are replaced",
    arguments: [
      ("at 2018-12-17T10:00:00Z.", "at <date>."), ("2018-12-17 10:00:00 +0000", "<date>"),
      ("2018-12-17T10:00:00.123+01:00,", "<date>,"), ("on 2018-12-17", "on 2018-12-17"),
    ])
  func dates(text: String, expected: String) {
    #expect(redacted(text, .dates) == expected)
  }

  @Test("rules are applied in order, and a rule that changes nothing causes a warning")
  func order() {
    let rules = [("first", "a", "b"), ("second", "b", "c"), ("third", "a", "d")]
      .map { name, old, new in Redaction(name) { $0.replacing(old, with: new) } }
    let result = observed("ax", as: SimplySnapshotting.lines.redacting(rules[0], rules[1], rules[2]))
    #expect(result.format == "cx")
    #expect(result.entries.map(\.kind) == [.warning] && result.entries[0].message.contains("third"))
  }
}

@Suite("Transformations of formats")
struct FormatTests {
  @Test("mapFormat changes the format, and passes failures and warnings on")
  func mapFormat() {
    let upper = Snapshotting<String, String>(pathExtension: "txt", diffing: .lines) { text, context in
      context.warn("below")
      return Parallel(value: text)
    }
    .mapFormat { text, _ in text.uppercased() }
    let result = observed("abc", as: upper)
    #expect(result.format == "ABC" && result.entries.map(\.message) == ["below"])
  }

  @Test("an inner strategy compares the transformed format with the reference")
  func matcherBelow() {
    let asked = Log<Bool?>()
    let below = Snapshotting<String, String>(pathExtension: nil, diffing: .lines) { text, context in
      asked.append(context.matchesReference?(text))
      return Parallel(value: text)
    }
    _ = observed("b\na", as: below.mapFormat { text, _ in String(text.reversed()) }, reference: { $0 == "a\nb" })
    _ = observed("b\na", as: below.mapFormat { text, _ in text })
    #expect(asked.all == [true, nil])
  }

  @Test("prefixes of names are joined, and pullback keeps them")
  func named() {
    let strategy = SimplySnapshotting.lines.named("dark").named("wide").pullback { (number: Int) in "\(number)" }
      .mapFormat { text, _ in text }
    #expect(strategy.namePrefix == "wide-dark")
  }
}
