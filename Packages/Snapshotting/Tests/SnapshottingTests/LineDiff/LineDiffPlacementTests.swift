import Snapshotting
import Testing

@Suite("Changes are told where a person would have made them")
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

  @Test("an object among others is added whole")
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

  @Test("one of several equal lines: the last")
  func equal() {
    let hunks = LineDiff(old: "a\na\nb", new: "a\na\na\nb").hunks
    #expect(hunks.first?.lines.map(\.kind) == [.common, .common, .added, .common])
  }

  @Test("a statement begins with itself, not with the empty line before it")
  func emptyLine() {
    #expect(changed("{\n  a()\n\n}", "{\n  a()\n\n  b()\n\n}") == ["+  b()", "+"])
  }

  @Test("changes that can touch are one: the line above")
  func touchingAbove() {
    // Either `a` may be the one that is added; the first stands beside the line that is replaced.
    let lines = LineDiff(old: "1\na\ne\n2", new: "9\na\na\ne\n8").hunks.flatMap(\.lines)
    #expect(lines.map(\.text) == ["1", "9", "a", "a", "e", "2", "8"])
    #expect(lines.map(\.kind) == [.removed, .added, .added, .common, .common, .removed, .added])
  }
}
