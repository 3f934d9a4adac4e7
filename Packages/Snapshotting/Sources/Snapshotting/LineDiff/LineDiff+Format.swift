extension LineDiff {
  /// The form of a difference as text.
  ///
  /// ```swift
  /// print(diff.formatted(.terminal))
  /// ```
  public struct Format: Sendable, Hashable {
    /// Whether changed words are marked in lines that are mostly equal: `[−Swift−]` and `{+Swallow+}`, or in inverse video
    /// with colour.
    public var marksWords = false

    /// Whether lines are coloured for a terminal: removed ones red, added ones green.
    ///
    /// Control characters are then shown as symbols, so that a text cannot control the terminal.
    public var isColored = false

    /// Whether changed white space is visible: a space as `·`, a tab as `→`, a carriage return as `␍`, a no-break space as
    /// `⍽`, and any other invisible character by its code point, as in `<U+200B>`.
    public var showsWhitespace = false

    /// Whether notes about invisible differences follow the hunks: line endings, the last newline, code points.
    public var includesNotes = true

    /// The hunks as in ``LineDiff/text``, then the notes.
    public init() {}

    /// Colour, marked words and visible white space.
    public static var terminal: Format {
      var format = Format()
      format.marksWords = true
      format.isColored = true
      format.showsWhitespace = true
      return format
    }
  }

  /// Returns the hunks and the notes as text.
  ///
  /// - Parameter format: The form of the text. The default is ``text``, followed by an empty line and the notes.
  /// - Returns: The text without a newline at its end; empty for equal texts.
  public func formatted(_ format: Format = Format()) -> String {
    let hunks = self.hunks
    var writer = DiffWriter(format)
    withBytes { oldBytes, newBytes in
      var marks: WordMarks?
      for hunk in hunks {
        writer.header(hunk.header)
        hunk.forEachRun { kind, lines, change in
          let table = kind == .added ? new : old
          let bytes = kind == .added ? newBytes : oldBytes
          if let change, format.needsWords, marks?.change != change {
            marks = WordMarks(change, old, oldBytes, new, newBytes)
          }
          for line in lines {
            let range = table.bytes(of: line)
            writer.line(
              kind, UnsafeBufferPointer(rebasing: bytes[range]),
              changed: marks?.changed(in: line, kind, startingAt: range.lowerBound) ?? [])
          }
        }
      }
    }
    if format.includesNotes { writer.notes(notes) }
    return writer.finish()
  }

  /// Calls a closure with the bytes of the old and of the new text.
  func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var (oldText, newText) = (old.text, new.text)
    return oldText.withUTF8 { oldBytes in newText.withUTF8 { newBytes in body(oldBytes, newBytes) } }
  }
}

extension LineDiff.Format {
  var needsWords: Bool { marksWords || isColored || showsWhitespace }
}
