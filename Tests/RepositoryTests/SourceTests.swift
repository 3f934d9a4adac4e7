import Foundation
import Testing

// The rules for single files. Each rule is a function that returns findings, which begin with the path and the line.

/// The maximum number of lines in a file.
let maximumLines = 500

func oversizedFile(_ path: String, _ text: String) -> [String] {
  let count = text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
  return count > maximumLines ? ["\(path): \(count) lines, the maximum is \(maximumLines): split it by topic"] : []
}

/// Returns a finding for each search in the sentence of an error.
///
/// A change of wording would change the behaviour. The sentence is recognised by the name of its variable.
func searchedSentences(_ path: String, _ text: String) -> [String] {
  let search =
    /([dD]escription|[mM]essage|[rR]eason|[pP]roblem|[sS]entence|standardError)[?!]*\.(hasPrefix|hasSuffix|contains|starts|range|firstRange|firstMatch)/
  return codeLines(text).filter { $0.1.contains(search) }.map { number, _ in
    "\(path):\(number): the sentence of an error is searched: give the error a `kind` or a value, and compare that"
  }
}

/// Returns a finding for each concurrency opt-out without a comment.
///
/// The comment is on the same line, directly above the declaration and its attributes, or first in its body.
func uncommentedOptOuts(_ path: String, _ text: String) -> [String] {
  let optOuts = ["@unchecked" + " Sendable", "nonisolated" + "(unsafe)"]
    .filter { text.range(of: $0, options: .literal) != nil }
  guard !optOuts.isEmpty else { return [] }
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  return codeLines(text).compactMap { number, code in
    guard let optOut = optOuts.first(where: code.contains) else { return nil }
    // A comment can cover several consecutive declarations.
    let above = lines[..<(number - 1)].last { line in
      isComment(line) || !(isAttribute(line) || optOuts.contains(where: line.contains))
    }
    let below = code.hasSuffix("{") && number < lines.count ? lines[number] : ""
    let comment = lines[number - 1].contains("//") || above.map(isComment) == true || isComment(below)
    return comment ? nil : "\(path):\(number): `\(optOut)`: add a comment that names what guards the state"
  }
}

/// Returns a finding for each absolute path that exists only on one machine.
func machineSpecificPaths(_ path: String, _ text: String) -> [String] {
  let folders = ["/ho" + "me/", "/Us" + "ers/", "/ro" + "ot/", "/wo" + "rk/"]
    .filter { text.range(of: $0, options: .literal) != nil }
  guard !folders.isEmpty else { return [] }
  return numberedLines(text).flatMap { number, line in
    folders.filter { line.contains($0) && !line.contains("://") }.map {
      "\(path):\(number): `\($0)` is a path on one machine: use a path from the root of the repository"
    }
  }
}

private func numberedLines(_ text: String) -> [(Int, Substring)] {
  text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
}

/// The lines of code, with line numbers from 1, without comments and string literals.
private func codeLines(_ text: String) -> [(Int, String)] {
  numberedLines(text).compactMap { number, line in
    guard !isComment(line) else { return nil }
    let beforeComment = line.firstRange(of: " //").map { line[..<$0.lowerBound] } ?? line
    let outside = beforeComment.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: "\"\"")
    return (number, outside)
  }
}

private func isAttribute(_ line: Substring) -> Bool { line.drop { $0 == " " }.hasPrefix("@") && !line.contains("{") }

private func isComment(_ line: Substring) -> Bool { line.drop { $0 == " " }.hasPrefix("//") }

@Suite("Sources") struct SourceTests {
  @Test("files are short, name no path of one machine, explain opt-outs, and do not search the sentences of errors")
  func filesKeepRules() throws {
    var findings: [String] = []
    for path in try Repository.files() {
      guard let text = Repository.text(of: path) else { continue }
      findings += machineSpecificPaths(path, text)
      guard path.hasSuffix(".swift") || path.hasSuffix(".c") || path.hasPrefix("Scripts/") else { continue }
      findings += oversizedFile(path, text)
      guard path.hasSuffix(".swift") else { continue }
      findings += uncommentedOptOuts(path, text)
      guard path.contains("/Sources/"), !path.hasPrefix("Tests/") else { continue }
      findings += searchedSentences(path, text)
    }
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test("every package has a README, documentation and tests", arguments: try Repository.packages())
  func packageIsComplete(package: String) throws {
    let files = try Repository.files().filter { $0.hasPrefix("Packages/\(package)/") }
    #expect(files.contains("Packages/\(package)/README.md"), "add Packages/\(package)/README.md")
    #expect(
      files.contains { $0.contains("/Sources/") && $0.contains(".docc/") && $0.hasSuffix(".md") },
      "add a DocC catalogue, Packages/\(package)/Sources/<target>/<target>.docc/<target>.md")
    #expect(
      files.contains { $0.contains("/Tests/") && $0.hasSuffix(".swift") },
      "add tests, Packages/\(package)/Tests/<target>Tests")
  }
}
