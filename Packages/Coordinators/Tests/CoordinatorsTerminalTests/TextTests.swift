import Foundation
import Terminal
import Testing

@testable import CoordinatorsTerminal

@Suite("Text in a terminal's pages")
struct TextTests {
  @Test("text is edited at the caret")
  func textIsEditedAtCaret() {
    var input = TextInput("fets")
    let keys: [Key] = [.home, .right, .character("i"), .end, .backspace, .left, .delete, .left, .left, .left, .left]
    let isTaken = keys.map { input.press($0) }
    #expect(isTaken.allSatisfy { $0 })
    #expect(input.text == "fie" && input.caret == 0)
    _ = input.press(.backspace)
    let others: [Key] = [.up, .enter, .tab, .escape, .pageDown]
    let isOtherTaken = others.map { input.press($0) }
    #expect(input.text == "fie" && isOtherTaken.allSatisfy { !$0 })
  }

  @Test("a combining mark that arrives as a separate key joins the previous character")
  func combiningMarkJoinsPreviousCharacter() {
    var input = TextInput("")
    for scalar in "caf\u{65}\u{301}!".unicodeScalars { _ = input.press(.character(Character(scalar))) }
    #expect(input.text == "cafe\u{301}!" && input.characters.count == 5)
    _ = input.press(.backspace)
    _ = input.press(.backspace)
    #expect(input.text == "caf")
  }

  @Test(
    "a character that arrives as several keys is joined: emoji with joiners or skin tones, flags and syllables",
    arguments: ["👩‍🚀", "👨‍👩‍👧‍👦", "👋🏽", "🇳🇱", "한", "❤️‍🔥"])
  func severalKeysJoinIntoOneCharacter(text: String) {
    var input = TextInput("a")
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      _ = input.press(.character(Character(scalar)))
    }
    _ = input.press(.character("b"))
    #expect(input.text == "a\(text)b" && input.characters.count == 3 && input.caret == 3)
    var pasted = TextInput("")
    pasted.insert(text)
    #expect(pasted.text == text && pasted.characters.count == 1)
  }

  @Test("a character receives at most as many combining marks as a cell holds")
  func combiningMarksAreLimited() {
    var input = TextInput("e")
    for _ in 0..<1_000 { _ = input.press(.character("\u{301}")) }
    #expect(input.characters.count == 1 && input.text.unicodeScalars.count == 32)
  }

  @Test("a field rejects control characters and text beyond its maximum")
  func fieldRejectsControlCharacters() {
    var input = TextInput("")
    input.insert("a\u{1B}[31m\nb\t")
    #expect(input.text == "a[31mb")
    input.insert(String(repeating: "x", count: 5_000))
    #expect(input.characters.count == TextInput.maximumLength)
  }

  @Test("a value of the app is not cut, also when it is longer than the maximum for typed text")
  func longValueIsKept() {
    var input = TextInput(String(repeating: "x", count: 2_000))
    input.insert("y")
    #expect(input.text.count == 2_000)
    _ = input.press(.backspace)
    #expect(input.text.count == 1_999)
  }

  @Test("a field shows the text around the caret, and a secret as dots")
  func fieldShowsTextAroundCaret() {
    var input = TextInput("一二三四五六")
    #expect(input.window(columns: 6, isSecret: false) == ("五六", 4))
    _ = input.press(.home)
    #expect(input.window(columns: 6, isSecret: false) == ("一二…", 0))
    #expect(input.window(columns: 20, isSecret: true) == ("••••••", 0))
  }
}
