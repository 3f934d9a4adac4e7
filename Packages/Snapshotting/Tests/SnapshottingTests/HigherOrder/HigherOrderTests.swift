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

  @Test("the spellings of the article and of swift-snapshot-testing exist, and a duration of zero does not wait")
  func spellings() async throws {
    #expect(try await Snapshotting.waiting(for: 0, on: .lines).snapshot("a").value() == "a")
    #expect(try await Snapshotting.wait(for: -1, on: .lines).snapshot("a").value() == "a")
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

  @Test("a failed attempt that matches the reference is repeated")
  func failedMatch() async throws {
    let result = try await run(["broken", "c"], reference: { $0 == "broken" || $0 == "c" }, failing: "broken")
    #expect(result.text == "c" && result.entries.isEmpty)
  }

  @Test("when every attempt fails, only the last attempt's entries count")
  func lastAttempt() async throws {
    let result = try await run(["broken"], within: .seconds(3), failing: "broken")
    #expect(result.text == "broken" && result.entries.map(\.message) == ["Attempt 4 failed."])
  }

  @Test("an attempt can extend the deadline while it runs")
  func extendingAttempt() async throws {
    let clock = ManualClock()
    let log = SnapshotLog()
    let strategy = Snapshotting<Void, String>(pathExtension: nil, diffing: .lines) { _, context in
      context.extendDeadline(by: .seconds(7))
      return Parallel(value: "a")
    }
    _ = try await strategy.retrying(every: .seconds(1), within: .seconds(2), on: clock)
      .capture((), SnapshotContext(log: log, matchesReference: { _ in true })).value()
    #expect(log.deadlineExtension == .seconds(9))
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

@Suite("Determinism")
struct DeterminismTests {
  @Test("a value with two equal snapshots passes")
  func same() {
    let result = observed((), as: scripted(["a"]).checkingDeterminism())
    #expect(result.format == "a" && result.entries.isEmpty)
  }

  @Test("a value with two different snapshots fails with the difference, and returns the first")
  func different() throws {
    let result = observed((), as: scripted(["a", "b"]).checkingDeterminism())
    #expect(result.format == "a")
    let failure = try #require(result.entries.first)
    #expect(failure.kind == .failure && failure.message.contains("\u{2212}a") && failure.message.contains("+b"))
  }

  @Test("a warning or a failure of both snapshots is reported once, and a failure of only the second one too")
  func once() {
    for (failing, expected) in [
      (1...2, ["warning", "failure"]), (2...2, ["warning", "failure"]), (3...3, ["warning"]),
    ] {
      let attempts = Log<Int>()
      let strategy = scripted(["a"]).mapFormat { text, context in
        attempts.append(1)
        context.warn("warning")
        if failing.contains(attempts.count) { context.fail("failure") }
        return text
      }
      #expect(observed((), as: strategy.checkingDeterminism()).entries.map(\.message) == expected)
    }
  }

  @Test("a warning of only one of the two snapshots is reported", arguments: 1...2, [false, true])
  func warning(of warning: Int, isFailing: Bool) {
    let attempts = Log<Int>()
    let strategy = scripted(["a"]).mapFormat { text, context in
      attempts.append(1)
      if isFailing { context.fail("failure") }
      if attempts.count == warning { context.warn("warning") }
      return text
    }
    let messages = observed((), as: strategy.checkingDeterminism()).entries.map(\.message)
    #expect(messages == (isFailing ? ["failure", "warning"] : ["warning"]))
  }
}

@Suite("Redacting")
struct RedactionTests {
  private func redacted(_ text: String, _ rule: Redaction) -> String? {
    observed(text, as: SimplySnapshotting.lines.redacting(rule)).format
  }

  @Test("equal UUIDs and pointers have equal numbers")
  func numbered() {
    let (a, b) = ("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "00000000-0000-0000-0000-000000000001")
    #expect(redacted("\(a) \(b) \(a.lowercased())", .uuids) == "<UUID 1> <UUID 2> <UUID 1>")
    #expect(redacted("<V: 0x00007f8a4c004a10; 0x00007f8a4c004a20>", .pointers) == "<V: <pointer 1>; <pointer 2>>")
    #expect(redacted("0xFF", .pointers) == "0xFF")
  }

  @Test(
    "dates, durations and folders are replaced",
    arguments: [
      ("at 2018-12-17T10:00:00Z.", "at <date>."), ("2018-12-17 10:00:00 +0000", "<date>"),
      ("2018-12-17T10:00:00.123+01:00,", "<date>,"), ("on 2018-12-17", "on 2018-12-17"),
    ])
  func dates(text: String, expected: String) {
    #expect(redacted(text, .dates) == expected)
  }

  @Test(
    "durations are replaced",
    arguments: [
      ("took 1.5 s", "took <duration>"), ("in 20ms.", "in <duration>."), ("3 seconds", "<duration>"),
      ("3 birds", "3 birds"),
      ("v1.5s", "v1.5s"),
    ])
  func durations(text: String, expected: String) {
    #expect(redacted(text, .durations) == expected)
  }

  @Test(
    "folders of absolute paths are replaced, and relative paths and URLs are kept",
    arguments: [
      ("at /Library/a b/c.swift:3", "at <path>a b/c.swift:3"), ("/usr/lib/x.so", "<path>x.so"), ("a/b/c", "a/b/c"),
      ("https://a.b/c/d", "https://a.b/c/d"), ("file:///tmp/x/y.txt", "<path>y.txt"),
    ])
  func paths(text: String, expected: String) {
    #expect(redacted(text, .absolutePaths) == expected)
  }

  @Test("rules are applied in order, and a rule that matches nothing causes a warning")
  func order() throws {
    let strategy = SimplySnapshotting.lines.redacting(
      .text("a", with: "b"), try Redaction(pattern: "b(.)", with: "<$1>"), .text("a"))
    let result = observed("ax", as: strategy)
    #expect(result.format == "<x>")
    #expect(result.entries.map(\.kind) == [.warning])
    #expect(result.entries[0].message.contains("a given text"))
    #expect(throws: Redaction.PatternError.self) { try Redaction(pattern: "(", with: "") }
  }

  private struct Session: Sendable {
    var user = "Blobby"
    var token = UUID()
  }

  @Test("a part of a value is replaced by its key path")
  func keyPath() throws {
    let strategy = Snapshotting<Session, String>.readable.redacting(\.user, with: "x").redacting(
      \.token, with: try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000001")))
    #expect(
      taken(Session(), as: strategy)
        == "Session(\n  user: \"x\",\n  token: UUID(00000000-0000-0000-0000-000000000001)\n)")
  }
}

@Suite("Transformations of formats")
struct FormatTests {
  @Test("lines are sorted by their bytes, and a final newline is kept")
  func sorted() {
    #expect(taken("b\na\n", as: SimplySnapshotting.lines.sorted()) == "a\nb\n")
    #expect(taken("b\na", as: SimplySnapshotting.lines.sorted()) == "a\nb")
    #expect(taken("b\r\na\r\n", as: SimplySnapshotting.lines.sorted()) == "a\r\nb\r\n")
  }

  @Test("LF and CR LF are equal in the snapshot and in the reference")
  func lineEndings() throws {
    let strategy = SimplySnapshotting.lines.normalisingLineEndings()
    #expect(taken("a\r\nb\rc\n\r\n", as: strategy) == "a\nb\nc\n\n")
    #expect(strategy.diffing.diff("a\r\nb", "a\nb") == nil)
    #expect(strategy.diffing.diff("a\r\nb", "a\nc") != nil)
  }

  @Test("mapFormat changes the format, and passes failures and warnings on")
  func mapFormat() {
    let counted = Snapshotting<String, String>(pathExtension: "txt", diffing: .lines) { text, context in
      context.warn("below")
      return Parallel(value: text)
    }
    .mapFormat(pathExtension: "n", diffing: .lines) { "\($0.count)" }
    let result = observed("abc", as: counted)
    #expect(result.format == "3" && result.entries.map(\.message) == ["below"] && counted.pathExtension == "n")
  }

  @Test("an inner strategy compares the transformed format with the reference")
  func matcherBelow() {
    let asked = Log<Bool?>()
    let below = Snapshotting<String, String>(pathExtension: nil, diffing: .lines) { text, context in
      asked.append(context.matchesReference?(text))
      return Parallel(value: text)
    }
    _ = observed("b\na", as: below.sorted(), reference: { $0 == "a\nb" })
    _ = observed("b\na", as: below.sorted())
    #expect(asked.all == [true, nil])
  }

  @Test("prefixes of names are joined, and pullback keeps them")
  func named() {
    let strategy = SimplySnapshotting.lines.named("dark").named("wide").pullback { (number: Int) in "\(number)" }
      .sorted()
    #expect(strategy.namePrefix == "wide-dark")
  }

  @Test("a custom transformation keeps the prefix of the names")
  func namedCustomStrategies() {
    var replaced = SimplySnapshotting.lines.named("dark")
    replaced.capture = { [capture = replaced.capture] text, context in capture(text + "!", context) }
    #expect(replaced.namePrefix == "dark" && taken("a", as: replaced) == "a!")

    let base = SimplySnapshotting.lines.named("dark")
    let created = [
      Snapshotting<Int, String>(pathExtension: "txt", diffing: base.diffing, namePrefix: base.namePrefix) {
        base.capture("\($0)", $1)
      },
      Snapshotting<Int, String>(
        pathExtension: "txt", diffing: base.diffing, namePrefix: base.namePrefix,
        asyncSnapshot: { Parallel(value: "\($0)") }),
      Snapshotting<Int, String>(
        pathExtension: "txt", diffing: base.diffing, namePrefix: base.namePrefix, snapshot: { "\($0)" }),
    ]
    #expect(created.map(\.namePrefix) == ["dark", "dark", "dark"])
    #expect(SimplySnapshotting(pathExtension: nil, diffing: base.diffing, namePrefix: "dark").namePrefix == "dark")
  }
}
