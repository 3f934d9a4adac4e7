import TestSupport
import Testing

@testable import Snapshotting

@Suite("The limits of the line diff")
struct LineDiffLimitTests {
  /// Lines, half of them repeated, and the same lines with a change in each `every`th line.
  private func pair(lines: Int, every: Int) -> TextPair {
    let old = (0..<lines).map { $0 % 2 == 0 ? "  }" : "  line \($0)" }
    let new = old.enumerated().map { $0 % every == every / 2 ? "  changed \($0)" : $1 }
    return TextPair(old: old.text(endingIn: "\n"), new: new.text(endingIn: "\n"))
  }

  @Test("one change in 10,000 lines, half of them repeated, takes almost no steps")
  func oneLine() {
    let pair = pair(lines: 10_000, every: 10_000)
    let diff = LineDiff(old: pair.old, new: pair.new, steps: 0)
    #expect(!diff.isCutShort)
    #expect(diff.distance == 2)
  }

  @Test("500 changes in 50,000 lines take fewer than 1,000,000 steps")
  func hundredth() {
    let pair = pair(lines: 50_000, every: 100)
    let diff = LineDiff(old: pair.old, new: pair.new, steps: 1_000_000)
    #expect(!diff.isCutShort)
    #expect(diff.distance == 1_000)
  }

  @Test("the difference of two texts is the same in every run, also at the limit", arguments: [0, 100, 1_000])
  func deterministic(steps: Int) {
    let pair = pair(lines: 600, every: 3)
    let texts = (0..<2).map { _ in LineDiff(old: pair.new, new: pair.old + pair.old, steps: steps).text }
    #expect(texts[0] == texts[1])
  }

  @Test("the limit ends a search before its result")
  func promptly() throws {
    var numbers = SeededGenerator(seed: 4)
    let lines = { (0..<900).map { _ in "\(Int.random(in: 0...1, using: &numbers))" } }
    // The ends differ, so that one search has all lines.
    let (old, new) = (["0"] + lines() + ["0"], ["1"] + lines() + ["1"])
    let diff = LineDiff(old: old.text(endingIn: ""), new: new.text(endingIn: ""), steps: 1_000)
    #expect(diff.isCutShort)
    #expect(diff.distance == old.count + new.count)
  }
}
