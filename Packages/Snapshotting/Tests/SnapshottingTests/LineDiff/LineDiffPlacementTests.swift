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

  @Test("changes that can touch are one")
  func touching() {
    // The second `x` may be the one that is added, and then stands beside the line that is removed.
    let lines = LineDiff(old: "x\nold\nend", new: "x\nx\nend").hunks.flatMap(\.lines)
    #expect(lines.map(\.kind) == [.common, .removed, .added, .common])
  }
}
