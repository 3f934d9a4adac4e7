/// Lines are separated by LF, so a text that ends in LF has an empty last line, and the empty text has one line.
struct LineTable: Sendable {
  let text: String
  let starts: [Int]

  var count: Int { starts.count - 1 }

  func bytes(of line: Int) -> Range<Int> { starts[line]..<(starts[line + 1] - 1) }

  subscript(line: Int) -> Substring {
    let range = bytes(of: line)
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return text[start..<utf8.index(start, offsetBy: range.count)]
  }

  /// Returns the number of lines that end within the first `bytes` bytes.
  func lines(within bytes: Int) -> Int { firstIndex { $0 > bytes } - 1 }

  /// Returns the number of lines that begin after the byte at `offset`.
  func lines(after offset: Int) -> Int { max(0, count - firstIndex { $0 > offset }) }

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
