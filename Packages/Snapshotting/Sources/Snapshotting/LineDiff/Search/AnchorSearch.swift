/// Divides a box at the lines that occur once among its old lines and once among its new lines.
///
/// This is the idea of Bram Cohen's patience diff. Unique lines are rarely equal by chance, and the longest run of them in the same
/// order on both sides divides a large problem into small ones.
struct AnchorSearch {
  /// The occurrences of each number in the current box; all zero between boxes.
  private let seen: Scratch<Occurrences>

  private struct Occurrences: BitwiseCopyable {
    var old: Int32 = 0
    var new: Int32 = 0
    var oldPlace: Int32 = 0
  }

  private struct Anchor {
    var old, new: Int
    /// The anchor before this one, in the longest run that ends here.
    var previous: Int
  }

  init(distinct: Int) { seen = Scratch(repeating: Occurrences(), count: distinct) }

  /// The maximum number of other lines for each unique line.
  ///
  /// A few unique lines among many repeated ones can be moved lines.
  static let othersForEach = 64

  /// Returns the parts of the box between the unique lines, the last one first; `nil` if there are too few.
  func divided(
    _ box: EditSearch.Box, old: UnsafePointer<UInt32>, new: UnsafePointer<UInt32>
  ) -> [EditSearch.Box]? {
    for place in box.oldLow..<box.oldHigh {
      let number = Int(old[place])
      seen[number].old &+= 1
      seen[number].oldPlace = Int32(truncatingIfNeeded: place)
    }
    for place in box.newLow..<box.newHigh { seen[Int(new[place])].new &+= 1 }
    let anchors = longestRun(of: box, new: new)
    for place in box.oldLow..<box.oldHigh { seen[Int(old[place])] = Occurrences() }
    for place in box.newLow..<box.newHigh { seen[Int(new[place])] = Occurrences() }

    let others = min(box.oldHigh - box.oldLow, box.newHigh - box.newLow)
    guard anchors.count > others / Self.othersForEach else { return nil }
    var parts: [EditSearch.Box] = []
    var rest = box
    for anchor in anchors {
      // Each part contains the anchor at its start, which is trimmed later.
      if rest.oldHigh - anchor.old > 1 || rest.newHigh - anchor.new > 1 {
        var part = rest
        part.oldLow = anchor.old
        part.newLow = anchor.new
        parts.append(part)
      }
      rest.oldHigh = anchor.old
      rest.newHigh = anchor.new
    }
    parts.append(rest)
    return parts
  }

  /// Returns the longest run of anchors in the same order on both sides, from its end to its start.
  private func longestRun(of box: EditSearch.Box, new: UnsafePointer<UInt32>) -> [Anchor] {
    var anchors: [Anchor] = []
    // The last anchor of the best run of each length, which is the one with the lowest position.
    var ends: [Int] = []
    for place in box.newLow..<box.newHigh {
      let occurrences = seen[Int(new[place])]
      guard occurrences.old == 1, occurrences.new == 1 else { continue }
      let oldPlace = Int(occurrences.oldPlace)
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if anchors[ends[middle]].old < oldPlace { low = middle + 1 } else { high = middle }
      }
      anchors.append(Anchor(old: oldPlace, new: place, previous: low > 0 ? ends[low - 1] : -1))
      if low == ends.count { ends.append(anchors.count - 1) } else { ends[low] = anchors.count - 1 }
    }
    var run: [Anchor] = []
    run.reserveCapacity(ends.count)
    var index = ends.last ?? -1
    while index >= 0 {
      run.append(anchors[index])
      index = anchors[index].previous
    }
    return run
  }
}
