import Foundation
import Terminal
import Testing

@testable import CoordinatorsTerminal

@Suite("Text in a terminal's pages")
struct TextTests {
  /// Returns the text and the caret after some keys of a field.
  private func edited(_ text: String, _ keys: KeyPress...) -> (text: String, caret: Int) {
    var input = TextInput(text, isMultiline: true)
    for key in keys {
      if let edit = TextInput.keys(TerminalTexts()).first(where: { $0.keys.contains(key) })?.edit {
        edit(&input)
      } else if case .character(let character) = key.key {
        input.insert(String(character))
      }
    }
    return (input.text, input.caret)
  }

  @Test("text is edited at the caret")
  func textIsEditedAtCaret() {
    #expect(edited("fets", .home, .right, .letter("i"), .end, .backspace) == ("fiet", 4))
    #expect(edited("ab", .control("a"), .backspace, .left, .control("d")) == ("b", 0))
    #expect(edited("ab", .control("f"), .control("d")) == ("ab", 2))
  }

  @Test("words and lines are edited as in a shell")
  func wordsAndLinesAreEdited() {
    #expect(edited("de rode  fiets", .alt("b")) == ("de rode  fiets", 9))
    #expect(edited("de rode  fiets", .alt("b"), .alt("b"), .alt("f")) == ("de rode  fiets", 7))
    #expect(edited("de rode  fiets", .control("w"), .control("w")) == ("de ", 3))
    #expect(edited("de fiets", .alt("b"), .control("u")) == ("fiets", 0))
    #expect(edited("de fiets", .alt("b"), .control("k")) == ("de ", 3))
    #expect(edited("", .alt("b"), .alt("f"), .control("w"), .control("k")) == ("", 0))
    #expect(edited("one\ntwo three\nx", .control("a"), .control("u")) == ("one\ntwo three\nx", 14))
    var input = TextInput("one\ntwo three\nx", isMultiline: true)
    for _ in 0..<3 { input.move(toLineFrom: input.lineStart - 1) }
    #expect(input.caret == 1)
    input.move(toLineFrom: input.lineEnd + 1)
    #expect(input.caret == 5)
  }

  @Test("a combining mark that arrives as a separate key joins the previous character")
  func combiningMarkJoinsPreviousCharacter() {
    var input = TextInput("")
    for scalar in "caf\u{65}\u{301}!".unicodeScalars { input.insert(String(scalar)) }
    #expect(input.text == "cafe\u{301}!" && input.characters.count == 5)
    input.delete(to: input.caret - 1)
    input.delete(to: input.caret - 1)
    #expect(input.text == "caf")
  }

  @Test(
    "a character that arrives as several keys is joined: emoji with joiners or skin tones, flags and syllables",
    arguments: ["👩‍🚀", "👨‍👩‍👧‍👦", "👋🏽", "🇳🇱", "한", "❤️‍🔥"])
  func severalKeysJoinIntoOneCharacter(text: String) {
    var input = TextInput("a")
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      input.insert(String(scalar))
    }
    input.insert("b")
    #expect(input.text == "a\(text)b" && input.characters.count == 3 && input.caret == 3)
    var pasted = TextInput("")
    pasted.insert(text)
    #expect(pasted.text == text && pasted.characters.count == 1)
  }

  @Test("a field rejects control characters, and has a space for each line break and tab")
  func fieldRejectsControlCharacters() {
    var input = TextInput("")
    input.insert("a\u{1B}[31m\r\nb\t")
    #expect(input.text == "a[31m b ")
  }

  @Test("a field shows the text around the caret, and a secret as dots")
  func fieldShowsTextAroundCaret() {
    var input = TextInput("一二三四五六")
    #expect(input.window(columns: 6, isSecret: false) == ("五六", 4))
    input.move(to: 0)
    #expect(input.window(columns: 6, isSecret: false) == ("一二…", 0))
    #expect(input.window(columns: 20, isSecret: true) == ("••••••", 0))
    let lines = TextInput("one two\nthree", isMultiline: true)
    #expect(lines.window(columns: 5, rows: 2) == (["thre", "e"], Position(column: 1, row: 1)))
    #expect(lines.window(columns: 20, rows: 4) == (["one two", "three"], Position(column: 5, row: 1)))
  }
}
