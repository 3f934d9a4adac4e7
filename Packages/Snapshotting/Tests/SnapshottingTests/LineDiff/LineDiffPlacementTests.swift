import Snapshotting
import Testing

@Suite("The places of changes")
struct LineDiffPlacementTests {
  private func changed(_ old: String, _ new: String) -> [String] {
    LineDiff(old: old, new: new).hunks.flatMap(\.lines).compactMap { line in
      switch line.kind {
      case .common: nil
      case .removed: "-" + line.text
      case .added: "+" + line.text
      }
    }
  }

  @Test("an object is added as a whole")
  func object() {
    let (first, second, third) = ("  {\n    \"a\": 1\n  },\n", "  {\n    \"a\": 2\n  },\n", "  {\n    \"a\": 3\n  }\n")
    let added = ["  {", "    \"a\": 2", "  },"]
    #expect(changed("[\n" + first + third + "]", "[\n" + first + second + third + "]") == added.map { "+" + $0 })
    #expect(changed("[\n" + first + second + third + "]", "[\n" + first + third + "]") == added.map { "-" + $0 })
  }

  @Test("a function is added with its own brace, and begins with its name")
  func function() {
    let (first, second) = ("func a() {\n  b()\n}\n\n", "func c() {\n  d()\n}\n\n")
    #expect(
      changed(first + "end\n", first + second + "end\n") == ["+func c() {", "+  d()", "+}", "+"])
  }

  @Test("of several equal lines, the last one is changed")
  func equal() {
    let hunks = LineDiff(old: "a\na\nb", new: "a\na\na\nb").hunks
    #expect(hunks.first?.lines.map(\.kind) == [.common, .common, .added, .common])
  }

  @Test("a change begins with the statement, not with the empty line before it")
  func emptyLine() {
    #expect(changed("{\n  a()\n\n}", "{\n  a()\n\n  b()\n\n}") == ["+  b()", "+"])
  }

  /// Numbers are lines of one text.
  ///
  /// The letters can be added in several places.
  @Test(
    "changes that can be adjacent are joined",
    arguments: [
      ("1ae2", "9aae8", "-1 +9 +a  a  e -2 +8"),
      ("1ab2", "9cacab8", "-1 +9 +c +a +c  a  b -2 +8"),
      ("1ab2", "9babb8", "-1 +9 +b  a  b -2 +b +8"),
    ])
  func touching(old: String, new: String, expected: String) {
    let lines = { (text: String) in text.map(String.init).joined(separator: "\n") }
    let marks = LineDiff(old: lines(old), new: lines(new)).hunks.flatMap(\.lines).map { line in
      switch line.kind {
      case .common: " " + line.text
      case .removed: "-" + line.text
      case .added: "+" + line.text
      }
    }
    #expect(marks.joined(separator: " ") == expected)
  }
}
