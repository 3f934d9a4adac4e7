import Snapshotting
import Testing

@Suite("The marks of changed words")
struct LineDiffWordTests {
  private func lines(
    _ old: String, _ new: String, words: Bool = true, whitespace: Bool = false, color: Bool = false
  ) -> [String] {
    var format = LineDiff.Format()
    format.marksWords = words
    format.showsWhitespace = whitespace
    format.isColored = color
    format.includesNotes = false
    return LineDiff(old: old, new: new).formatted(format).split(separator: "\n").dropFirst().map(String.init)
  }

  @Test("changed words are in brackets in both lines")
  func brackets() {
    #expect(
      lines("Bird(name: \"Puffin\", age: 21)", "Bird(name: \"Puffin\", age: 22)")
        == ["\u{2212}Bird(name: \"Puffin\", age: [\u{2212}21\u{2212}])", "+Bird(name: \"Puffin\", age: {+22+})"])
  }

  @Test("added words are marked only in the new line")
  func added() {
    #expect(lines("a puffin flies", "a puffin flies low") == ["\u{2212}a puffin flies", "+a puffin flies{+ low+}"])
  }

  @Test("a line that is mostly different has no marks")
  func otherLine() {
    #expect(lines("name: Puffin", "size = 12 cm") == ["\u{2212}name: Puffin", "+size = 12 cm"])
  }

  @Test("words are compared across lines")
  func broken() {
    #expect(
      lines("first second third fourth", "first second\nthird fourth")
        == ["\u{2212}first second[\u{2212} \u{2212}]third fourth", "+first second", "+third fourth"])
  }

  @Test("a space or a mark between two changed words is marked too")
  func joined() {
    #expect(
      lines("the quick brown fox jumped", "the slow red fox jumped").last == "+the {+slow red+} fox jumped")
  }

  @Test("a common word between two changed words is not marked")
  func parted() {
    #expect(lines("call(a) twice", "call[a] twice").last == "+call{+[+}a{+]+} twice")
  }

  @Test("a mark never divides a character")
  func characters() {
    #expect(
      lines("a = 1, b = 2", "a =\u{338} 1, b = 2") == [
        "\u{2212}a [\u{2212}=\u{2212}] 1, b = 2", "+a {+=\u{338}+} 1, b = 2",
      ])
    #expect(lines("one été two", "one étés two").last == "+one {+étés+} two")
  }

  @Test("changed white space is visible")
  func whitespace() {
    #expect(lines("\tone two", "  one two", words: false, whitespace: true) == ["\u{2212}→one two", "+··one two"])
    #expect(
      lines("one two\r\nx", "one two\nx", words: false, whitespace: true).prefix(2) == ["\u{2212}one two␍", "+one two"])
    #expect(
      lines("one two", "one\u{A0}two", words: false, whitespace: true) == ["\u{2212}one·two", "+one⍽two"])
    #expect(
      lines("one two", "one \u{200B}two", words: false, whitespace: true).last == "+one·<U+200B>two")
  }

  @Test("with colour, removed lines are red, added lines are green, and words are inverse")
  func color() {
    #expect(
      lines("one two", "one three", color: true)
        == [
          "\u{1B}[31m\u{2212}one \u{1B}[7mtwo\u{1B}[27m\u{1B}[0m", "\u{1B}[32m+one \u{1B}[7mthree\u{1B}[27m\u{1B}[0m",
        ])
    #expect(LineDiff(old: "a", new: "b").formatted(.terminal).hasPrefix("\u{1B}[36m@@ \u{2212}1,1 +1,1 @@\u{1B}[0m\n"))
  }

  @Test("a text cannot control the terminal")
  func injection() {
    let text = LineDiff(old: "", new: "\u{1B}[2J\u{7}\u{9B}x\u{202E}").formatted(.terminal)
    #expect(text.contains("+␛[2J␇<U+009B>x<U+202E>"))
  }
}
