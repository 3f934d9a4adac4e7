import Testing

/// Returns a finding for each link to a missing file or heading, and for each missing path in backticks.
///
/// Links with a scheme, such as `https:`, are not checked. In a DocC catalogue, `docc` checks symbols, articles and images itself.
///
/// - Parameters:
///   - path: The document's path from the root of the repository.
///   - text: The document's text.
///   - files: The paths of all files of the repository.
///   - contents: Returns the text of a file, for its headings.
func brokenLinks(_ path: String, _ text: String, files: Set<String>, contents: (String) -> String?) -> [String] {
  let folder = path.split(separator: "/").dropLast().map(String.init)
  let exists: (String) -> Bool = { name in files.contains(name) || files.contains { $0.hasPrefix(name + "/") } }
  return proseLines(text).flatMap { number, line -> [String] in
    let named = line.matches(of: /`((?:Apps|Packages|Scripts|Tests)\/[\w.\/+-]+)`/).map { String($0.1) }
      .filter { !isPlaceholder($0) && !exists($0.hasSuffix("/") ? String($0.dropLast()) : $0) }
      .map { "\(path):\(number): `\($0)` does not exist" }
    let links = withoutCode(line).matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.compactMap { link -> String? in
      guard !link.contains(":") else { return nil }
      if path.contains(".docc/") { return path.hasSuffix(".md") && isImage(link, in: line) ? nil : link }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let target = parts[0].isEmpty ? path : resolved(parts[0], from: folder)
      guard exists(target) else { return link }
      guard parts.count == 2 else { return nil }
      return contents(target).map { headings($0).contains(parts[1]) } == true ? nil : link
    }
    return named + links.map { "\(path):\(number): the target of the link (\($0)) does not exist" }
  }
}

/// Returns the names in a guide's table under *Name by name* that the sources do not contain.
func missingNames(guide: String, sources: String) -> [String] {
  let present = Set(sources.matches(of: /\w+|\?\?/).map { String($0.0) })
  let rows = guide.split(separator: "\n")
    .drop { $0 != "## Name by name" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    .filter { $0.hasPrefix("| ") }.dropFirst()
  let cells = rows.compactMap { $0.dropFirst(2).split(separator: "|").first }
  guard !cells.isEmpty else { return ["the heading Name by name or its table is missing"] }
  return cells.flatMap { $0.matches(of: /`([^`]+)`/).flatMap { $0.1.matches(of: /\w+|\?\?/).map { String($0.0) } } }
    .filter { !present.contains($0) }
}

/// The lines outside code blocks, with line numbers from 1.
private func proseLines(_ text: String) -> [(Int, Substring)] {
  var isCode = false
  return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
    if line.drop(while: { $0 == " " }).hasPrefix("```") {
      isCode.toggle()
      return nil
    }
    return isCode ? nil : (index + 1, line)
  }
}

private func withoutCode(_ line: Substring) -> String {
  line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    .filter { $0.offset.isMultiple(of: 2) }.map { String($0.element) }.joined(separator: "`")
}

/// `Packages/X` stands for any package.
private func isPlaceholder(_ name: String) -> Bool { name.split(separator: "/").contains { $0.hasPrefix("X") } }

private func isImage(_ link: String, in line: Substring) -> Bool {
  line.matches(of: /!\[[^\]]*\]\(([^)\s]+)\)/).contains { $0.1 == link }
}

private func resolved(_ link: String, from folder: [String]) -> String {
  var parts = folder
  for part in link.split(separator: "/") where part != "." {
    if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
  }
  return parts.joined(separator: "/")
}

/// The anchors of a document's headings.
private func headings(_ text: String) -> Set<String> {
  Set(
    proseLines(text).map(\.1).filter { $0.hasPrefix("#") }.map { line in
      let title = line.drop { $0 == "#" || $0 == " " }.lowercased()
      return String(title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
        .replacing(" ", with: "-")
    })
}

@Suite("Documents") struct DocumentTests {
  @Test("every link and path in a document leads to an existing file or heading") func noBrokenLinks() throws {
    let files = Set(try Repository.files())
    for path in files.sorted() where path.hasSuffix(".md") {
      guard let text = Repository.text(of: path) else { continue }
      for finding in brokenLinks(path, text, files: files, contents: Repository.text) { Issue.record("\(finding)") }
    }
  }

  @Test(
    "every name that a migration guide calls the same is in the sources of its package",
    arguments: [
      ("Futures", "Sources/Futures/Futures.docc/MigratingFromBrightFutures.md"),
      ("Snapshotting", "Sources/SnapshotAssertions/SnapshotAssertions.docc/Migration.md"),
    ]) func migrationGuides(package: String, guide: String) throws
  {
    let folder = "Packages/\(package)"
    let sources = try Repository.files()
      .filter { $0.hasPrefix("\(folder)/Sources/") && $0.hasSuffix(".swift") }
      .compactMap { Repository.text(of: $0) }
    let names = missingNames(
      guide: try #require(Repository.text(of: "\(folder)/\(guide)")), sources: sources.joined(separator: "\n"))
    #expect(names.isEmpty, "these names of \(folder)/\(guide) are not in the sources of \(package)")
  }
}
