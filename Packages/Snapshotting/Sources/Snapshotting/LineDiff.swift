internal import Foundation

/// The difference between two texts, by lines.
///
/// ```swift
/// let diff = LineDiff(old: "Puffin\nSwift\n", new: "Puffin\nSwallow\n")
/// print(diff.text)
/// // @@ −1,3 +1,3 @@
/// //  Puffin
/// // −Swift
/// // +Swallow
/// //
/// ```
///
/// Texts are compared by their bytes: the two Unicode forms of é differ, and so do LF and CR LF. Lines are separated by LF. A
/// text that ends in LF has an empty last line, so a missing final newline is a removed line.
///
/// The difference is minimal for texts of up to 1,000 lines each. Memory is proportional to the number of lines, and the same texts
/// always give the same difference. <doc:WhyThisDiff> has measurements.
public struct LineDiff: Sendable {
  let old: TextLines
  let new: TextLines
  package let changes: [Change]

  /// Removed lines, and the added lines that replace them.
  ///
  /// At least one common line is between two changes.
  package struct Change: Sendable {
    package var old: Range<Int>
    package var new: Range<Int>
  }

  /// Compares two texts, line by line.
  public init(old: String, new: String) {
    (self.old, self.new) = (TextLines(old), TextLines(new))
    changes = lineChanges(self.old, self.new)
  }

  public var isEmpty: Bool { changes.isEmpty }

  /// Changed lines, with up to four common lines around them.
  ///
  /// Changes with up to eight common lines between them are in one hunk. Eight or fewer common lines at the end of the texts
  /// are all in the last hunk, as in swift-snapshot-testing.
  public struct Hunk: Sendable {
    /// The lines of the old text, numbered from 0.
    public let oldLines: Range<Int>

    /// The lines of the new text that replace them, numbered from 0.
    public let newLines: Range<Int>

    /// The lines; in each change the removed ones are before the added ones.
    public let lines: [Line]

    /// The places of the hunk in both texts, numbered from 1: `@@ −1,4 +1,5 @@`.
    public var header: String {
      "@@ \u{2212}\(oldLines.lowerBound + 1),\(oldLines.count) +\(newLines.lowerBound + 1),\(newLines.count) @@"
    }
  }

  public struct Line: Sendable {
    public enum Kind: String, Sendable {
      case common = "\u{2007}"
      case removed = "\u{2212}"
      case added = "+"
    }

    public let kind: Kind

    /// The line without its LF, and with its CR.
    public let text: Substring
  }

  /// The hunks in order; empty for equal texts.
  public var hunks: [Hunk] {
    var hunks: [Hunk] = []
    var start = 0
    for index in changes.indices {
      let isLast = index + 1 == changes.count
      guard isLast || changes[index + 1].old.lowerBound - changes[index].old.upperBound > 2 * Self.context else {
        continue
      }
      hunks.append(hunk(changes[start...index], isLast: isLast))
      start = index + 1
    }
    return hunks
  }

  private static let context = 4

  private func hunk(_ changes: ArraySlice<Change>, isLast: Bool) -> Hunk {
    let (first, last) = (changes[changes.startIndex], changes[changes.endIndex - 1])
    let before = min(Self.context, first.old.lowerBound)
    let rest = old.count - last.old.upperBound
    let after = isLast && rest <= 2 * Self.context ? rest : Self.context
    let oldLines = (first.old.lowerBound - before)..<(last.old.upperBound + after)
    var lines: [Line] = []
    func add(_ kind: Line.Kind, _ range: Range<Int>, of text: TextLines) {
      for line in range { lines.append(Line(kind: kind, text: text[line])) }
    }
    var next = oldLines.lowerBound
    for change in changes {
      add(.common, next..<change.old.lowerBound, of: old)
      add(.removed, change.old, of: old)
      add(.added, change.new, of: new)
      next = change.old.upperBound
    }
    add(.common, next..<oldLines.upperBound, of: old)
    return Hunk(
      oldLines: oldLines, newLines: (first.new.lowerBound - before)..<(last.new.upperBound + after), lines: lines)
  }

  /// The hunks as text; empty for equal texts.
  ///
  /// A removed line begins with − (U+2212), an added line with +, and a common line with a figure space (U+2007). A line that ends in a
  /// space is followed by ¬. These are the bytes that swift-snapshot-testing writes. ``formatted()`` adds notes.
  public var text: String {
    var text = ""
    for hunk in hunks {
      if !text.isEmpty { text += "\n" }
      text += hunk.header
      for line in hunk.lines {
        text += "\n"
        text += line.kind.rawValue
        text += line.text
        if line.text.utf8.last == UInt8(ascii: " ") { text += "¬" }
      }
    }
    return text
  }

