import Foundation

// The rules for single files. Each rule is a function that returns findings, which begin with the path and, where known,
// the line.

/// The maximum number of lines in a file.
let maximumLines = 400

/// Returns a finding if a file has more than ``maximumLines`` lines.
func oversizedFile(_ path: String, _ text: String) -> [String] {
  let count = text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
  return count > maximumLines ? ["\(path): \(count) lines, the maximum is \(maximumLines): split it by topic"] : []
}

/// Returns a finding for each `try!` and `as!`, which crash on bad input.
func forcedOperations(_ path: String, _ text: String) -> [String] {
  let operations = ["try" + "!", "as" + "!"].filter { text.range(of: $0, options: .literal) != nil }
  guard !operations.isEmpty else { return [] }
  return codeLines(text).flatMap { number, code in
    operations.filter { code.contains($0 + " ") }.map {
      "\(path):\(number): `\($0)` can crash: throw an error or handle the failure"
    }
  }
}

/// Returns a finding for each duration whose number exceeds an `Int` of 32 bits, as on watchOS.
func oversizedDurations(_ path: String, _ text: String) -> [String] {
  guard text.range(of: "econds(", options: .literal) != nil else { return [] }
  return codeLines(text).filter { $0.1.contains("econds(") }.flatMap { number, code in
    code.matches(of: /econds\(([0-9_]+)\)/).map(\.1).filter { Int32($0.filter { $0 != "_" }) == nil }.map {
      "\(path):\(number): `\($0)` does not fit an `Int` of 32 bits, as on watchOS: write `\($0) as Int64`"
    }
  }
}

/// Returns a finding for each import of a test library in `SnapshotStore`, which tools use without tests.
func testLibraries(_ path: String, _ text: String) -> [String] {
  guard path.contains("/Sources/SnapshotStore/") else { return [] }
  return codeLines(text).filter { $0.1.contains("import Testing") || $0.1.contains("import XCTest") }.map { number, _ in
    "\(path):\(number): `SnapshotStore` imports a test library: move the code to `SnapshotAssertions`"
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
