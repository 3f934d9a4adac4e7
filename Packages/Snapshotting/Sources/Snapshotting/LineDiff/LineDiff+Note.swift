extension LineDiff {
  /// Something that differs and cannot be seen in the lines.
  public enum Note: Sendable, Hashable, CustomStringConvertible {
    /// One text ends in a newline, and the other does not.
    case finalNewline(onlyIn: Side)

    /// Lines that differ end in a carriage return and a line feed in one text, and in a line feed in the other.
    case lineEnds(old: LineEnds, new: LineEnds)

    /// Two lines look alike, and are made of different code points; this is the first character that differs.
    ///
    /// Lines and characters are counted from one. A character is `nil` when a line has ended there.
    case codePoints(oldLine: Int, newLine: Int, character: Int, old: Character?, new: Character?)

    /// So many more pairs of lines look alike, after the first three.
    case moreCodePoints(lines: Int)

    /// A limit was reached, so more is told as different than has to be.
    case cutShort

    /// One of the two texts.
    public enum Side: String, Sendable, Hashable {
      /// The old text.
      case old
      /// The new text.
      case new
    }

    /// How the lines of a text end.
    public struct LineEnds: Sendable, Hashable {
      /// How many lines end in a line feed alone.
      public var lineFeeds: Int
      /// How many lines end in a carriage return and a line feed.
      public var carriageReturns: Int

      /// Creates the counts.
      public init(lineFeeds: Int, carriageReturns: Int) {
        self.lineFeeds = lineFeeds
        self.carriageReturns = carriageReturns
      }
    }

    /// The note as a sentence.
    public var description: String {
      switch self {
      case .finalNewline(let side):
        "Only the \(side) text ends in a newline."
      case .lineEnds(let old, let new):
        "Line endings: \(old) in the old text, \(new) in the new one."
      case .codePoints(let oldLine, let newLine, let character, let old, let new):
        """
        \(oldLine == newLine ? "Line \(oldLine)" : "Old line \(oldLine), new line \(newLine)"), character \(character): \
        \(spelled(old)) in the old text, \(spelled(new)) in the new one.
        """
      case .moreCodePoints(let lines):
        "\(lines) more \(lines == 1 ? "line differs" : "lines differ") in code points only."
      case .cutShort:
        "The comparison reached its limit: this diff may show more changes than necessary."
      }
    }
  }

  /// What differs and cannot be seen in the ``text``: line ends, the last newline, code points.
  ///
  /// Looked for anew at each call, in the lines that differ.
  public var notes: [Note] { isEmpty ? [] : NoteFinder(self).notes }
}

extension LineDiff.Note.LineEnds: CustomStringConvertible {
  /// The counts in words: `LF` or `CRLF` when all lines end so, or else how many.
  public var description: String {
    switch (lineFeeds, carriageReturns) {
    case (_, 0): "LF"
    case (0, _): "CRLF"
    default: "\(carriageReturns) of \(lineFeeds + carriageReturns) CRLF"
    }
  }
}

private func spelled(_ character: Character?) -> String {
  guard let character else { return "the end of the line" }
  let points = character.unicodeScalars.map(codePoint).joined(separator: " ")
  // Beside its code points, a character that can be seen, as it looks.
  let isVisible = character.unicodeScalars.allSatisfy { symbol(for: $0, whitespace: true) == nil }
  return isVisible ? "\(character) (\(points))" : points
}
