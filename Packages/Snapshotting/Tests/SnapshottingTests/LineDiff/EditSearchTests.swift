import TestSupport
@testable import Snapshotting
import Testing

@Suite("The search for changes")
struct EditSearchTests {
  private func common(_ old: [Int], _ new: [Int], longest: Int, steps: Int = .max) -> [Int]? {
    let search = EditSearch(old: old, new: new, steps: steps, exactUpTo: 0, longest: longest)
    let oldLeft = zip(old, search.isRemoved).filter { !$1 }.map(\.0)
    let newLeft = zip(new, search.isAdded).filter { !$1 }.map(\.0)
    return oldLeft == newLeft ? oldLeft : nil
  }

  private func lines(upTo most: Int) -> Generator<[Int]> {
    Generator<Int>.int(in: 0...most).array(count: 0...60)
  }

  @Test("a difference is correct after the search is divided early", arguments: [1, 2, 5], [1, 4, 60])
  func guesses(longest: Int, most: Int) throws {
    try checkProperty("what is not removed is what is not added", lines(upTo: most), lines(upTo: most)) { old, new in
      common(old, new, longest: longest) != nil
    }
  }

  @Test("a difference is correct after the budget is spent", arguments: [0, 10, 100])
  func budget(steps: Int) throws {
    try checkProperty("what is not removed is what is not added", lines(upTo: 4), lines(upTo: 4)) { old, new in
      common(old, new, longest: 2, steps: steps) != nil
    }
  }

  @Test("a moved line that occurs once does not divide a problem")
  func movedLine() {
    var numbers = SeededGenerator(seed: 6)
    let repeating = (0..<1_000).map { _ in Int.random(in: 0...6, using: &numbers) }
    let changed = repeating.map { Int.random(in: 0..<5, using: &numbers) == 0 ? ($0 + 1) % 7 : $0 }
    let (old, new) = (repeating + [99], [99] + changed)
    #expect((common(old, new, longest: 8)?.count ?? 0) > 500)
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
    let old = (0..<6_000).map { _ in Int.random(in: 0...1, using: &numbers) }
    let new = (0..<6_000).map { _ in Int.random(in: 0...1, using: &numbers) }
    #expect(!EditSearch(old: old, new: new, steps: 12_000 * 16 * 4, exactUpTo: 0, longest: 16).isCutShort)
  }
}
