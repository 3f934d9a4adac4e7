/// Finds the lines to remove and to add, by their numbers.
///
/// The algorithm is the greedy one of Myers' "An O(ND) Difference Algorithm and Its Variations" (1986). A search finds
/// the furthest place that each number of removed and added lines can reach. In a large problem a search ends after a
/// number of changes. A second search then starts from the other end. The search that got further divides the problem.
/// So memory and time are proportional to the number of lines.
struct EditSearch {
  /// A step compares two lines or follows one path of the search.
  ///
  /// At the limit, the remaining lines are removed and added.
  static let steps = 50_000_000

  private let old: [Int]
  private let new: [Int]
  private let longestSearch: Int
  private var stepsLeft: Int

  private(set) var isRemoved: [Bool]
  private(set) var isAdded: [Bool]
  var isCutShort: Bool { stepsLeft < 0 }

  /// Searches.
  ///
  /// - Parameters:
  ///   - steps: The limit of the steps.
  ///   - exactUpTo: The maximum number of lines of both texts for a minimal difference.
  ///   - longest: The maximum number of removed and added lines of each search in a larger problem.
  init(old: [Int], new: [Int], steps: Int, exactUpTo: Int = 2_100, longest: Int = 256) {
    self.old = old
    self.new = new
    longestSearch = old.count + new.count <= exactUpTo ? .max : longest
    stepsLeft = steps
    isRemoved = Array(repeating: false, count: old.count)
    isAdded = Array(repeating: false, count: new.count)
    var box = Box(old: 0..<old.count, new: 0..<new.count)
    while !box.old.isEmpty, !box.new.isEmpty, let forwards = search(box, isBackwards: false) {
      if forwards.old + forwards.new < box.old.count + box.new.count,
        let backwards = search(box, isBackwards: true), backwards.old + backwards.new > forwards.old + forwards.new
      {
        mark(backwards, in: &box)
      } else {
        mark(forwards, in: &box)
      }
    }
    for line in box.old { isRemoved[line] = true }
    for line in box.new { isAdded[line] = true }
  }

  private struct Box {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// A shortest path from the start or from the end of a box.
  private struct Path {
    let isBackwards: Bool
    /// The maximum number of old lines that a path can pass, for each number of changes and of removed lines among
    /// them.
    let rows: [[Int]]
    let removals: Int

    var old: Int { rows[rows.count - 1][removals] }
    var new: Int { newLines(old, removals, rows.count - 1) }
  }

  private mutating func search(_ box: Box, isBackwards: Bool) -> Path? {
    let (oldCount, newCount, step) = (box.old.count, box.new.count, isBackwards ? -1 : 1)
    let firstOld = isBackwards ? box.old.upperBound - 1 : box.old.lowerBound
    let firstNew = isBackwards ? box.new.upperBound - 1 : box.new.lowerBound
    var rows: [[Int]] = []
    var previous: [Int] = []
    while true {
      let changes = rows.count
      var row = Array(repeating: -1, count: changes + 1)
      var furthest = (lines: -1, removals: 0)
      for removals in max(0, changes - newCount)...min(changes, oldCount) {
        // In debug builds, calls in this loop take most of the time.
        let removed = removals > 0 ? previous[removals - 1] + 1 : 0
        let added = removals < changes ? previous[removals] : 0
        var place = removed > added ? removed : added
        let start = place
        var newPlace = place - removals + (changes - removals)
        while place < oldCount, newPlace < newCount, old[firstOld + step * place] == new[firstNew + step * newPlace] {
          place += 1
          newPlace += 1
        }
        stepsLeft -= 1 + place - start
        row[removals] = place
        if place <= oldCount, newPlace <= newCount, place + newPlace >= furthest.lines {
          furthest = (place + newPlace, removals)
        }
      }
      if isCutShort { return nil }
      rows.append(row)
      previous = row
      if furthest.lines == oldCount + newCount || changes == longestSearch {
        return Path(isBackwards: isBackwards, rows: rows, removals: furthest.removals)
      }
    }
  }

  private mutating func mark(_ path: Path, in box: inout Box) {
    var removals = path.removals
    for (changes, previous) in path.rows.dropLast().enumerated().reversed() {
      if isRemoval(removals, after: previous) {
        removals -= 1
        let line = previous[removals]
        isRemoved[path.isBackwards ? box.old.upperBound - 1 - line : box.old.lowerBound + line] = true
      } else {
        let line = newLines(previous[removals], removals, changes)
        isAdded[path.isBackwards ? box.new.upperBound - 1 - line : box.new.lowerBound + line] = true
      }
    }
    box.old = path.isBackwards ? box.old.dropLast(path.old) : box.old.dropFirst(path.old)
    box.new = path.isBackwards ? box.new.dropLast(path.new) : box.new.dropFirst(path.new)
  }
}

/// Whether the last change of the furthest path is a removed line.
private func isRemoval(_ removals: Int, after previous: [Int]) -> Bool {
  removals == previous.count || removals > 0 && previous[removals - 1] >= previous[removals]
}

private func newLines(_ old: Int, _ removals: Int, _ changes: Int) -> Int { old - removals + (changes - removals) }
