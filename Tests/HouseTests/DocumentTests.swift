import Testing

@Suite("The documents") struct DocumentTests {
  @Test("link to what is there") func links() async throws {
    let files = Set(try await House.files())
    for path in files.sorted() where path.hasSuffix(".md") {
      guard let text = House.text(of: path) else { continue }
      for finding in brokenLinks(path, text, files: files, contents: House.text) { Issue.record("\(finding)") }
    }
  }

  @Test(
    "name only what a client uses that compiles",
    arguments: [
      (
        "Futures/Sources/Futures/Futures.docc/MigratingFromBrightFutures.md", "Futures.brightfutures.mode5.swift"
      ),
      (
        "Snapshotting/Sources/SnapshotAssertions/SnapshotAssertions.docc/Migration.md",
        "SnapshotAssertions.snapshottesting.mode5.swift"
      ),
    ]) func guides(guide: String, client: String) throws
  {
    let names = namesWithoutUse(
      guide: try #require(House.text(of: "Packages/\(guide)")),
      client: try #require(House.text(of: "Tests/Consumers/Clients/\(client)")))
    #expect(names.isEmpty, "Packages/\(guide) names these, and Tests/Consumers/Clients/\(client) does not use them")
  }
}

@Suite("The rules for documents") struct DocumentRulesTests {
  private func findings(_ text: String, in path: String = "A/README.md") -> [String] {
    brokenLinks(path, text, files: ["A/README.md", "A/b.md", "C/d/e.txt", "Scripts/test"]) { path in
      path == "A/b.md" ? "# One, two\n## `three` four" : nil
    }
  }

  @Test("accept links to files, folders, headings and other machines")
  func accepted() {
    #expect(findings("[b](b.md) [d](../C/d) [e](../C/d/e.txt) [t](./b.md#one-two) [f](b.md#three-four)").isEmpty)
    #expect(
      findings("[w](https://example.com/x) [a](#title)\n# Title", in: "A/b.md") == [
        "A/b.md:1: the link (#title) leads nowhere"
      ])
    #expect(findings("`Scripts/test` `Packages/X` `Scripts/` `Scripts/<name>`").isEmpty)
    #expect(findings("`[x](nowhere)`\n```\n[x](nowhere)\n```").isEmpty)
  }

  @Test("find links that lead nowhere, with their line")
  func found() {
    #expect(findings("\n[b](c.md)") == ["A/README.md:2: the link (c.md) leads nowhere"])
    #expect(findings("[b](../b.md)").count == 1)
    #expect(findings("[b](b.md#five)").count == 1)
    #expect(findings("![picture](pictures/b.png)").count == 1)
    #expect(findings("`Scripts/tset`") == ["A/README.md:1: `Scripts/tset` is not there"])
  }

  @Test("find links to files in a catalogue, whose pages are not beside the files")
  func catalogues() {
    #expect(findings("[b](b.md)", in: "A/A.docc/A.md").count == 1)
    #expect(findings("![b](picture)", in: "A/A.docc/A.md").isEmpty)
  }

  @Test("find names of a guide that its client does not use")
  func names() {
    let guide = "## Name by name\n\n| there | here |\n|---|---|\n| `a`, `b(c:)` | `z` |\n| `??` | |\n## More\n| `y` |"
    #expect(namesWithoutUse(guide: guide, client: "a(b(c: 1)) ?? 2").isEmpty)
    #expect(namesWithoutUse(guide: guide, client: "a(b(1))") == ["c", "??"])
    #expect(!namesWithoutUse(guide: "", client: "").isEmpty)
  }
}
