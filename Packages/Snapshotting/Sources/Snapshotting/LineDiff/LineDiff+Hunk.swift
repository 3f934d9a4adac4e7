extension LineDiff {
  /// Changed lines, with up to four common lines around them.
  ///
  /// Changes with up to eight common lines between them are in one hunk. Eight or fewer common lines at the end of the texts
  /// are all in the last hunk, as in swift-snapshot-testing.
  public struct Hunk: Sendable {
    /// The lines of the old text, numbered from 0.
    public let oldLines: Range<Int>

    /// The lines of the new text that replace them, numbered from 0.
    public let newLines: Range<Int>

    let changes: ArraySlice<Change>
    let old: LineTable
    let new: LineTable

    /// The places of the hunk in both texts, numbered from 1: `@@ −1,4 +1,5 @@`.
    public var header: String {
      "@@ \u{2212}\(oldLines.lowerBound + 1),\(oldLines.count) +\(newLines.lowerBound + 1),\(newLines.count) @@"
    }

    /// The lines in order.
    ///
    /// In each change the removed lines are before the added ones.
    ///
    /// Each call creates them.
    public var lines: [Line] {
      var lines: [Line] = []
      lines.reserveCapacity(oldLines.count + newLines.count)
      forEachRun { kind, range in
        let table = kind == .added ? new : old
        for line in range { lines.append(Line(kind: kind, text: table[line])) }
      }
      return lines
    }

    func forEachRun(_ body: (Line.Kind, Range<Int>) -> Void) {
      var next = oldLines.lowerBound
      for change in changes {
        if next < change.old.lowerBound { body(.common, next..<change.old.lowerBound) }
        if !change.old.isEmpty { body(.removed, change.old) }
        if !change.new.isEmpty { body(.added, change.new) }
        next = change.old.upperBound
      }
      if next < oldLines.upperBound { body(.common, next..<oldLines.upperBound) }
    }
  }

  public struct Line: Sendable {
    public enum Kind: Sendable, Hashable {
      case common
      case removed
      case added
    }

    public let kind: Kind

    /// The line without its LF.
    ///
    /// A CR is part of the line.
    public let text: Substring
  }

  /// The hunks in order; empty for equal texts.
  ///
  /// Each call creates them, in time proportional to the number of changes.
  public var hunks: [Hunk] {
    guard var start = changes.indices.first else { return [] }
    var hunks: [Hunk] = []
    for index in changes.indices.dropFirst()
    where changes[index].old.lowerBound - changes[index - 1].old.upperBound > 2 * Self.context {
      hunks.append(hunk(start..<index))
      start = index
    }
    hunks.append(hunk(start..<changes.endIndex))
    return hunks
  }

  private static let context = 4

  private func hunk(_ indices: Range<Int>) -> Hunk {
    let first = changes[indices.lowerBound]
    let last = changes[indices.upperBound - 1]
    let before = min(Self.context, first.old.lowerBound)
    let rest = old.count - last.old.upperBound
    let isAtEnd = indices.upperBound == changes.endIndex && rest <= 2 * Self.context
    let after = isAtEnd ? rest : Self.context
    return Hunk(
      oldLines: (first.old.lowerBound - before)..<(last.old.upperBound + after),
      newLines: (first.new.lowerBound - before)..<(last.new.upperBound + after), changes: changes[indices], old: old,
      new: new)
  }
}
