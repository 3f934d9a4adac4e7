/// A text and where its lines are.
///
/// Lines are what lies between line feeds, so a text that ends in one has an empty last line, and the empty text has one
/// line.
struct LineTable: Sendable {
  let text: String
  /// Where each line begins, in bytes, and one more than the text's length at the end.
  let starts: [Int]

  var count: Int { starts.count - 1 }

  /// The bytes of a line, without the line feed.
  func bytes(of line: Int) -> Range<Int> { starts[line]..<(starts[line + 1] - 1) }

  /// The line, without the line feed.
  subscript(line: Int) -> Substring {
    let range = bytes(of: line)
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return text[start..<utf8.index(start, offsetBy: range.count)]
  }

  /// How many lines at the beginning end within the first `bytes` bytes.
  func lines(within bytes: Int) -> Int { firstIndex { $0 > bytes } - 1 }

  /// How many lines at the end begin after the byte at `offset`, which is a line feed or nothing that ends a line.
  func lines(after offset: Int) -> Int { max(0, count - firstIndex { $0 > offset }) }

  /// The first line whose start fulfils a condition that all later ones fulfil too.
  private func firstIndex(where condition: (Int) -> Bool) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if condition(starts[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
