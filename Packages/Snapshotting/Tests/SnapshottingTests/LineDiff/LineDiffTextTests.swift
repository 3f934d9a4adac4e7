import Foundation
@testable import Snapshotting
import Testing

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

  @Test("the lines of the hunks are those of the text")
  func structure() throws {
    let diff = LineDiff(old: "a\nb\nc", new: "a\nx\nc")
    let hunk = try #require(diff.hunks.first)
    #expect(hunk.lines.map(\.kind) == [.common, .removed, .added, .common])
    #expect(hunk.lines.map(\.text) == ["a", "b", "x", "c"])
    #expect(hunk.oldLines == 0..<3)
    #expect(hunk.newLines == 0..<3)
  }
}
