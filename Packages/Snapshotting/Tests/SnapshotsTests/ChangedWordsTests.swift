import Foundation
import Terminal
import Testing

@testable import Snapshots

@Suite("The marks of changed words")
struct ChangedWordsTests {
  private func lines(_ old: String, _ new: String, color: ColorCapability = .none) -> [String] {
    Difference(from: Data(old.utf8), to: Data(new.utf8), pathExtension: "txt").text(color: color)
      .split(separator: "\n").dropFirst().filter { !$0.hasPrefix("Line") }.map(String.init)
  }

  @Test("changed words are in brackets in both lines")
  func brackets() {
    #expect(
      lines("Bird(name: \"Puffin\", age: 21)", "Bird(name: \"Puffin\", age: 22)")
        == ["\u{2212} Bird(name: \"Puffin\", age: [\u{2212}21\u{2212}])", "+ Bird(name: \"Puffin\", age: {+22+})"])
  }

  @Test("added words are marked only in the new line")
  func added() {
    #expect(lines("a puffin flies", "a puffin flies low") == ["\u{2212} a puffin flies", "+ a puffin flies{+·low+}"])
  }

  @Test("a line that is mostly different has no marks")
  func otherLine() {
    #expect(lines("name: Puffin", "size = 12 cm") == ["\u{2212} name: Puffin", "+ size = 12 cm"])
  }

  @Test("words are compared between lines that resemble each other, and not across lines")
  func pairs() {
    #expect(
      lines("- \"Hello\"", "▿ 2 elements\n  - \"Hello\"\n  - \"puffin\"")
        == ["\u{2212} - \"Hello\"", "+ ▿ 2 elements", "+ {+··+}- \"Hello\"", "+   - \"puffin\""])
    #expect(
      lines("a: 1\nb: 2\nlast one", "b: 3\nlast two")
        == [
          "\u{2212} a: 1", "\u{2212} b: [\u{2212}2\u{2212}]", "\u{2212} last [\u{2212}one\u{2212}]", "+ b: {+3+}",
          "+ last {+two+}",
        ])
  }

  @Test("a space or a mark between two changed words is marked too")
  func joined() {
    #expect(
      lines("the quick brown fox jumped", "the slow red fox jumped").last == "+ the {+slow·red+} fox jumped")
  }

  @Test("a common word between two changed words is not marked")
  func parted() {
    #expect(lines("call(a) twice", "call[a] twice").last == "+ call{+[+}a{+]+} twice")
  }

  @Test("a mark never divides a character")
  func characters() {
    #expect(
      lines("a = 1, b = 2", "a =\u{338} 1, b = 2") == [
        "\u{2212} a [\u{2212}=\u{2212}] 1, b = 2", "+ a {+=\u{338}+} 1, b = 2",
      ])
    #expect(lines("one été two", "one étés two").last == "+ one {+étés+} two")
  }

  @Test("changed white space is visible")
  func whitespace() {
    #expect(
      lines("\tone two three", "  one two three") == [
        "\u{2212} [\u{2212}→\u{2212}]one two three", "+ {+··+}one two three",
      ])
    #expect(
      lines("one two\r\nx", "one two\nx").prefix(2) == ["\u{2212} one two[\u{2212}␍\u{2212}]", "+ one two"])
    #expect(
      lines("one two", "one\u{A0}two") == ["\u{2212} one[\u{2212}·\u{2212}]two", "+ one{+⍽+}two"])
    #expect(lines("one two", "one \u{200B}two").last == "+ one{+·<U+200B>+}two")
  }

  @Test("with colour, removed lines are red, added lines are green, and words are inverse")
  func color() {
    #expect(
      lines("one two", "one three", color: .trueColor)
        == [
          "\u{1B}[31m\u{2212} \u{1B}[m\u{1B}[31mone \u{1B}[m\u{1B}[7;31mtwo\u{1B}[m",
          "\u{1B}[32m+ \u{1B}[m\u{1B}[32mone \u{1B}[m\u{1B}[7;32mthree\u{1B}[m",
        ])
  }

  @Test("a text cannot control the terminal")
  func injection() {
    let text = Difference(from: Data(), to: Data("\u{1B}[2J\u{7}\u{9B}x\u{202E}".utf8), pathExtension: "txt")
    #expect(text.text(color: .none).contains("+ {+␛[2J␇<U+009B>x<U+202E>"))
  }
}
