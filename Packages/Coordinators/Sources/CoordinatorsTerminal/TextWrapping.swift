internal import Terminal

extension String {
  /// This text in lines of at most so many columns, broken at spaces where there are any; one line at least.
  ///
  /// Takes time in proportion to the length.
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
