import Testing

@testable import SnapshotStore

@Suite("The root of a project")
struct ProjectRootTests {
  @Test("a path in a root with a name that is not ASCII is relative to it", arguments: ["\u{E9}", "e\u{301}", "🐦"])
  func nonASCII(name: String) {
    #expect(ProjectRoot.relative("/\(name)/Tests/a.txt", to: "/\(name)") == "Tests/a.txt")
    #expect(ProjectRoot.relative("/\(name)s/a.txt", to: "/\(name)") == nil)
  }

  @Test("a path in a root whose name has the other Unicode form is not relative to it")
  func canonicallyEquivalent() {
    #expect(ProjectRoot.relative("/e\u{301}/a.txt", to: "/\u{E9}") == nil)
  }
}
