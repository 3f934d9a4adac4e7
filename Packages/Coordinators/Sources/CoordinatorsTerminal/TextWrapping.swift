internal import Terminal

extension String {
  /// This text with a space for each line break, for places with a single line.
  var onOneLine: String {
    guard utf8.contains(where: { (0x0A...0x0D).contains($0) || $0 >= 0x80 }), contains(where: \.isNewline) else {
      return self
    }
    return String(map { $0.isNewline ? " " : $0 })
  }

  /// Returns this text in lines of at most a number of columns, broken at spaces if possible; at least one line.
  ///
  /// Takes time proportional to the length of the text.
  func wrapped(toColumns columns: Int) -> [String] {
    let columns = Swift.max(columns, 1)
    var lines: [String] = []
    for paragraph in split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var line = ""
      var width = 0
      for word in paragraph.split(separator: " ") {
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
