/// The rules for single files: each a function from a file's text to what is against the rule, as sentences that begin
/// with the path and, where there is one, the line.

/// The most lines that a file may have.
let mostLines = 400

/// A file that has become too long to be one idea.
func overlongFile(_ path: String, _ text: String) -> [String] {
  let count = text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
  return count > mostLines ? ["\(path): \(count) lines, of at most \(mostLines): divide it by ideas"] : []
}

/// `try!` and `as!`, which turn bad input into a crash.
func forcedOperations(_ path: String, _ text: String) -> [String] {
  codeLines(text).flatMap { number, code in
    ["try" + "!", "as" + "!"].filter { code.contains($0 + " ") }.map {
      "\(path):\(number): `\($0)` would crash: throw an error, or say what to do instead"
    }
  }
}

/// Promises to the compiler about threads that do not say what keeps them.
///
/// The reason is a comment on the line, right above the declaration and its attributes, or first in its body.
func unexplainedOptOuts(_ path: String, _ text: String) -> [String] {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  let optOuts = ["@unchecked" + " Sendable", "nonisolated" + "(unsafe)"]
  return codeLines(text).compactMap { number, code in
    guard let optOut = optOuts.first(where: code.contains) else { return nil }
    // One comment may speak for several declarations in a row.
    let above = lines[..<(number - 1)].last { line in
      isComment(line) || !(isAttribute(line) || optOuts.contains(where: line.contains))
    }
    let below = code.hasSuffix("{") && number < lines.count ? lines[number] : ""
    let comment = lines[number - 1].contains("//") || above.map(isComment) == true || isComment(below)
    return comment ? nil : "\(path):\(number): `\(optOut)`: say in a comment beside it what guards the state"
  }
}

/// Folders of one machine, which mean nothing on another.
func privatePaths(_ path: String, _ text: String) -> [String] {
  let folders = ["/ho" + "me/", "/Us" + "ers/", "/ro" + "ot/", "/wo" + "rk/"]
  return numberedLines(text).flatMap { number, line in
    folders.filter { line.contains($0) && !line.contains("://") }.map {
      "\(path):\(number): `\($0)` is a folder of one machine: name it from the root of the repository"
    }
  }
}

private func numberedLines(_ text: String) -> [(Int, Substring)] {
  text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { ($0 + 1, $1) }
}

/// The lines with their numbers from 1, without comments and without what stands in quotes.
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
