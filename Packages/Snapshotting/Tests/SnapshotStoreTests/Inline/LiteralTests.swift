import TestSupport
import Testing

@testable import SnapshotStore

@Suite("String literals of inline snapshots")
struct LiteralTests {
  private func roundTrip(_ text: String, indentation: String = "  ") -> String? {
    let source = Array(StringLiterals.literal(of: text, indentation: indentation).utf8)
    guard let tokens = SwiftLexer.tokens(of: source), tokens.count == 1 else { return nil }
    return StringLiterals.value(of: tokens[0], in: source)
  }

  @Test("the value of the literal of a text is the text")
  func roundTrips() throws {
    let awkward = Generator<String>.element(of: [
      "\\", "\"", "\"\"\"", "#", "\\#(", "\n", " ", "\t", "\r", "\r\n", "\0", "\\n", "é", "e\u{301}", "\u{2028}",
      "\u{FEFF}", "a",
    ])
    let texts = Generator<[String]>.array(of: awkward, count: 0...12).map { $0.joined() }
    try checkProperty("value(literal(text)) = text", count: 2_000, texts) { text in
      roundTrip(text).map { Array($0.utf8) } == Array(text.utf8)
    }
  }

  @Test(
    "a literal has as few # as possible",
    arguments: [
      ("a", 0), ("\"\"", 0), ("\\", 1), ("\"\"\"", 1), ("\"\"\"#", 2), ("\\##", 3), ("#", 0), ("\r", 0),
    ])
  func pounds(text: String, count: Int) {
    let literal = StringLiterals.literal(of: text, indentation: "")
    #expect(literal.hasPrefix(String(repeating: "#", count: count) + "\"\"\"\n"))
  }

  @Test(
    "a literal in any form is read",
    arguments: [
      (#""a\n\u{E9}\\""#, "a\n\u{E9}\\"), (##"#"a\n\#n"#"##, "a\\n\n"),
      ("\"\"\"\n  a\n\n    b\\\n   c\n  \"\"\"", "a\n\n  b c"),
      ("\"\"", ""), ("#\"\"#", ""),
    ])
  func reading(literal: String, value: String) throws {
    let source = Array(literal.utf8)
    let tokens = try #require(SwiftLexer.tokens(of: source))
    #expect(tokens.count == 1)
    #expect(StringLiterals.value(of: tokens[0], in: source) == value)
  }

  @Test("a literal with an interpolation has no value")
  func interpolation() throws {
    let source = Array(#""a\(b)""#.utf8)
    let tokens = try #require(SwiftLexer.tokens(of: source))
    #expect(StringLiterals.value(of: tokens[0], in: source) == nil)
  }
}
