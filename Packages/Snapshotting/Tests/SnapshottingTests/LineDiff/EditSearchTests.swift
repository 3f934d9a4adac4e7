import TestSupport
@testable import Snapshotting
import Testing

@Suite("The search for changes")
struct EditSearchTests {
  private struct Script {
    var removed: [Range<Int>] = []
    var added: [Range<Int>] = []
    var isCutShort = false

    /// The common lines, if they are equal on both sides.
    func common(_ old: [UInt32], _ new: [UInt32]) -> [UInt32]? {
      func left(_ lines: [UInt32], _ ranges: [Range<Int>]) -> [UInt32]? {
        guard zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound }) else { return nil }
        return lines.indices.filter { line in !ranges.contains { $0.contains(line) } }.map { lines[$0] }
      }
      guard let oldLeft = left(old, removed), oldLeft == left(new, added) else { return nil }
      return oldLeft
    }
  }

  private func script(
    _ old: [UInt32], _ new: [UInt32], exactUpTo: Int = 0, longest: Int, steps: Int = .max
  ) -> Script {
    var script = Script()
    let (oldLines, newLines) = (Scratch<UInt32>(uninitialized: old.count), Scratch<UInt32>(uninitialized: new.count))
    for (index, line) in old.enumerated() { oldLines[index] = line }
    for (index, line) in new.enumerated() { newLines[index] = line }
    var search = EditSearch(
      old: oldLines.base, oldCount: old.count, new: newLines.base, newCount: new.count,
      budget: EditBudget(steps: steps),
      exactUpTo: exactUpTo, longest: longest)
    search.run(
      EditSearch.Box(oldLow: 0, oldHigh: old.count, newLow: 0, newHigh: new.count),
      removed: { script.removed.append($0) }, added: { script.added.append($0) })
    script.isCutShort = search.budget.isSpent
    return script
  }

  private func lines(upTo most: Int) -> Generator<[UInt32]> {
    Generator<Int>.int(in: 0...most).map { UInt32($0) }.array(count: 0...60)
  }

  @Test("a difference is correct after the search is divided early", arguments: [1, 2, 5], [1, 4, 60])
  func guesses(longest: Int, most: Int) throws {
    try checkProperty("what is not removed is what is not added", lines(upTo: most), lines(upTo: most)) { old, new in
      script(old, new, longest: longest).common(old, new) != nil
    }
  }

  @Test("a difference is correct after the budget is spent", arguments: [0, 10, 100])
  func budget(steps: Int) throws {
    try checkProperty("what is not removed is what is not added", lines(upTo: 4), lines(upTo: 4)) { old, new in
      script(old, new, longest: 2, steps: steps).common(old, new) != nil
    }
  }

  @Test("a moved line that occurs once does not divide a problem")
  func movedLine() {
    var numbers = SeededGenerator(seed: 6)
    let repeating = (0..<1_000).map { _ in UInt32.random(in: 0...6, using: &numbers) }
    let changed = repeating.map { Int.random(in: 0..<5, using: &numbers) == 0 ? ($0 + 1) % 7 : $0 }
    let (old, new) = (repeating + [99], [99] + changed)
    #expect((script(old, new, longest: 8).common(old, new)?.count ?? 0) > 500)
  }

  @Test("different lines with equal hashes differ")
  func collision() {
    // The table contains the upper half. The lower bits choose the slot.
    let hashes = ["10767425", "10269702"].map { line in
      var line = line
      return line.withUTF8 { bytes in bytes.baseAddress.map { lineHash($0, count: bytes.count) } ?? 0 }
    }
    #expect(hashes[0] >> 32 == hashes[1] >> 32)
    #expect(hashes[0] & 15 == hashes[1] & 15)
    #expect(LineDiff(old: "10767425", new: "10269702").distance == 2)
  }

  @Test("the time is proportional to the number of lines, also if all lines repeat")
  func cost() {
    var numbers = SeededGenerator(seed: 1)
    let old = (0..<6_000).map { _ in UInt32.random(in: 0...1, using: &numbers) }
    let new = (0..<6_000).map { _ in UInt32.random(in: 0...1, using: &numbers) }
    #expect(!script(old, new, longest: 16, steps: 12_000 * 16 * 4).isCutShort)
  }
}