  /// Returns ``text``, followed by an empty line and notes about invisible differences: line endings, the last newline, code points, and
  /// places in long lines.
  public func formatted() -> String {
    let notes = notes
    return notes.isEmpty ? text : ([text, ""] + notes).joined(separator: "\n")
  }
}

/// The bytes of a text, and its lines; the empty text has one.
struct TextLines: Sendable {
  let bytes: [UInt8]
  /// The start of each line, and at the end the number of bytes plus one.
  let starts: [Int]

  init(_ text: String) {
    let bytes = Array(text.utf8)
    self.bytes = bytes
    var starts = [0]
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      // The C library is fast in debug builds too.
      while let start = starts.last, let end = memchr(base + start, 0x0A, bytes.count - start) {
        starts.append(UnsafeRawPointer(end) - base + 1)
      }
    }
    self.starts = starts + [bytes.count + 1]
  }

  var count: Int { starts.count - 1 }

  func range(of line: Int) -> Range<Int> { starts[line]..<(starts[line + 1] - 1) }

  subscript(line: Int) -> Substring { Substring(decoding: bytes[range(of: line)], as: UTF8.self) }
}

extension LineDiff {
  /// The differences that a person does not see: line endings, the last newline, code points, and the places in long lines.
  package var notes: [String] {
    guard !isEmpty else { return [] }
    var notes: [String] = []
    let endsOld = old.bytes.last == 0x0A
    if !old.bytes.isEmpty, !new.bytes.isEmpty, endsOld != (new.bytes.last == 0x0A) {
      notes.append("Only the \(endsOld ? "old" : "new") text ends in a newline.")
    }
    let removed = Set(changes.flatMap { old.endings(of: $0.old) })
    let added = Set(changes.flatMap { new.endings(of: $0.new) })
    if removed.contains("CRLF") && added == ["LF"] || added.contains("CRLF") && removed == ["LF"] {
      let (ending, newEnding) = added == ["LF"] ? ("CRLF", "LF") : ("LF", "CRLF")
      notes.append("Line endings: changed lines end in \(ending) in the old text, and in \(newEnding) in the new one.")
    }
    let pairs = changes.flatMap { Array(zip($0.old, $0.new)) }
    return notes + pairs.prefix(1_000).lazy.compactMap(note).prefix(3)
  }

  /// Returns a note for a removed line and the added line in its place, if the change is invisible, behind the start of a long line, or in a
  /// line that a failure does not show to its end.
  private func note(_ line: Int, _ newLine: Int) -> String? {
    let bytes = [old.bytes[old.range(of: line)], new.bytes[new.range(of: newLine)]]
    let isForeign = bytes.contains { $0.contains { $0 > 0x7F } }
    let looksEqual = isForeign && looks(of: old[line]) == looks(of: new[newLine])
    guard looksEqual || bytes.contains(where: { $0.count > 200 }) else { return nil }
    // A different ending has a separate note.
    let lines = [old[line], new[newLine]].map { Array($0.last == "\r" ? $0.dropLast() : $0) }
    let isSame = { (one: Character, other: Character) in one.utf8.elementsEqual(other.utf8) }
    let start = zip(lines[0], lines[1]).prefix(while: isSame).count
    let longest = max(lines[0].count, lines[1].count)
    guard start < longest, looksEqual || start > 20 || longest > 5_000 else { return nil }
    let texts = lines.map { line in
      // The change with the twenty characters before it.
      let part = max(0, start - 20)..<min(start + 60, line.count)
      let excerpt = "\(part.lowerBound > 0 ? "…" : "")\(String(line[part]))\(part.upperBound < line.count ? "…" : "")"
      return looksEqual ? spelled(line.dropFirst(start).first) : "“\(excerpt)”"
    }
    let place = line == newLine ? "Line \(line + 1)" : "Old line \(line + 1), new line \(newLine + 1)"
    return "\(place), character \(start + 1): \(texts[0]) in the old text, \(texts[1]) in the new one."
  }
}

