extension String {
  /// Breaks the text into lines of at most `width` characters; newlines are kept, and a longer word gets its own line.
  ///
  /// A line that starts with spaces keeps them, and its continuation lines have the same indentation. If such a line also
  /// has a gap of two or more spaces, the gap is kept, and continuation lines start below the text after the gap. For
  /// example, `  10  no such server` is a list item.
  ///
  /// Every character counts as one column.
  func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { (line: Substring) -> [String] in
      let head = line.listHead
      let text = line.dropFirst(head.count).split(separator: " ").map(String.init)
      let margin = String(repeating: " ", count: head.count)
      return text.wrapped(to: max(width - head.count, 1)).enumerated().map { index, line in
        line.isEmpty ? line : (index == 0 ? String(head) : margin) + line
      }
    }
  }
}

extension Substring {
  /// The prefix of a line that is not wrapped: empty, its leading spaces, or these with a label and a gap.
  fileprivate var listHead: Substring {
    let spaces = prefix { $0 == " " }
    guard !spaces.isEmpty else { return spaces }
    let words = dropFirst(spaces.count).split(separator: "  ", maxSplits: 1)
    guard words.count == 2, let text = words[1].firstIndex(where: { $0 != " " }) else { return spaces }
    return self[..<text]
  }
}

extension [String] {
  /// Joins the pieces with spaces into lines of at most `width` characters; returns at least one line.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for piece in self {
      if line.isEmpty {
        line = piece
      } else if line.count + 1 + piece.count <= width {
        line += " " + piece
      } else {
        lines.append(line)
        line = piece
      }
    }
    return lines + [line]
  }
}
