extension String {
  /// Breaks the text into lines of at most `width` characters; line ends stay, longer words stand alone.
  ///
  /// A line that begins with spaces keeps them, and so do the lines it is broken into. In such a line a gap of two spaces or
  /// more stays as well, and what comes of the text behind it stands below that text: `  10  no such server` is an item of a
  /// list.
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
  /// What stays as it is at the beginning of a line: nothing, its spaces, or those with a label and a gap.
  fileprivate var listHead: Substring {
    let spaces = prefix { $0 == " " }
    guard !spaces.isEmpty else { return spaces }
    let words = dropFirst(spaces.count).split(separator: "  ", maxSplits: 1)
    guard words.count == 2, let text = words[1].firstIndex(where: { $0 != " " }) else { return spaces }
    return self[..<text]
  }
}

extension [String] {
  /// Puts the pieces on lines of at most `width` characters, a space between two; there is at least one line.
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
