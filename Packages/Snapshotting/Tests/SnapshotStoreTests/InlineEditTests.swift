import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

/// Rewrites the call with the mark ⟦ before its argument list.
private func rewritten(
  _ marked: String, to text: String, expected: String? = nil, closure: InlineClosure = InlineClosure()
) throws -> String {
  let parts = marked.split(separator: "⟦", maxSplits: 1, omittingEmptySubsequences: false)
  let before = Array(parts[0].utf8)
  let line = before.count { $0 == UInt8(ascii: "\n") } + 1
  let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
  let edit = InlineEdit(line: UInt(line), column: UInt(column), closure: closure, isNew: expected == nil, text: text)
  return String(decoding: try InlineEdit.applying([edit], to: Data(parts.joined().utf8), of: "T.swift"), as: UTF8.self)
}

@Suite("Rewriting the source")
struct InlineEditTests {
  private let closure = "{\n  \"\"\"\n  n\n  \"\"\"\n}"

  @Test("a call without a closure gets a closure with the indentation of the file")
  func inserts() throws {
    #expect(
      try rewritten("func test() {\n    check⟦(of: 1)\n}\n", to: "a\n\n b") == """
        func test() {
            check(of: 1) {
                \"""
                a

                 b
                \"""
            }
        }

        """)
    #expect(
      try rewritten("func test() {\n\tcheck⟦(of: 1)\n}", to: "a")
        == "func test() {\n\tcheck(of: 1) {\n\t\t\"\"\"\n\t\ta\n\t\t\"\"\"\n\t}\n}")
  }

  @Test("a rewrite replaces only the closure, also one that begins on the next line")
  func replaces() throws {
    let source =
      "func test() { /* ( */\n  check⟦(\n    of: f(\"\\(g(\")\"))\")\n  ) {\n    \"old\"\n  }; check(of: 2)  // )\n}\n"
    #expect(
      try rewritten(source, to: "new", expected: "old") == """
        func test() { /* ( */
          check(
            of: f("\\(g(")"))")
          ) {
            \"""
            new
            \"""
          }; check(of: 2)  // )
        }

        """)
    #expect(
      try rewritten("func test() {\n  check⟦(of: 1)\n  {\n    \"old\"\n  }\n}\n", to: "new", expected: "old")
        == "func test() {\n  check(of: 1)\n  {\n    \"\"\"\n    new\n    \"\"\"\n  }\n}\n")
  }

  @Test(
    "a closure is found by its label and by its index, which counts the closures at the end of the parentheses first",
    arguments: [
      ("check⟦(1, matches: { \"o\" })", "check(1, matches: %)", 0),
      ("check⟦(1) { x } was: { \"o\" }", "check(1) { x } is: %", 1),
      ("one⟦(of: { \"v\" }) { \"o\" }", "one(of: { \"v\" }) %", 1),
      ("one⟦({ \"v\" }) { \"w\" } is: { \"o\" }", "one({ \"v\" }) { \"w\" } is: %", 2),
      ("one ⟦{ \"v\" } is: { \"o\" }", "one { \"v\" } is: %", 1),
      ("check ⟦{ x } head: { y } body: { z } is: { \"o\" }", "check { x } head: { y } body: { z } is: %", 3),
      ("check ⟦{ \"o\" }", "check %", 0), ("birds⟦[1] { \"o\" }", "birds[1] %", 0),
    ] as [(String, String, Int)])
  func closures(source: String, result: String, offset: Int) throws {
    let place = InlineClosure(label: offset == 0 ? "matches" : "is", otherLabels: ["was"], offset: offset)
    var expected = "func test()\n" + result.replacing("%", with: closure)
    if source.contains("was:") { expected = expected.replacing("is: {", with: "was: {") }
    #expect(try rewritten("func test()\n" + source, to: "n", expected: "o", closure: place) == expected)
  }

  @Test(
    "a new closure is after those before it",
    arguments: [
      ("check⟦(1) { x }", "check(1) { x } is: %", 1), ("one⟦(of: { \"v\" })", "one(of: { \"v\" }) %", 1),
      ("one ⟦{ \"v\" }", "one { \"v\" } is: %", 1), ("birds⟦[1]", "birds[1] %", 0),
      ("check⟦(1) { x } last: { y }", "check(1) { x } is: % last: { y }", 1),
    ] as [(String, String, Int)])
  func newClosures(source: String, result: String, offset: Int) throws {
    let place = InlineClosure(label: "is", offset: offset)
    #expect(
      try rewritten("func test()\n" + source, to: "n", closure: place)
        == "func test()\n" + result.replacing("%", with: closure))
    #expect(throws: SnapshotError.self) {
      try rewritten("func test()\ncheck⟦(1)", to: "n", closure: InlineClosure(label: "is", offset: 1))
    }
  }

  @Test("a closure on a line of its own keeps the indentation of its line")
  func argumentLine() throws {
    let source = "func test() {\n  check⟦(\n    of: 1,\n    matches: { \"o\" }\n  )\n}\n"
    #expect(
      try rewritten(source, to: "a\rb", expected: "o") == """
        func test() {
          check(
            of: 1,
            matches: {
              \"""
              a\\rb
              \"""
            }
          )
        }

        """)
  }

  @Test("a closure that the call does not have is refused, and the advice is to correct the descriptor")
  func wrongDescriptor() {
    let error = #expect(throws: SnapshotError.self) {
      try rewritten("check ⟦{ \"o\" }", to: "n", expected: "o", closure: InlineClosure(label: "is", offset: 1))
    }
    #expect(error?.description.contains("it is closure 2, with the label is, and the call has 1.") == true)
  }

  @Test("several closures of one call, and several calls, are changed together")
  func several() throws {
    let edits = [("sql", 0), ("results", 1)].flatMap { label, offset in
      (1...2 as ClosedRange<UInt>).map { line in
        InlineEdit(
          line: line, column: 6, closure: InlineClosure(label: label, offset: offset), isNew: true, text: "n")
      }
    }
    let source = Data("check(1)\ncheck(2)\n".utf8)
    let result = try InlineEdit.applying(edits.reversed(), to: source, of: "T.swift")
    #expect(
      String(decoding: result, as: UTF8.self)
        == "check(1) \(closure) results: \(closure)\ncheck(2) \(closure) results: \(closure)\n")
  }

  @Test("a closure with more than a literal is refused, and not reported as a changed source")
  func noLiteral() {
    for content in ["\"\\(name)\"", "text", "f(\"o\")", "\"o\" + \"p\"", "", "/* why */ \"o\"", "\"o\" // why\n"] {
      let error = #expect(throws: SnapshotError.self) {
        try rewritten("func test()\ncheck⟦(1) { \(content) }", to: "n", expected: "o")
      }
      #expect(error?.description.contains("its closure is not only a string literal without interpolation.") == true)
      #expect(error?.description.contains("changed") == false)
    }
  }

  @Test("a source that differs from the compiled source is not rewritten")
  func refuses() {
    for (source, expected) in [
      ("func test() { check⟦ (1) }", nil),  // the parenthesis is elsewhere
      ("func test() { check⟦(1", nil),  // malformed
      ("func test() { check⟦(1] }", nil),
      (#"func test() { check⟦(/\)/) }"#, nil),  // regular expressions with single brackets or quotes
      ("func test() { check⟦(/* a /* b */ ) */ 1) }", nil),  // a comment in a comment
      ("func test() { check⟦(/*/ 1) }", nil),  // an unterminated comment
      (#"func test() { check⟦(/[(]/) }"#, nil), (#"func test() { check⟦(/"/) }"#, nil),
      ("func test() { check⟦(1) { \"a\" } }", nil),  // no closure was compiled
      ("func test() { check⟦(1) }", "a"),  // a closure was compiled
    ] as [(String, String?)] {
      #expect(throws: SnapshotError.self, "\(source)") { try rewritten(source, to: "n", expected: expected) }
    }
    for (line, column) in [(0, 0), (1, 0), (9, 1), (1, .max), (.max, 1)] as [(UInt, UInt)] {
      let edit = InlineEdit(line: line, column: column, closure: InlineClosure(), isNew: true, text: "n")
      #expect(throws: SnapshotError.self) { try InlineEdit.applying([edit], to: Data("check(1)".utf8), of: "T.swift") }
    }
  }

  @Test("strings, interpolations, comments and quoted names in the arguments are skipped")
  func syntax() throws {
    for argument in [
      #"/* a ( " */ 1"#, ##"#"\("#, 1"##, #""\("\(")")")""#, "\"\"\"\n  )\\(\"}\")\n  \"\"\"",
      "`default`(x / y / z)", #"/[a-z]+(b|c)/"#, "// )\n  1", "a[1] / (2)", #"\.name"#, "#file, #line",
    ] {
      let result = try rewritten("func test() {\n  check⟦(\(argument))\n}\n", to: "n")
      #expect(result == "func test() {\n  check(\(argument)) {\n    \"\"\"\n    n\n    \"\"\"\n  }\n}\n", "\(argument)")
    }
  }

}

@Suite("String literals of inline snapshots")
struct StringLiteralTests {
  /// The closure of a call that gets a text.
  private func literal(_ text: String) throws -> String {
    String(try rewritten("check⟦()", to: text).dropFirst("check() {\n  ".count).dropLast(2))
  }

  /// Returns the value of a literal as the compiler reads it.
  private func value(of literal: String) -> String {
    let pounds = String(literal.prefix { $0 == "#" })
    let lines = literal.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
    let text = lines.map { $0.hasPrefix("  ") ? $0.dropFirst(2) : $0 }.joined(separator: "\n")
    var parts = text.components(separatedBy: "\\\(pounds)")[...]
    var value = parts.removeFirst()
    while var part = parts.popFirst() {
      if part.isEmpty, let next = parts.popFirst() { part = "\\" + next }  // an escaped backslash
      let digits = part.dropFirst(2).prefix { $0 != "}" }
      if part.hasPrefix("u{"), let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
        value += String(scalar) + part.dropFirst(digits.count + 3)
      } else {
        value += part.hasPrefix("r") ? "\r" + part.dropFirst() : part
      }
    }
    return value
  }

  @Test("the value of the literal of a text is the text, and the next recording replaces the literal")
  func roundTrips() throws {
    let awkward = Generator<String>.element(of: [
      "\\", "\"", "\"\"\"", "#", "\\#(", "\n", " ", "\t", "\r", "\r\n", "\0", "\\n", "é", "e\u{301}", "\u{2028}",
      "\u{FEFF}", "a", "\\" + String(repeating: "#", count: 300),
    ])
    let texts = Generator<[String]>.array(of: awkward, count: 0...12).map { $0.joined() }
    try checkProperty("value(literal(text)) = text", count: 2_000, texts) { text in
      let recorded = try? rewritten("check⟦()", to: text)
      let again = recorded.flatMap { try? rewritten("check⟦" + $0.dropFirst(5), to: "n", expected: text) }
      let literal = try? literal(text)
      return again == "check() {\n  \"\"\"\n  n\n  \"\"\"\n}"
        && literal.map { Array(value(of: $0).utf8) } == Array(text.utf8)
    }
  }

  @Test(
    "a literal has as few # as possible, and none if it would need more than the compiler reads",
    arguments: [
      ("a", "\"\"\"\n  a\n  \"\"\""), ("\"\"", "\"\"\"\n  \"\"\n  \"\"\""), ("\\", "#\"\"\"\n  \\\n  \"\"\"#"),
      ("\"\"\"#", "##\"\"\"\n  \"\"\"#\n  \"\"\"##"), ("#\r\0", "\"\"\"\n  #\\r\\u{0}\n  \"\"\""),
      ("\\#\r", "##\"\"\"\n  \\#\\##r\n  \"\"\"##"),
      (
        "\\" + String(repeating: "#", count: 300),
        "\"\"\"\n  \\\\" + String(repeating: "#", count: 300) + "\n  \"\"\""
      ),
    ])
  func pounds(text: String, literal: String) throws { #expect(try self.literal(text) == literal) }
}
