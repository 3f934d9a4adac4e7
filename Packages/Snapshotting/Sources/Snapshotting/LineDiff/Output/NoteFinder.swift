/// Finds the invisible differences of two texts.
struct NoteFinder {
  private(set) var notes: [LineDiff.Note] = []

  init(_ diff: LineDiff) {
    diff.withBytes { oldBytes, newBytes in
      let endsOld = oldBytes.last == 0x0A
      if !oldBytes.isEmpty, !newBytes.isEmpty, endsOld != (newBytes.last == 0x0A) {
        notes.append(.finalNewline(onlyIn: endsOld ? .old : .new))
      }
      lineEnds(diff, oldBytes, newBytes)
    }
    codePoints(diff)
    if diff.isCutShort { notes.append(.cutShort) }
  }

  private mutating func lineEnds(
    _ diff: LineDiff, _ oldBytes: UnsafeBufferPointer<UInt8>, _ newBytes: UnsafeBufferPointer<UInt8>
  ) {
    // Only if the changed lines replace CR LF by LF, or LF by CR LF.
    var (removed, added) = (LineDiff.Note.LineEnds(), LineDiff.Note.LineEnds())
    for change in diff.changes {
      removed.count(change.old, diff.old, oldBytes)
      added.count(change.new, diff.new, newBytes)
    }
    let isReplaced =
      removed.carriageReturns > 0 && added.carriageReturns == 0 && added.lineFeeds > 0
      || added.carriageReturns > 0 && removed.carriageReturns == 0 && removed.lineFeeds > 0
    guard isReplaced else { return }
    var (old, new) = (LineDiff.Note.LineEnds(), LineDiff.Note.LineEnds())
    old.count(0..<diff.old.count, diff.old, oldBytes)
    new.count(0..<diff.new.count, diff.new, newBytes)
    notes.append(.lineEnds(old: old, new: new))
  }

  private mutating func codePoints(_ diff: LineDiff) {
    var count = 0
    for change in diff.changes {
      for (oldLine, newLine) in lookalikes(in: change, diff) {
        count += 1
        guard count <= Self.most else { continue }
        let difference = firstDifference(diff.old[oldLine], diff.new[newLine])
        notes.append(
          .codePoints(
            oldLine: oldLine + 1, newLine: newLine + 1, character: difference.index + 1, old: difference.old,
            new: difference.new))
      }
    }
    if count > Self.most { notes.append(.moreCodePoints(lines: count - Self.most)) }
  }

  /// The pairs of a removed and an added line that look alike, in order.
  private func lookalikes(in change: LineDiff.Change, _ diff: LineDiff) -> [(old: Int, new: Int)] {
    let isForeign = { (line: Substring) in line.utf8.contains { $0 > 0x7F } }
    guard
      change.old.contains(where: { isForeign(diff.old[$0]) }) || change.new.contains(where: { isForeign(diff.new[$0]) })
    else { return [] }
    var added: [String: [Int]] = [:]
    for line in change.new.reversed() { added[looks(of: diff.new[line]), default: []].append(line) }
    var pairs: [(old: Int, new: Int)] = []
    for line in change.old {
      let old = diff.old[line]
      guard let newLine = added[looks(of: old)]?.popLast() else { continue }
      // A different ending has a separate note.
      let new = diff.new[newLine]
      if !withoutReturn(old).utf8.elementsEqual(withoutReturn(new).utf8) { pairs.append((line, newLine)) }
    }
    return pairs
  }

  /// The maximum number of pairs with a separate note.
  private static let most = 3
}

/// Returns a line in a form that is equal for lines that look alike: with one kind of space, and without invisible characters.
private func looks(of line: Substring) -> String {
  var looks = String.UnicodeScalarView()
  for scalar in line.unicodeScalars {
    if scalar.properties.generalCategory == .spaceSeparator {
      looks.append(" ")
    } else if !scalar.properties.isDefaultIgnorableCodePoint, scalar != "\r" {
      looks.append(scalar)
    }
  }
  return String(looks)
}

private func withoutReturn(_ line: Substring) -> Substring { line.last == "\r" ? line.dropLast() : line }

private func firstDifference(_ old: Substring, _ new: Substring) -> (index: Int, old: Character?, new: Character?) {
  var (oldCharacters, newCharacters) = (old.makeIterator(), new.makeIterator())
  var index = 0
  while true {
    let (old, new) = (oldCharacters.next(), newCharacters.next())
    let isSame = old?.utf8.elementsEqual(new?.utf8 ?? "".utf8) ?? (new == nil)
    guard isSame, old != nil else { return (index, old, new) }
    index += 1
  }
}

extension LineDiff.Note.LineEnds {
  fileprivate init() { self.init(lineFeeds: 0, carriageReturns: 0) }

  /// Counts the endings of lines.
  ///
  /// The last line of a text has no ending.
  fileprivate mutating func count(_ lines: Range<Int>, _ table: LineTable, _ bytes: UnsafeBufferPointer<UInt8>) {
    for line in lines where line < table.count - 1 {
      let end = table.bytes(of: line)
      if !end.isEmpty, bytes[end.upperBound - 1] == 0x0D { carriageReturns += 1 } else { lineFeeds += 1 }
    }
  }
}
