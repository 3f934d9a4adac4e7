import TestSupport
import Testing

@testable import Snapshotting

@Suite("The line diff is correct")
struct LineDiffLawTests {
  /// With `PROPERTY_COUNT=50` these are 100,000 pairs.
  private static let count = 1_000

  private func holds(_ pair: TextPair) -> Bool {
    let diff = LineDiff(old: pair.old, new: pair.new)
    guard diff.isEmpty == pair.old.utf8.elementsEqual(pair.new.utf8), !diff.isCutShort else { return false }
    return applying(diff.hunks, to: pair.old) == Array(pair.new.utf8)
      && diff.distance == (diff.isEmpty ? 0 : leastDistance(pair))
  }

  @Test("the hunks of edited texts are correct and minimal")
  func edited() throws {
    try checkProperty("apply(diff(a, b), a) = b", count: Self.count, .editedTexts) { holds($0) }
  }

  @Test("the hunks of unrelated texts are correct and minimal")
  func strangers() throws {
    try checkProperty("apply(diff(a, b), a) = b", count: Self.count, .strangers) { holds($0) }
  }

  @Test("the reverse difference removes as many lines as the difference adds")
  func symmetry() throws {
    try checkProperty("|diff(a, b)| = |diff(b, a)|", .editedTexts) { pair in
      LineDiff(old: pair.old, new: pair.new).distance == LineDiff(old: pair.new, new: pair.old).distance
    }
  }

  @Test("the difference is minimal for texts of 1,000 lines", arguments: [2, 8, 300])
  func thousand(kinds: Int) {
    var numbers = SeededGenerator(seed: UInt64(kinds))
    let lines = { (0..<1_000).map { _ in "\(Int.random(in: 0..<kinds, using: &numbers))" }.text(endingIn: "\n") }
    let pair = TextPair(old: lines(), new: lines())
    let diff = LineDiff(old: pair.old, new: pair.new)
    #expect(applying(diff.hunks, to: pair.old) == Array(pair.new.utf8))
    #expect(diff.distance == leastDistance(pair))
  }

  @Test("the difference is correct for texts in which the search is divided early", arguments: [2, 40, 3_000])
  func guesses(kinds: Int) {
    var numbers = SeededGenerator(seed: UInt64(kinds))
    let lines = { (0..<2_500).map { _ in "\(Int.random(in: 0..<kinds, using: &numbers))" }.text(endingIn: "\n") }
    let (old, new) = (lines(), lines())
    let diff = LineDiff(old: old, new: new)
    #expect(!diff.isCutShort)
    #expect(applying(diff.hunks, to: old) == Array(new.utf8))
  }

  @Test("the difference is correct at every limit")
  func limits() throws {
    try checkProperty("apply(diff(a, b), a) = b", .editedTexts, .int(in: 0...40)) { pair, steps in
      let diff = LineDiff(old: pair.old, new: pair.new, steps: steps)
      return applying(diff.hunks, to: pair.old) == Array(pair.new.utf8)
        && (diff.isCutShort || diff.distance == (diff.isEmpty ? 0 : leastDistance(pair)))
    }
  }
}
