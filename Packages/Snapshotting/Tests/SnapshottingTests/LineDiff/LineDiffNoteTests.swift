import Testing

@testable import Snapshotting

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

  @Test("different line endings have one note, also in texts beyond ASCII")
  func lineEndsOfForeignLines() {
    #expect(
      notes("é\n", "é\r\n") == ["Line endings: changed lines end in LF in the old text, and in CRLF in the new one."])
  }

  @Test("the two Unicode forms of one text have notes with their code points")
  func normalisation() {
    #expect(
      notes("caf\u{E9}\n", "cafe\u{301}\n")
        == ["Line 1, character 4: é (U+00E9) in the old text, e\u{301} (U+0065 U+0301) in the new one."])
    #expect(
      notes("x\n\u{AC00}", "\u{1100}\u{1161}")
        == [
          "Old line 2, new line 1, character 1: 가 (U+AC00) in the old text, \u{1100}\u{1161} (U+1100 U+1161) in the new one."
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

  @Test("three lines have separate notes, and the others have a number")
  func many() {
    let old = Array(repeating: "\u{E9}", count: 5).text(endingIn: "\n")
    let new = Array(repeating: "e\u{301}", count: 5).text(endingIn: "\n")
    #expect(notes(old, new).count == 4)
    #expect(notes(old, new).last == "2 more lines differ in code points only.")
  }

  @Test("the notes follow the hunks after an empty line")
  func formatted() {
    let diff = LineDiff(old: "a", new: "a\n")
    #expect(diff.formatted() == diff.text + "\n\nOnly the new text ends in a newline.")
  }

  @Test("a comparison that reached its limit has a note")
  func cutShort() {
    let diff = LineDiff(old: "a\nb\nc\nd", new: "d\nc\nb\na", steps: 0)
    #expect(diff.isCutShort)
    #expect(diff.notes == ["The comparison reached its limit: this diff may show more changes than necessary."])
  }
}
