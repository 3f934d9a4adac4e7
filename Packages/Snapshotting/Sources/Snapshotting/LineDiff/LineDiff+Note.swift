extension LineDiff {
  /// An invisible difference.
  public enum Note: Sendable, Hashable, CustomStringConvertible {
    /// Only one of the texts ends in a newline.
    case finalNewline(onlyIn: Side)

    /// Changed lines end in CR LF in one text, and in LF in the other.
    case lineEnds(old: LineEnds, new: LineEnds)

    /// Two lines look alike and have different code points. The note has the first different character.
    ///
    /// Lines and characters are numbered from 1. A character is `nil` at the end of a line.
    case codePoints(oldLine: Int, newLine: Int, character: Int, old: Character?, new: Character?)

    /// The number of further pairs of lines that look alike, after the first three.
    case moreCodePoints(lines: Int)

    /// A limit was reached, so the difference is not minimal.
    case cutShort

    /// The old or the new text.
    public enum Side: String, Sendable, Hashable {
      /// The old text.
      case old
      /// The new text.
      case new
    }

    /// The line endings of a text.
    public struct LineEnds: Sendable, Hashable {
      /// The number of lines that end in LF.
      public var lineFeeds: Int
      /// The number of lines that end in CR LF.
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

  /// The invisible differences: line endings, the last newline, code points.
  ///
  /// Each call searches the changed lines.
  public var notes: [Note] { isEmpty ? [] : NoteFinder(self).notes }
}

extension LineDiff.Note.LineEnds: CustomStringConvertible {
  /// The counts as text: `LF` or `CRLF` if all lines have one ending, otherwise both numbers.
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
  // A visible character is shown before its code points.
  let isVisible = character.unicodeScalars.allSatisfy { symbol(for: $0, whitespace: true) == nil }
  return isVisible ? "\(character) (\(points))" : points
}
