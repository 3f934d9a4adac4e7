/// The changed parts of the lines of a change, by words.
///
/// The search for lines also compares the words of all removed lines with the words of all added lines.
struct WordMarks {
  let change: LineDiff.Change
  /// The changed bytes of each line of the change.
  private let removed: [[Range<Int>]]
  private let added: [[Range<Int>]]

  init(
    _ change: LineDiff.Change, _ old: LineTable, _ oldBytes: UnsafeBufferPointer<UInt8>, _ new: LineTable,
    _ newBytes: UnsafeBufferPointer<UInt8>
  ) {
    self.change = change
    guard let oldBase = oldBytes.baseAddress, let newBase = newBytes.baseAddress else {
      (removed, added) = ([], [])
      return
    }
    let oldWords = Words(oldBase, old, change.old)
    let newWords = Words(newBase, new, change.new)
    var interner = LineInterner(capacity: oldWords.ranges.count + newWords.ranges.count)
    let oldNumbers = oldWords.numbers(&interner)
    let newNumbers = newWords.numbers(&interner)
    let isRemoved = Scratch(repeating: false, count: oldWords.ranges.count)
    let isAdded = Scratch(repeating: false, count: newWords.ranges.count)
    var search = EditSearch(
      old: oldNumbers.base, oldCount: oldNumbers.count, new: newNumbers.base, newCount: newNumbers.count,
      budget: EditBudget(steps: Self.steps))
    search.run(
      EditSearch.Box(oldLow: 0, oldHigh: oldNumbers.count, newLow: 0, newHigh: newNumbers.count),
      removed: { for word in $0 { isRemoved[word] = true } }, added: { for word in $0 { isAdded[word] = true } })
    removed = oldWords.changed(isRemoved)
    added = newWords.changed(isAdded)
  }

  /// The maximum number of steps for one change.
  ///
  /// At the limit more words are marked than necessary.
  private static let steps = 2_000_000

  /// Returns the changed parts of a line that begins at `start` in the text; none if most of the line differs.
  func changed(in line: Int, _ kind: LineDiff.Line.Kind, startingAt start: Int) -> [Range<Int>] {
    let (lines, marks) = kind == .added ? (change.new, added) : (change.old, removed)
    guard lines.contains(line), !marks.isEmpty else { return [] }
    return marks[line - lines.lowerBound].map { ($0.lowerBound - start)..<($0.upperBound - start) }
  }
}
