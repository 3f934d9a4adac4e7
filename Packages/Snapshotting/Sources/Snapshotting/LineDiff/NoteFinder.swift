extension LineDiff {
  /// The invisible differences as sentences: line endings, the last newline, code points.
  ///
  /// Each call searches the changed lines.
  package var notes: [String] { isEmpty ? [] : NoteFinder(self).notes }
}

private struct NoteFinder {
  private(set) var notes: [String] = []

  init(_ diff: LineDiff) {
    diff.withBytes { oldBytes, newBytes in
      let endsOld = oldBytes.last == 0x0A
      if !oldBytes.isEmpty, !newBytes.isEmpty, endsOld != (newBytes.last == 0x0A) {
        notes.append("Only the \(endsOld ? "old" : "new") text ends in a newline.")
      }
      lineEnds(diff, oldBytes, newBytes)
    }
    codePoints(diff)
    if diff.isCutShort {
      notes.append("The comparison reached its limit: this diff may show more changes than necessary.")
    }
  }

  private mutating func lineEnds(
    _ diff: LineDiff, _ oldBytes: UnsafeBufferPointer<UInt8>, _ newBytes: UnsafeBufferPointer<UInt8>
  ) {
    let removed = Set(diff.changes.flatMap { endings(of: $0.old, in: diff.old, oldBytes) })
    let added = Set(diff.changes.flatMap { endings(of: $0.new, in: diff.new, newBytes) })
    // Only if the changed lines replace CR LF by LF, or LF by CR LF.
    let isReplaced =
      removed.contains("CRLF") && added == ["LF"] || added.contains("CRLF") && removed == ["LF"]
    guard isReplaced else { return }
    let (old, new) = added == ["LF"] ? ("CRLF", "LF") : ("LF", "CRLF")
    notes.append("Line endings: changed lines end in \(old) in the old text, and in \(new) in the new one.")
  }

  private mutating func codePoints(_ diff: LineDiff) {
    var count = 0
    for change in diff.changes {
      for (oldLine, newLine) in lookalikes(in: change, diff) {
        count += 1
        guard count <= Self.most else { continue }
        let difference = firstDifference(diff.old[oldLine], diff.new[newLine])
        let place =
          oldLine == newLine ? "Line \(oldLine + 1)" : "Old line \(oldLine + 1), new line \(newLine + 1)"
        notes.append(
          "\(place), character \(difference.index + 1): \(spelled(difference.old)) in the old text, "
            + "\(spelled(difference.new)) in the new one.")
      }
    }
    let others = count - Self.most
    if others > 0 {
      notes.append("\(others) more \(others == 1 ? "line differs" : "lines differ") in code points only.")
    }
  }

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

  private static let most = 3
}

/// Returns a line with one kind of space and without invisible characters, so that lines that look alike are equal.
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

/// Returns a character with its code points, or only the code points of an invisible one; `nil` is the end of a line.
private func spelled(_ character: Character?) -> String {
  guard let character else { return "the end of the line" }
  let points = character.unicodeScalars.map(codePoint).joined(separator: " ")
  let isVisible = character.unicodeScalars.map(\.properties).allSatisfy {
    !$0.isWhitespace && !$0.isDefaultIgnorableCodePoint && $0.generalCategory != .control
  }
  return isVisible ? "\(character) (\(points))" : points
}

/// Returns the endings of lines; the last line of a text has none.
private func endings(of lines: Range<Int>, in table: LineTable, _ bytes: UnsafeBufferPointer<UInt8>) -> [String] {
  lines.filter { $0 < table.count - 1 }.map { line in
    let line = bytes[table.bytes(of: line)]
    return line.last == UInt8(ascii: "\r") ? "CRLF" : "LF"
  }
}
