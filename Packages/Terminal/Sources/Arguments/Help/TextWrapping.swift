extension String {
  /// Breaks the text into lines of at most `width` characters; line ends stay, longer words stand alone.
  ///
  /// Every character counts as one column.
  func wrapped(to width: Int) -> [String] {
    split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      line.split(separator: " ").map(String.init).wrapped(to: width)
    }
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
