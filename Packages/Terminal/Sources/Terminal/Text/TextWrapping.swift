extension String {
  /// Returns this text in lines of at most a number of columns, broken at spaces if possible; at least one line.
  ///
  /// A word that is wider than a line is broken between characters. Line breaks are kept. Spaces at a break are removed. A
  /// tab counts as a space. Takes time proportional to the length of the text.
  ///
  /// ```swift
  /// "to be or not to be".wrapped(toColumns: 6)  // ["to be", "or not", "to be"]
  /// ```
  public func wrapped(toColumns columns: Int) -> [String] {
    let columns = Swift.max(columns, 1)
    var lines: [String] = []
    for paragraph in split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var line = ""
      var width = 0
      for word in paragraph.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
        let wordWidth = word.displayWidth
        if width > 0, width + 1 + wordWidth <= columns {
          line += " " + word
          width += 1 + wordWidth
          continue
        }
        if width > 0 { lines.append(line) }
        (line, width) = ("", 0)
        for character in word {
          let next = character.displayWidth
          if width > 0, width + next > columns {
            lines.append(line)
            (line, width) = ("", 0)
          }
          line.append(character)
          width += next
        }
      }
      lines.append(line)
    }
    return lines
  }
}
