/// Finds the lines to remove and to add, by their numbers.
///
/// The algorithm is Myers' "An O(ND) Difference Algorithm and Its Variations" (1986) in its linear-space form: two
/// searches, one from each end, meet on a shortest path, and divide the problem there. Small problems are solved
/// exactly. The search in a large problem has a limit, where the problem is divided at the furthest place.
struct EditSearch {
  let old: UnsafePointer<UInt32>
  let new: UnsafePointer<UInt32>
  /// The furthest place of each search on each diagonal, among the old lines.
  let forward: Scratch<Int32>
  let backward: Scratch<Int32>
  /// The offset that makes an index of a diagonal.
  ///
  /// The lowest diagonal is minus the number of new lines.
  let shift: Int
  let longestSearch: Int
  var budget: EditBudget

  /// A part of the problem: a range of old lines and a range of new lines.
  struct Box {
    var oldLow, oldHigh, newLow, newHigh: Int
  }

  /// Creates a search.
  ///
  /// The lines must outlive the search.
  ///
  /// - Parameters:
  ///   - exactUpTo: The maximum number of lines of both texts for a minimal difference.
  ///   - longest: The maximum number of removed and added lines of each search in a larger problem.
  init(
    old: UnsafePointer<UInt32>, oldCount: Int, new: UnsafePointer<UInt32>, newCount: Int, budget: EditBudget,
    exactUpTo: Int = 2_100, longest: Int = 256
  ) {
    self.old = old
    self.new = new
    self.budget = budget
    shift = newCount + 1
    forward = Scratch(uninitialized: oldCount + newCount + 3)
    backward = Scratch(uninitialized: oldCount + newCount + 3)
    longestSearch = oldCount + newCount <= exactUpTo ? .max : longest
  }

  /// Finds the lines to remove and to add in the box.
  ///
  /// The closures are called with ranges that do not overlap, in ascending order.
  mutating func run(_ whole: Box, removed: (Range<Int>) -> Void, added: (Range<Int>) -> Void) {
    // An explicit stack, because the divisions can be deeper than a thread's stack.
    var pending = [whole]
    while let next = pending.popLast() {
      let box = trimmed(next)
      if box.oldLow == box.oldHigh || box.newLow == box.newHigh || budget.isSpent {
        if box.oldLow < box.oldHigh { removed(box.oldLow..<box.oldHigh) }
        if box.newLow < box.newHigh { added(box.newLow..<box.newHigh) }
        continue
      }
      if let (oldLine, newLine) = division(of: box) {
        pending.append(contentsOf: box.divided(oldLine, newLine))
      } else {
        pending.append(box)
      }
    }
  }

  /// Returns the box without its common prefix and suffix.
  private func trimmed(_ box: Box) -> Box {
    var box = box
    while box.oldLow < box.oldHigh, box.newLow < box.newHigh, old[box.oldLow] == new[box.newLow] {
      box.oldLow &+= 1
      box.newLow &+= 1
    }
    while box.oldLow < box.oldHigh, box.newLow < box.newHigh, old[box.oldHigh &- 1] == new[box.newHigh &- 1] {
      box.oldHigh &-= 1
      box.newHigh &-= 1
    }
    return box
  }
}

extension EditSearch.Box {
  /// Returns the parts after and before a place.
  fileprivate func divided(_ oldLine: Int, _ newLine: Int) -> [Self] {
    var first = self
    first.oldHigh = oldLine
    first.newHigh = newLine
    var second = self
    second.oldLow = oldLine
    second.newLow = newLine
    return [second, first]
  }
}

/// The remaining steps of a search.
///
/// A step compares two lines or follows one path of the search. At the limit, the remaining lines are removed and added.
struct EditBudget {
  /// The default limit, which takes a few hundred milliseconds.
  static let steps = 50_000_000

  private var left: Int
  private(set) var isSpent = false

  init(steps: Int) {
    left = steps
    spend(0)
  }

  mutating func spend(_ steps: Int) {
    left -= steps
    if left < 0 { isSpent = true }
  }
}
