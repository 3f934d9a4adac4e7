import Foundation
import TestSupport
import Testing

@testable import SnapshotStore

/// Rewrites the call with the mark ⟦ before its parenthesis.
private func rewritten(
  _ marked: String, to text: String, expected: String? = nil,
  closure: InlineCall.Closure = InlineCall.Closure(), argument: String? = nil
) throws -> String {
  let parts = marked.split(separator: "⟦", maxSplits: 1, omittingEmptySubsequences: false)
  let source = Array(parts.joined().utf8)
  let before = Array(parts[0].utf8)
  let line = before.count { $0 == UInt8(ascii: "\n") } + 1
  let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
  let tokens = try #require(SwiftLexer.tokens(of: source))
  let call = try InlineCall(
    in: source, tokens: tokens, path: "T.swift", line: UInt(line), column: UInt(column))
  let edit = try call.edit(
    newText: text, expected: expected, target: argument.map { .argument($0) } ?? .closure(closure))
  return String(decoding: try #require(applying([edit], to: source)), as: UTF8.self)
}

@Suite("Rewriting the source")
struct RewriteTests {
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

  @Test("a closure that begins on the next line is replaced")
  func replacesOnNextLine() throws {
    #expect(
      try rewritten("func test() {\n  check⟦(of: 1)\n  {\n    \"old\"\n  }\n}\n", to: "new", expected: "old")
        == "func test() {\n  check(of: 1)\n  {\n    \"\"\"\n    new\n    \"\"\"\n  }\n}\n")
  }

  @Test("a rewrite replaces only the closure")
  func replaces() throws {
    let source =
      "func test() { /* ( */\n  check⟦(\n    of: f(\"\\(g(\")\"))\")\n  ) { // old\n    \"old\"\n  }; check(of: 2)  // )\n}\n"
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
  }

  @Test("a closure is found by its label, inside the parentheses and after other closures")
  func labels() throws {
    let second = InlineCall.Closure(label: "is", otherLabels: ["was"], offset: 1)
    let closure = "{\n  \"\"\"\n  n\n  \"\"\"\n}"
    #expect(
      try rewritten("func test()\ncheck⟦(1, matches: { \"o\" })", to: "n", expected: "o")
        == "func test()\ncheck(1, matches: \(closure))")
    #expect(
      try rewritten("func test()\ncheck⟦(1) { x } was: { \"o\" }", to: "n", expected: "o", closure: second)
        == "func test()\ncheck(1) { x } was: \(closure)")
    #expect(
      try rewritten("func test()\ncheck⟦(1) { x }", to: "n", closure: second)
        == "func test()\ncheck(1) { x } is: \(closure)")
    #expect(throws: SnapshotError.self) { try rewritten("func test()\ncheck⟦(1)", to: "n", closure: second) }
  }

  @Test("a closure with an interpolation is not reported as a changed source")
  func interpolation() {
    let error = #expect(throws: SnapshotError.self) {
      try rewritten("func test()\ncheck⟦(1) { \"\\(name)\" }", to: "n", expected: "o")
    }
    #expect(error?.description.contains("its closure is not one string literal without interpolation.") == true)
    #expect(error?.description.contains("changed") == false)
    let argument = #expect(throws: SnapshotError.self) {
      try rewritten("func test()\ncheck⟦(with: \"\\(name)\")", to: "n", expected: "o", argument: "with")
    }
    #expect(argument?.description.contains("`with` is not one string literal without interpolation.") == true)
  }

  @Test("a rewrite of an argument replaces only its literal")
  func arguments() throws {
    #expect(
      try rewritten("func test() {\n  check⟦(f(with: 1), with: \"\")\n}", to: "a\nb", expected: "", argument: "with")
        == "func test() {\n  check(f(with: 1), with: \"\"\"\n    a\n    b\n    \"\"\")\n}")
    #expect(throws: SnapshotError.self) {
      try rewritten("func test()\ncheck⟦(1, with: \"a\" + b)", to: "n", expected: "a", argument: "with")
    }
    #expect(throws: SnapshotError.self) {
      try rewritten("func test()\ncheck⟦(1, with: \"a\")", to: "n", expected: "b", argument: "with")
    }
  }

  @Test("a file with CR LF keeps its line endings")
  func carriageReturns() throws {
    #expect(
      try rewritten("func test() {\r\n  check⟦(1)\r\n}\r\n", to: "a\nb")
        == "func test() {\r\n  check(1) {\r\n    \"\"\"\r\n    a\r\n    b\r\n    \"\"\"\r\n  }\r\n}\r\n")
  }

  @Test("a brace on the next line does not belong to the call")
  func nextLine() throws {
    #expect(try rewritten("func test()\ncheck⟦(1)\n{ \"o\" }", to: "n").hasSuffix("}\n{ \"o\" }"))
  }

  @Test("a source that differs from the compiled source is not rewritten")
  func refuses() {
    for (source, expected) in [
      ("func test() { check⟦ (1) }", nil),  // the parenthesis is elsewhere
      ("func test() { \"check⟦(1)\" }", nil),  // in a literal
      ("func test() { // check⟦(1)\n}", nil),  // in a comment
      ("func test() { check⟦(1) { \"a\" } }", nil),  // no closure was compiled
      ("func test() { check⟦(1) }", "a"),  // a closure was compiled
      ("func test() { check⟦(1) { \"b\" } }", "a"),  // a different text was compiled
      ("func test() { check⟦(1) { text } }", "a"),  // not a literal
      ("func test() { check⟦(1) { f(\"a\") } }", "a"),
    ] as [(String, String?)] {
      #expect(throws: SnapshotError.self, "\(source)") {
        try rewritten(source, to: "n", expected: expected)
      }
    }
  }

  @Test("the lexer recognises raw strings, nested interpolations, block comments, quoted names and regular expressions")
  func syntax() throws {
    let prefix = ###"""
      /* a /* nested ( */ " */
      func test() {
        let a = #"\("# + "\("\(")")")" + """
          ) \("}" + #"""# ) "
          """
        let `a " b` = x / y / ("/"), r = /[")]\/(a)/, c = /[^)"]([(])+/, e = #/ " ) /#
        let empty = (#""#, "", ##"" "#"##)

      """###
    let result = try rewritten(prefix + "  check⟦(of: a)\n}\n", to: "n")
    #expect(result == prefix + "  check(of: a) {\n    \"\"\"\n    n\n    \"\"\"\n  }\n}\n")
  }
}
