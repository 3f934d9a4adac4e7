extension String {
  /// Returns this text in lines of at most a number of columns, broken at spaces if possible; at least one line.
  ///
  /// Line breaks are kept. A line that fits is kept with its spaces. The lines of a longer one have its indentation, and
  /// spaces at a break are removed. A word that is wider than a line is broken between characters. A tab counts as a
  /// space. Takes time proportional to the length of the text.
  ///
  /// ```swift
  /// "to be or not to be".wrapped(toColumns: 6)  // ["to be", "or not", "to be"]
  /// ```
  public func wrapped(toColumns columns: Int) -> [String] {
    let columns = Swift.max(columns, 1)
    return split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { paragraph in
      let line = String(paragraph.replacing("\t", with: " "))
      guard line.displayWidth > columns else { return [line] }
      let indentation = line.prefix(columns / 2).prefix { $0 == " " }
      let room = columns - indentation.count
      let words = line.split(separator: " ").flatMap { $0.pieces(ofColumns: room) }
      return words.joined(toColumns: room).map { indentation + $0 }
    }
  }
}

extension [String] {
  /// Joins pieces with spaces into lines of at most a number of columns; at least one line.
  ///
  /// A piece is never broken. A piece that is wider than a line has its own line.
  package func joined(toColumns columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var width = 0
    for piece in self {
      let pieceWidth = piece.displayWidth
      if line.isEmpty {
        (line, width) = (piece, pieceWidth)
      } else if width + 1 + pieceWidth <= columns {
        line += " " + piece
        width += 1 + pieceWidth
      } else {
        lines.append(line)
        (line, width) = (piece, pieceWidth)
      }
    }
    return lines + [line]
  }
}

extension Substring {
  /// Breaks a word into pieces of at most a number of columns.
  fileprivate func pieces(ofColumns columns: Int) -> [String] {
    guard displayWidth > columns else { return [String(self)] }
    var pieces: [String] = []
    var piece = ""
    var width = 0
    for character in self {
      let next = character.displayWidth
      if width > 0, width + next > columns {
        pieces.append(piece)
        (piece, width) = ("", 0)
      }
      piece.append(character)
      width += next
    }
    return pieces + [piece]
  }
}
