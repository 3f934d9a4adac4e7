import Foundation
import ParallelTesting
import TestSupport
import Snapshotting
import Testing

@Suite("The line diff ends in time")
struct LineDiffLimitTests {
  /// Lines half of which repeat, and the same with each `every`th changed.
  private func pair(lines: Int, every: Int) -> TextPair {
    let old = (0..<lines).map { $0 % 2 == 0 ? "  }" : "  line \($0)" }
    let new = old.enumerated().map { $0 % every == every / 2 ? "  changed \($0)" : $1 }
    return TextPair(old: old.text(endingIn: "\n"), new: new.text(endingIn: "\n"))
  }

  @Test("pain: a line of 10,000 that half repeat: next to no steps")
  func oneLine() {
    let pair = pair(lines: 10_000, every: 10_000)
    let diff = LineDiff(old: pair.old, new: pair.new, limits: LineDiff.Limits(steps: 0))
    #expect(!diff.isCutShort)
    #expect(diff.distance == 2)
  }

  @Test("pain: one line in a hundred of 50,000: fewer steps than lines")
  func hundredth() {
    let pair = pair(lines: 50_000, every: 100)
    let diff = LineDiff(old: pair.old, new: pair.new, limits: LineDiff.Limits(steps: 1_000_000))
    #expect(!diff.isCutShort)
    #expect(diff.distance == 1_000)
  }

  @Test("the same texts, the same difference, wherever it is cut", arguments: [0, 100, 1_000])
  func deterministic(steps: Int) {
    let pair = pair(lines: 600, every: 3)
    let texts = (0..<2).map { _ in LineDiff(old: pair.new, new: pair.old + pair.old, limits: .init(steps: steps)).text }
    #expect(texts[0] == texts[1])
  }

  @Test("ends in the middle of a search, not after it")
  func promptly() throws {
    var numbers = SeededGenerator(seed: 4)
    let lines = { (0..<900).map { _ in "\(Int.random(in: 0...1, using: &numbers))" } }
    // The ends differ, so that all lines are in the one search.
    let (old, new) = (["0"] + lines() + ["0"], ["1"] + lines() + ["1"])
    let diff = LineDiff(old: old.text(endingIn: ""), new: new.text(endingIn: ""), limits: .init(steps: 1_000))
    #expect(diff.isCutShort)
    #expect(diff.distance == old.count + new.count)
  }

  @Test("a deadline on a clock that is handed in")
  func deadline() {
    let clock = ManualClock()
    let (old, new) = ("a\nb\nc\nd\ne", "e\nd\nc\nb\na")
    let limits = LineDiff.Limits(deadline: clock.now.advanced(by: .seconds(1)), clock: clock)
    #expect(!LineDiff(old: old, new: new, limits: limits).isCutShort)
    clock.advance(by: .seconds(1))
    let late = LineDiff(old: old, new: new, limits: limits)
    #expect(late.isCutShort)
    #expect(applying(late.hunks, to: old) == Array(new.utf8))
  }

  @Test("a deadline that passes meanwhile")
  func meanwhile() {
    let clock = TickingClock()
    var numbers = SeededGenerator(seed: 3)
    let lines = { (0..<900).map { _ in "\(Int.random(in: 0...9, using: &numbers))" }.text(endingIn: "\n") }
    let (old, new) = (lines(), lines())
    let early = LineDiff(old: old, new: new, limits: .init(deadline: clock.now.advanced(by: .seconds(4)), clock: clock))
    #expect(early.isCutShort)
    #expect(applying(early.hunks, to: old) == Array(new.utf8))
    #expect(early.distance > LineDiff(old: old, new: new).distance)
  }
}

/// A clock on which a second passes whenever it is read.
// Unchecked: the lock guards the seconds.
private final class TickingClock: Clock, @unchecked Sendable {
  private var seconds = 0
  private let lock = NSLock()

  struct Instant: InstantProtocol {
    var seconds: Duration
    func advanced(by duration: Duration) -> Instant { Instant(seconds: seconds + duration) }
    func duration(to other: Instant) -> Duration { other.seconds - seconds }
    static func < (left: Instant, right: Instant) -> Bool { left.seconds < right.seconds }
  }

  var now: Instant {
    lock.withLock {
      seconds += 1
      return Instant(seconds: .seconds(seconds))
    }
  }

  var minimumResolution: Duration { .seconds(1) }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
