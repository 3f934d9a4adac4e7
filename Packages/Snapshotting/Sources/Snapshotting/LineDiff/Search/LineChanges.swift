extension LineDiff {
  /// Removed lines, and the added lines that replace them.
  struct Change: Sendable {
    var old: Range<Int>
    var new: Range<Int>
  }
}

/// At least one common line is between two changes.
struct LineChanges {
  private(set) var changes: [LineDiff.Change] = []
  private(set) var isCutShort = false

  init(
    old: LineTable, oldBytes: UnsafeBufferPointer<UInt8>, new: LineTable, newBytes: UnsafeBufferPointer<UInt8>,
    commonPrefix: Int, steps: Int
  ) {
    // The common ends exclude the line with the first difference on both sides.
    let head = old.lines(within: commonPrefix)
    let start = old.starts[head]
    let suffix = commonSuffix(oldBytes, newBytes, limit: min(oldBytes.count, newBytes.count) - start)
    let tail = old.lines(after: oldBytes.count - suffix)
    let oldMiddle = head..<(old.count - tail)
    let newMiddle = head..<(new.count - tail)
    // Line numbers have 32 bits, which is enough for any text that can be compared in reasonable time.
    let isTooLong = oldMiddle.count + newMiddle.count >= Int(Int32.max)
    guard !isTooLong, let oldBase = oldBytes.baseAddress, let newBase = newBytes.baseAddress else {
      changes = [LineDiff.Change(old: oldMiddle, new: newMiddle)]
      isCutShort = isTooLong
      return
    }
    let (oldText, newText) = (LineText(old, oldBase), LineText(new, newBase))
    compare(oldMiddle, of: oldText, with: newMiddle, of: newText, steps)
    changes = ChangeSliding(old: oldText, new: newText).slide(changes)
  }

  private mutating func compare(
    _ old: Range<Int>, of oldText: LineText, with new: Range<Int>, of newText: LineText, _ steps: Int
  ) {
    let isRemoved = Scratch(repeating: false, count: old.count)
    let isAdded = Scratch(repeating: false, count: new.count)
    var interner = LineInterner(capacity: old.count + new.count)
    let oldLines = NumberedLines(old, of: oldText, &interner, capacity: old.count + new.count)
    let newLines = NumberedLines(new, of: newText, &interner, capacity: old.count + new.count)
    // A line that is absent from the other text cannot be common. Without it the difference is still minimal, and the search is
    // often short.
    let oldKept = KeptLines(oldLines.numbers, elsewhere: newLines.occurrences, dropped: isRemoved)
    let newKept = KeptLines(newLines.numbers, elsewhere: oldLines.occurrences, dropped: isAdded)
    let search = EditSearch(old: oldKept.numbers, new: newKept.numbers, steps: steps)
    for (place, isGone) in zip(oldKept.places, search.isRemoved) where isGone { isRemoved[place] = true }
    for (place, isNew) in zip(newKept.places, search.isAdded) where isNew { isAdded[place] = true }
    isCutShort = search.isCutShort
    collect(isRemoved, from: old, isAdded, from: new)
  }

  private mutating func collect(
    _ isRemoved: Scratch<Bool>, from oldLines: Range<Int>,
    _ isAdded: Scratch<Bool>, from newLines: Range<Int>
  ) {
    var (line, newLine) = (0, 0)
    while line < oldLines.count || newLine < newLines.count {
      let (start, newStart) = (line, newLine)
      while line < oldLines.count, isRemoved[line] { line &+= 1 }
      while newLine < newLines.count, isAdded[newLine] { newLine &+= 1 }
      if line > start || newLine > newStart {
        changes.append(
          LineDiff.Change(
            old: (oldLines.lowerBound + start)..<(oldLines.lowerBound + line),
            new: (newLines.lowerBound + newStart)..<(newLines.lowerBound + newLine)))
      }
      while line < oldLines.count, newLine < newLines.count, !isRemoved[line], !isAdded[newLine] {
        line &+= 1
        newLine &+= 1
      }
    }
  }
}

private struct KeptLines {
  private(set) var numbers: [Int] = []
  private(set) var places: [Int] = []

  init(_ all: Scratch<UInt32>, elsewhere: Scratch<UInt32>, dropped: Scratch<Bool>) {
    for line in 0..<all.count {
      if elsewhere[Int(all[line])] > 0 {
        numbers.append(Int(all[line]))
        places.append(line)
      } else {
        dropped[line] = true
      }
    }
  }
}