extension TextLines {
  /// The endings of lines; the last line of a text has none.
  fileprivate func endings(of lines: Range<Int>) -> [String] {
    lines.filter { $0 < count - 1 }.map { bytes[range(of: $0)].last == UInt8(ascii: "\r") ? "CRLF" : "LF" }
  }
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

/// Returns a character with its code points, or only the code points of an invisible one; `nil` is the end of a line.
private func spelled(_ character: Character?) -> String {
  guard let character else { return "the end of the line" }
  let points = character.unicodeScalars.map(codePoint).joined(separator: " ")
  let isVisible = character.unicodeScalars.map(\.properties).allSatisfy {
    !$0.isWhitespace && !$0.isDefaultIgnorableCodePoint && $0.generalCategory != .control
  }
  return isVisible ? "\(character) (\(points))" : points
}

private func lineChanges(_ old: TextLines, _ new: TextLines) -> [LineDiff.Change] {
  // Equal lines get equal numbers.
  var numbers = [Line: Int](minimumCapacity: old.count + new.count)
  func number(_ bytes: UnsafeRawBufferPointer) -> Int {
    let next = numbers.count
    // Finds or adds the line in one access.
    return { (number: inout Int) in number }(&numbers[Line(bytes: bytes), default: next])
  }
  let lines = old.bytes.withUnsafeBytes { oldBytes in
    new.bytes.withUnsafeBytes { newBytes in
      (
        old: (0..<old.count).map { number(UnsafeRawBufferPointer(rebasing: oldBytes[old.range(of: $0)])) },
        new: (0..<new.count).map { number(UnsafeRawBufferPointer(rebasing: newBytes[new.range(of: $0)])) }
      )
    }
  }
  // A line that is absent from the other text cannot be common. Without it, the search is often short.
  let none = Array(repeating: false, count: numbers.count)
  var (isInOld, isInNew) = (none, none)
  for number in lines.old { isInOld[number] = true }
  for number in lines.new { isInNew[number] = true }
  var (isRemoved, isAdded) = (lines.old.map { !isInNew[$0] }, lines.new.map { !isInOld[$0] })
  let places = (isRemoved.indices.filter { !isRemoved[$0] }, isAdded.indices.filter { !isAdded[$0] })
  let edits = edits(old: places.0.map { lines.old[$0] }, new: places.1.map { lines.new[$0] })
  for (place, isGone) in zip(places.0, edits.isRemoved) where isGone { isRemoved[place] = true }
  for (place, isNew) in zip(places.1, edits.isAdded) where isNew { isAdded[place] = true }
  var changes: [LineDiff.Change] = []
  var (line, newLine) = (0, 0)
  while line < old.count || newLine < new.count {
    let (start, newStart) = (line, newLine)
    while line < old.count, isRemoved[line] { line += 1 }
    while newLine < new.count, isAdded[newLine] { newLine += 1 }
    if line > start || newLine > newStart {
      changes.append(LineDiff.Change(old: start..<line, new: newStart..<newLine))
    } else {
      (line, newLine) = (line + 1, newLine + 1)
    }
  }
  return changes
}

/// A line by its bytes, which must outlive it.
private struct Line: Hashable {
  let bytes: UnsafeRawBufferPointer

  static func == (left: Line, right: Line) -> Bool {
    guard left.bytes.count == right.bytes.count else { return false }
    guard let start = left.bytes.baseAddress, let other = right.bytes.baseAddress else { return true }
    return memcmp(start, other, left.bytes.count) == 0
  }

  func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
}

/// Returns for each line whether it is removed or added.
///
/// The time and the memory of the standard library's difference grow with the square of the number of changes. So it compares a window of
/// both texts. The next window begins after the last common line.
private func edits(old: [Int], new: [Int]) -> (isRemoved: [Bool], isAdded: [Bool]) {
  var isRemoved = Array(repeating: false, count: old.count)
  var isAdded = Array(repeating: false, count: new.count)
  var (start, newStart) = (0, 0)
  while start < old.count || newStart < new.count {
    // Calls of the standard library for equal lines would take most of the time.
    while start < old.count, newStart < new.count, old[start] == new[newStart] {
      (start, newStart) = (start + 1, newStart + 1)
    }
    let (lines, newLines) = (old[start...].prefix(1_000), new[newStart...].prefix(1_000))
    for change in newLines.difference(from: lines) {
      switch change {
      case .remove(let offset, _, _): isRemoved[start + offset] = true
      case .insert(let offset, _, _): isAdded[newStart + offset] = true
      }
    }
    start = lines.indices.last { !isRemoved[$0] }.map { $0 + 1 } ?? lines.endIndex
    newStart = newLines.indices.last { !isAdded[$0] }.map { $0 + 1 } ?? newLines.endIndex
    for line in start..<lines.endIndex { isRemoved[line] = false }
    for line in newStart..<newLines.endIndex { isAdded[line] = false }
  }
  return (isRemoved, isAdded)
}
