import Snapshotting

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
