import Testing

@Suite("Documents") struct DocumentTests {
  @Test("every link and path in a document leads to an existing file or heading") func noBrokenLinks() async throws {
    let files = Set(try await Repository.files())
    for path in files.sorted() where path.hasSuffix(".md") {
      guard let text = Repository.text(of: path) else { continue }
      for finding in brokenLinks(path, text, files: files, contents: Repository.text) { Issue.record("\(finding)") }
    }
  }

  @Test(
    "every name in a migration guide is used by a client file that compiles",
    arguments: [
      (
        "Futures/Sources/Futures/Futures.docc/MigratingFromBrightFutures.md", "Futures.brightfutures.mode5.swift"
      ),
      ("Futures/Sources/Futures/Futures.docc/MigratingFromPromiseKit.md", "Futures.promisekit.swift"),
      ("Futures/Sources/Futures/Futures.docc/MigratingFromSwiftNIO.md", "Futures.swiftnio.swift"),
      (
        "Snapshotting/Sources/SnapshotAssertions/SnapshotAssertions.docc/Migration.md",
        "SnapshotAssertions.snapshottesting.mode5.swift"
      ),
    ]) func migrationGuides(guide: String, client: String) throws
  {
    let names = unusedNames(
      guide: try #require(Repository.text(of: "Packages/\(guide)")),
      client: try #require(Repository.text(of: "Tests/Consumers/Clients/\(client)")))
    #expect(names.isEmpty, "use these names of Packages/\(guide) in Tests/Consumers/Clients/\(client)")
  }
}

@Suite("Document rules") struct DocumentRulesTests {
  private func findings(_ text: String, in path: String = "A/README.md") -> [String] {
    brokenLinks(path, text, files: ["A/README.md", "A/b.md", "C/d/e.txt", "Scripts/test"]) { path in
      path == "A/b.md" ? "# One, two\n## `three` four" : nil
    }
  }

  @Test("links to existing files, folders, headings and other hosts are accepted")
  func validLinks() {
    #expect(findings("[b](b.md) [d](../C/d) [e](../C/d/e.txt) [t](./b.md#one-two) [f](b.md#three-four)").isEmpty)
    #expect(
      findings("[w](https://example.com/x) [a](#title)\n# Title", in: "A/b.md") == [
        "A/b.md:1: the target of the link (#title) does not exist"
      ])
    #expect(findings("`Scripts/test` `Packages/X` `Scripts/` `Scripts/<name>`").isEmpty)
    #expect(findings("`[x](nowhere)`\n```\n[x](nowhere)\n```").isEmpty)
  }

  @Test("a link or a path to a missing file or heading is reported with its line")
  func brokenLinksAndPaths() {
    #expect(findings("\n[b](c.md)") == ["A/README.md:2: the target of the link (c.md) does not exist"])
    #expect(findings("[b](../b.md)").count == 1)
    #expect(findings("[b](b.md#five)").count == 1)
    #expect(findings("![picture](pictures/b.png)").count == 1)
    #expect(findings("`Scripts/tset`") == ["A/README.md:1: `Scripts/tset` does not exist"])
  }

  @Test("a relative link in a DocC catalogue is reported, except an image")
  func relativeLinksInCatalogues() {
    #expect(findings("[b](b.md)", in: "A/A.docc/A.md").count == 1)
    #expect(findings("![b](picture)", in: "A/A.docc/A.md").isEmpty)
  }

  @Test("names of a migration guide that its client file does not use are reported")
  func unusedNamesOfGuide() {
    let guide = "## Name by name\n\n| there | here |\n|---|---|\n| `a`, `b(c:)` | `z` |\n| `??` | |\n## More\n| `y` |"
    #expect(unusedNames(guide: guide, client: "a(b(c: 1)) ?? 2").isEmpty)
    #expect(unusedNames(guide: guide, client: "a(b(1))") == ["c", "??"])
    #expect(!unusedNames(guide: "", client: "").isEmpty)
  }
}
