import Foundation
import TestSupport
import Testing

@testable import Snapshotting

/// In these texts `-` stands for U+2212, `_` for U+2007.
private func marked(_ text: String) -> String {
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  for (index, line) in lines.enumerated() {
    switch line.first {
    case "-": lines[index] = "\u{2212}" + line.dropFirst()
    case "_": lines[index] = "\u{2007}" + line.dropFirst()
    default: lines[index] = line.replacingOccurrences(of: "@@ -", with: "@@ \u{2212}")
    }
  }
  return lines.joined(separator: "\n")
}

private func numbers(_ range: ClosedRange<Int>) -> [String] { range.map { "\($0)" } }

@Suite("The text of a line diff is that of swift-snapshot-testing")
struct LineDiffTextTests {
  @Test("texts with equal bytes have an empty difference", arguments: ["", "a", "a\n", "\r\n", "é\n\u{0}"])
  func same(text: String) {
    let diff = LineDiff(old: text, new: text)
    #expect(diff.isEmpty)
    #expect(diff.text.isEmpty)
    #expect(diff.formatted().isEmpty)
    #expect(diff.hunks.isEmpty)
    #expect(diff.notes.isEmpty)
  }

  @Test("a changed line is between common lines")
  func one() {
    #expect(
      LineDiff(old: "Puffin\nSwift\nWren\n", new: "Puffin\nSwallow\nWren\n").text
        == marked("@@ -1,4 +1,4 @@\n_Puffin\n-Swift\n+Swallow\n_Wren\n_"))
  }

  @Test("a difference from or to an empty text has all lines")
  func nothing() {
    #expect(LineDiff(old: "", new: "a\nb").text == marked("@@ -1,1 +1,2 @@\n-\n+a\n+b"))
    #expect(LineDiff(old: "a\nb", new: "").text == marked("@@ -1,2 +1,1 @@\n-a\n-b\n+"))
    #expect(LineDiff(old: "", new: "a\n").text == marked("@@ -1,1 +1,2 @@\n+a\n_"))
  }

  @Test("a line that ends in a space is followed by ¬, also a common line")
  func trailingSpace() {
    #expect(
      LineDiff(old: "a \nb", new: "a \nb ").text == marked("@@ -1,2 +1,2 @@\n_a ¬\n-b\n+b ¬"))
  }

  @Test("a hunk has four common lines before and after its changes")
  func context() {
    let old = numbers(1...30).text(endingIn: "\n")
    let new = old.replacingOccurrences(of: "\n15\n", with: "\nx\n")
    #expect(
      LineDiff(old: old, new: new).text
        == marked("@@ -11,9 +11,9 @@\n_11\n_12\n_13\n_14\n-15\n+x\n_16\n_17\n_18\n_19"))
  }

  @Test("changes with up to eight common lines between them are in one hunk")
  func hunks() {
    let old = numbers(1...40).text(endingIn: "\n")
    let near = old.replacingOccurrences(of: "\n10\n", with: "\nx\n").replacingOccurrences(of: "\n19\n", with: "\ny\n")
    let far = old.replacingOccurrences(of: "\n10\n", with: "\nx\n").replacingOccurrences(of: "\n20\n", with: "\ny\n")
    #expect(LineDiff(old: old, new: near).hunks.map(\.header) == [marked("@@ -6,18 +6,18 @@")])
    #expect(
      LineDiff(old: old, new: far).hunks.map(\.header) == [marked("@@ -6,9 +6,9 @@"), marked("@@ -16,9 +16,9 @@")])
  }

  @Test("the last hunk has up to eight common lines at the end, and the first hunk has four at the start")
  func ends() {
    let old = numbers(1...17).joined(separator: "\n")
    #expect(
      LineDiff(old: old, new: old.replacingOccurrences(of: "\n9\n", with: "\nx\n")).hunks.map(\.oldLines) == [4..<17])
    #expect(
      LineDiff(old: old, new: old.replacingOccurrences(of: "\n8\n", with: "\nx\n")).hunks.map(\.oldLines) == [3..<12])
  }

  @Test("the header of a hunk numbers the lines of both texts")
  func counts() {
    let old = numbers(1...40).text(endingIn: "\n")
    let new = "0\n" + old.replacingOccurrences(of: "\n30\n", with: "\n")
    #expect(
      LineDiff(old: old, new: new).hunks.map(\.header) == [marked("@@ -1,4 +1,5 @@"), marked("@@ -26,9 +27,8 @@")])
  }

  @Test("lines that end in CR LF are separate lines, and keep the carriage return")
  func carriageReturn() {
    #expect(
      LineDiff(old: "a\r\nb\r\n", new: "a\r\nc\r\n").text
        == "@@ \u{2212}1,3 +1,3 @@\n\u{2007}a\r\n\u{2212}b\r\n+c\r\n\u{2007}")
  }
}

@Suite("The line diff is correct")
struct LineDiffLawTests {
  /// With `PROPERTY_COUNT=50` these are 100,000 pairs.
  private static let count = 1_000

