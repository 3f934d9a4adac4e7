extension LineDiff {
  /// Removed lines, and the added lines that replace them.
  struct Change: Sendable {
    var old: Range<Int>
    var new: Range<Int>
  }
}

/// The changes from one text to the other, in order.
///
/// At least one common line is between two changes.
struct LineChanges {
  private(set) var changes: [LineDiff.Change] = []
  private(set) var isCutShort = false

  /// Compares two texts by their lines.
  init(old: LineTable, new: LineTable, steps: Int) {
    var (start, oldEnd, newEnd) = (0, old.count, new.count)
    while start < min(oldEnd, newEnd), old[start] == new[start] { start += 1 }
    while start < min(oldEnd, newEnd), old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    compare(start..<oldEnd, of: old, with: start..<newEnd, of: new, steps)
    changes = ChangeSliding(old: old, new: new).slide(changes)
  }

  private mutating func compare(
    _ old: Range<Int>, of oldTable: LineTable, with new: Range<Int>, of newTable: LineTable, _ steps: Int
  ) {
    var isRemoved = Array(repeating: true, count: old.count)
    var isAdded = Array(repeating: true, count: new.count)
    let (oldLines, newLines) = sharedLines(old, of: oldTable, new, of: newTable)
    let search = EditSearch(old: oldLines.map(\.number), new: newLines.map(\.number), steps: steps)
    for (line, isGone) in zip(oldLines, search.isRemoved) { isRemoved[line.place] = isGone }
    for (line, isNew) in zip(newLines, search.isAdded) { isAdded[line.place] = isNew }
    isCutShort = search.isCutShort
    collect(isRemoved, from: old, isAdded, from: new)
  }

  private mutating func collect(
    _ isRemoved: [Bool], from oldLines: Range<Int>, _ isAdded: [Bool], from newLines: Range<Int>
  ) {
    var (line, newLine) = (0, 0)
    while line < oldLines.count || newLine < newLines.count {
      let (start, newStart) = (line, newLine)
      while line < oldLines.count, isRemoved[line] { line += 1 }
      while newLine < newLines.count, isAdded[newLine] { newLine += 1 }
      if line > start || newLine > newStart {
        changes.append(
          LineDiff.Change(
            old: (oldLines.lowerBound + start)..<(oldLines.lowerBound + line),
            new: (newLines.lowerBound + newStart)..<(newLines.lowerBound + newLine)))
      }
      while line < oldLines.count, newLine < newLines.count, !isRemoved[line], !isAdded[newLine] {
        line += 1
        newLine += 1
      }
    }
  }
}

/// A line that is in both texts.
private struct SharedLine {
  /// Equal for equal lines.
  let number: Int
  /// The place in its range.
  let place: Int
}

/// Returns the lines that are in both ranges.
///
/// A line that is absent from the other text cannot be common. Without it the difference is still minimal, and the search is
/// often short.
private func sharedLines(
  _ old: Range<Int>, of oldTable: LineTable, _ new: Range<Int>, of newTable: LineTable
) -> (old: [SharedLine], new: [SharedLine]) {
  var numbers = LineNumbers(capacity: old.count)
  let oldLines = old.map { line in
    SharedLine(number: numbers.add(oldTable[line]), place: line - old.lowerBound)
  }
  let newLines = new.compactMap { line in
    numbers.number(of: newTable[line]).map { SharedLine(number: $0, place: line - new.lowerBound) }
  }
  var isShared = Array(repeating: false, count: numbers.count)
  for line in newLines { isShared[line.number] = true }
  return (oldLines.filter { isShared[$0.number] }, newLines)
}
