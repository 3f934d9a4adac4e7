import Snapshotting
import TestSupport

/// Pairs of texts that are difficult for a line diff.
extension Generator where Value == TextPair {
  /// A text and an edited text, in which some lines are removed, repeated or replaced, with all line endings.
  static var editedTexts: Generator {
    let edits = Generator<[Int]>.array(of: .frequency([(8, .int(in: 1...1)), (1, .int(in: 0...3))]), count: 40...40)
    return Generator { choices throws(GeneratorError) in
      let (lines, edits, other) = (
        try choices.draw(.lines(0...40)), try choices.draw(edits), try choices.draw(.line)
      )
      let edited = Swift.zip(lines, edits).flatMap { line, edit in
        edit == 3 ? [other] : Array(repeating: line, count: edit)
      }
      return TextPair(
        old: lines.text(endingIn: try choices.draw(.lineEnd)), new: edited.text(endingIn: try choices.draw(.lineEnd)))
    }
  }

  /// Two unrelated texts with lines that often repeat.
  static var strangers: Generator {
    Generator { choices throws(GeneratorError) in
      let (old, new) = (try choices.draw(.lines(0...30)), try choices.draw(.lines(0...30)))
      return TextPair(
        old: old.text(endingIn: try choices.draw(.lineEnd)), new: new.text(endingIn: try choices.draw(.lineEnd)))
    }
  }
}

struct TextPair: CustomStringConvertible {
  var old: String
  var new: String

  var description: String { "\(old.debugDescription) → \(new.debugDescription)" }
}

extension Generator where Value == String {
  /// One of a few lines, so that lines repeat.
  ///
  /// Some differ only in invisible characters.
  static var line: Generator {
    let plain = Generator.element(of: ["a", "b", "", "}", "  return"])
    let many = Generator<Int>.int(in: 0...30).map { "line \($0)" }
    let strange = Generator.element(of: [
      "é", "e\u{301}", "a ", "a\u{A0}", "\t", "a\r", "\u{0}", "\u{2212}a", "+a", "\u{2007}", "👩‍👧", "a\u{200B}",
    ])
    return .frequency([(6, plain), (3, many), (1, strange)])
  }

  static var lineEnd: Generator { .element(of: ["\n", "", "\r\n", "\n\n"]) }
}

extension Generator where Value == [String] {
  static func lines(_ count: ClosedRange<Int>) -> Generator { .array(of: .line, count: count) }
}

extension [String] {
  func text(endingIn end: String) -> String { joined(separator: "\n") + end }
}

/// Applies hunks to a text like a patch program, which checks the places and the common lines.
///
/// - Returns: The bytes of the new text, or `nil` if a place or a line of a hunk is wrong.
func applying(_ hunks: [LineDiff.Hunk], to old: String) -> [UInt8]? {
  let oldLines = old.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  var lines: [[UInt8]] = []
  var next = 0
  for hunk in hunks {
    guard hunk.oldLines.lowerBound >= next, hunk.oldLines.upperBound <= oldLines.count else { return nil }
    lines += oldLines[next..<hunk.oldLines.lowerBound]
    guard hunk.newLines.lowerBound == lines.count else { return nil }
    next = hunk.oldLines.lowerBound
    for line in hunk.lines {
      let bytes = Array(line.text.utf8)
      if line.kind != .added {
        guard next < oldLines.count, oldLines[next] == bytes else { return nil }
        next += 1
      }
      if line.kind != .removed { lines.append(bytes) }
    }
    guard next == hunk.oldLines.upperBound, lines.count == hunk.newLines.upperBound else { return nil }
  }
  lines += oldLines[next...]
  return Array(lines.joined(separator: [0x0A]))
}

extension LineDiff {
  var distance: Int {
    hunks.reduce(0) { $0 + $1.lines.count { $0.kind != .common } }
  }
}

/// Returns the minimum number of removed and added lines, from the length of the longest common subsequence.
func leastDistance(_ pair: TextPair) -> Int {
  var numbers: [[UInt8]: Int] = [:]
  func numbered(_ text: String) -> [Int] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      let number = numbers[Array(line)] ?? numbers.count
      numbers[Array(line)] = number
      return number
    }
  }
  let (old, new) = (numbered(pair.old), numbered(pair.new))
  var row = [Int](repeating: 0, count: new.count + 1)
  row.withUnsafeMutableBufferPointer { row in
    for line in old {
      var diagonal = 0
      for (index, other) in new.enumerated() {
        let above = row[index + 1]
        row[index + 1] = line == other ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
  }
  return old.count + new.count - 2 * row[new.count]
}
