/// Finds which lines to remove and which to add, by comparing their numbers.
///
/// The algorithm is Myers' "An O(ND) Difference Algorithm and Its Variations" (1986) in its linear-space form: two
/// searches, one from each end, meet on a shortest path, and divide the problem there. Small problems are solved
/// exactly. In a large one a search that goes on for too long is ended: by the lines that occur once on both sides if
/// there are enough of them, or else where the search got furthest.
struct EditSearch {
  let old: UnsafePointer<UInt32>
  let new: UnsafePointer<UInt32>
  /// How far each search got, by diagonal: a place among the old lines.
  let forward: Scratch<Int32>
  let backward: Scratch<Int32>
  /// Makes an index of a diagonal, the least of which is minus the number of new lines.
  let shift: Int
  let longestSearch: Int
  let anchors: AnchorSearch
  var budget: EditBudget

  /// A part of the problem: some old lines against some new ones.
  struct Box {
    var oldLow, oldHigh, newLow, newHigh: Int
    /// Whether there is a use in looking for lines that occur once.
    var mayAnchor = true
  }

  /// Where a box is divided in two.
  enum Division {
    case shortest(old: Int, new: Int)
    case furthest(old: Int, new: Int)
  }

  /// Prepares to compare lines whose numbers are below `distinct`.
  ///
  /// The lines have to live as long as the search.
  ///
  /// - Parameters:
  ///   - exactUpTo: Up to so many lines of both texts together, the difference is the least there is.
  ///   - longest: How many lines each search in a larger problem may have removed and added before it is ended.
  init(
    old: UnsafePointer<UInt32>, oldCount: Int, new: UnsafePointer<UInt32>, newCount: Int, distinct: Int,
    budget: EditBudget, exactUpTo: Int = 2_100, longest: Int = 256
  ) {
    self.old = old
    self.new = new
    self.budget = budget
    shift = newCount + 1
    forward = Scratch(uninitialized: oldCount + newCount + 3)
    backward = Scratch(uninitialized: oldCount + newCount + 3)
    let isExact = oldCount + newCount <= exactUpTo
    longestSearch = isExact ? .max : longest
    anchors = AnchorSearch(distinct: isExact ? 0 : distinct)
  }

  /// Finds the lines to remove and to add in the box.
  ///
  /// Each closure is told of ranges that do not overlap, in ascending order.
  mutating func run(_ whole: Box, removed: (Range<Int>) -> Void, added: (Range<Int>) -> Void) {
    // A stack of our own: the divisions of an unlucky problem go deeper than a thread's stack does.
    var pending = [whole]
    while let next = pending.popLast() {
      var box = trimmed(next)
      if box.oldLow == box.oldHigh || box.newLow == box.newHigh || budget.isSpent {
        if box.oldLow < box.oldHigh { removed(box.oldLow..<box.oldHigh) }
        if box.newLow < box.newHigh { added(box.newLow..<box.newHigh) }
        continue
      }
      switch division(of: box) {
      case .shortest(let oldLine, let newLine)?:
        pending.append(contentsOf: box.divided(oldLine, newLine))
      case .furthest(let oldLine, let newLine)?:
        if box.mayAnchor, let divided = anchors.divided(box, old: old, new: new) {
          pending.append(contentsOf: divided)
        } else {
          box.mayAnchor = false
          pending.append(contentsOf: box.divided(oldLine, newLine))
        }
      case nil:
        pending.append(box)
      }
    }
  }

  /// The box without the lines that are equal at its beginning and at its end.
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
  /// The two parts before and after a place, the later one first.
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