  private func holds(_ pair: TextPair) -> Bool {
    let diff = LineDiff(old: pair.old, new: pair.new)
    guard diff.isEmpty == pair.old.utf8.elementsEqual(pair.new.utf8) else { return false }
    return applying(diff.hunks, to: pair.old) == Array(pair.new.utf8)
      && diff.distance == (diff.isEmpty ? 0 : leastDistance(pair))
  }

  @Test("the hunks of edited texts are correct and minimal")
  func edited() throws {
    try checkProperty("apply(diff(a, b), a) = b", count: Self.count, .editedTexts) { holds($0) }
  }

  @Test("the hunks of unrelated texts are correct and minimal")
  func strangers() throws {
    try checkProperty("apply(diff(a, b), a) = b", count: Self.count, .strangers) { holds($0) }
  }

  @Test("the difference is correct for texts in which the search is divided early", arguments: [2, 40, 3_000])
  func guesses(kinds: Int) {
    var numbers = SeededGenerator(seed: UInt64(kinds))
    let lines = { (0..<2_500).map { _ in "\(Int.random(in: 0..<kinds, using: &numbers))" }.text(endingIn: "\n") }
    let (old, new) = (lines(), lines())
    let diff = LineDiff(old: old, new: new)
    #expect(applying(diff.hunks, to: old) == Array(new.utf8))
  }
}

@Suite("The notes of a line diff")
struct LineDiffNoteTests {
  private func notes(_ old: String, _ new: String) -> [String] {
    LineDiff(old: old, new: new).notes
  }

  @Test("a visible difference has no notes")
  func nothing() {
    #expect(notes("a\nb\n", "a\nc\n").isEmpty)
    #expect(notes("", "a\n").isEmpty)
    #expect(notes("a\r\nb\r\n", "a\r\nc\r\n").isEmpty)
    #expect(notes("é\n", "è\n").isEmpty)
  }

  @Test("a missing final newline has a note")
  func finalNewline() {
    #expect(notes("a\n", "a") == ["Only the old text ends in a newline."])
    #expect(notes("a", "a\n") == ["Only the new text ends in a newline."])
  }

  @Test("different line endings have a note")
  func lineEnds() {
    #expect(
      notes("a\nb\n", "a\r\nb\r\n") == [
        "Line endings: changed lines end in LF in the old text, and in CRLF in the new one."
      ])
    #expect(
      notes("a\r\nb\r\nc\n", "a\nb\nc\n") == [
        "Line endings: changed lines end in CRLF in the old text, and in LF in the new one."
      ])
  }

  @Test("the two Unicode forms of one text have notes with their code points")
  func normalisation() {
    #expect(
      notes("caf\u{E9}\n", "cafe\u{301}\n")
        == ["Line 1, character 4: é (U+00E9) in the old text, e\u{301} (U+0065 U+0301) in the new one."])
    #expect(
      notes("x\n\ny\n\u{AC00}", "\ny\n\u{1100}\u{1161}")
        == [
          "Old line 4, new line 3, character 1: 가 (U+AC00) in the old text, \u{1100}\u{1161} (U+1100 U+1161) in the new one."
        ])
  }

  @Test("special spaces and characters without width have notes")
  func invisible() {
    #expect(notes("a b", "a\u{A0}b") == ["Line 1, character 2: U+0020 in the old text, U+00A0 in the new one."])
    #expect(
      notes("a", "a\u{200B}") == ["Line 1, character 2: the end of the line in the old text, U+200B in the new one."])
    #expect(
      notes("abc", "a\u{200D}bc") == ["Line 1, character 1: a (U+0061) in the old text, U+0061 U+200D in the new one."])
  }

  @Test("a change in a long line has a note with its place and the characters around it")
  func longLine() {
    let (start, end) = (String(repeating: "puffin ", count: 500), String(repeating: " owl", count: 300))
    let note = notes("a\n\(start)swift\(end)\n", "a\n\(start)swallow\(end)\n").first
    #expect(note?.hasPrefix("Line 2, character 3503: “…fin puffin puffin swift owl") == true)
    #expect(note?.contains("owl …” in the old text, “…fin puffin puffin swallow owl") == true)
    #expect(notes(start, start + "owl").first?.hasPrefix("Line 1, character 3501: “…") == true)
    // A line without much in common is a new line.
    #expect(notes(start, String(repeating: "owl ", count: 500)).isEmpty)
  }

  @Test("at most three lines have notes of their own")
  func many() {
    let old = Array(repeating: "\u{E9}", count: 5).text(endingIn: "\n")
    #expect(notes(old, Array(repeating: "e\u{301}", count: 5).text(endingIn: "\n")).count == 3)
  }

  @Test("the notes follow the hunks after an empty line")
  func formatted() {
    let diff = LineDiff(old: "a", new: "a\n")
    #expect(diff.formatted() == diff.text + "\n\nOnly the new text ends in a newline.")
  }
}
