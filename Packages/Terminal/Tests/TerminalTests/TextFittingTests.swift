import Testing

@testable import Terminal

@Suite("Fitting text")
struct TextFittingTests {
  @Test(
    "Truncated text fits the columns and ends with an ellipsis",
    arguments: [
      ("puffin", 6, "puffin"), ("puffin", 5, "puff…"), ("puffin", 1, "…"), ("puffin", 0, ""), ("puffin", -3, ""),
      ("鳥鳥鳥", 6, "鳥鳥鳥"), ("鳥鳥鳥", 5, "鳥鳥…"), ("鳥鳥鳥", 4, "鳥…"), ("a\nb\u{1B}[mc", 20, "ab[mc"),
    ])
  func truncatedTextFits(text: String, columns: Int, result: String) {
    #expect(text.truncated(toColumns: columns) == result)
  }

  @Test("An ellipsis wider than the limit is omitted")
  func wideEllipsisIsOmitted() {
    #expect("abc".truncated(toColumns: 1, ellipsis: "鳥") == "a")
    #expect("abc".truncated(toColumns: 2, ellipsis: "\u{301}") == "ab")
  }

  @Test(
    "Padding is added on the side that the alignment requires",
    arguments: [(TextAlignment.left, "鳥   "), (.right, "   鳥")])
  func paddingFollowsAlignment(alignment: TextAlignment, result: String) {
    #expect("鳥".padded(toColumns: 5, alignment: alignment) == result)
    #expect("鳥".padded(toColumns: -5, alignment: alignment) == "鳥")
  }

  @Test("Fitted text has exactly the requested width for any text", arguments: 0..<200)
  func fittedTextHasExactWidth(seed: Int) {
    var random = Seeded(seed)
    let columns = random.number(-1...12)
    let text = random.text(0...14).fitted(toColumns: columns, alignment: random.one(of: TextAlignment.allCases))
    #expect(text.displayWidth == max(columns, 0), "seed \(seed): \(text.debugDescription)")
  }

  @Test("Text wraps at spaces and inside words that are too long, and never exceeds the width")
  func textWraps() {
    #expect("to be or not to be".wrapped(toColumns: 6) == ["to be", "or not", "to be"])
    #expect("unspeakable".wrapped(toColumns: 4) == ["unsp", "eaka", "ble"])
    #expect("東京ばな奈".wrapped(toColumns: 5) == ["東京", "ばな", "奈"])
    #expect("one\n\ntwo".wrapped(toColumns: 9) == ["one", "", "two"] && "".wrapped(toColumns: 9) == [""])
    #expect("  130  a  signal".wrapped(toColumns: 12) == ["  130 a", "  signal"], "the indentation is kept")
    #expect("    0  fine".wrapped(toColumns: 12) == ["    0  fine"], "a line that fits is kept")
    #expect("one\ttwo".wrapped(toColumns: 9) == ["one two"], "a tab is a space")
    let texts = ["a bb ccc dddd eeeee", "東京 ばな奈 🍌 for everybody", "  two  blanks ", "x\r\ny", "\u{1B}[31m red"]
    for text in texts {
      for columns in 0...20 {
        let lines = text.wrapped(toColumns: columns)
        #expect(lines.allSatisfy { $0.displayWidth <= max(columns, 2) }, "\(text) in \(columns)")
        #expect(lines.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
      }
    }
  }
}
