/// The lines that differ between two texts.
///
/// ```swift
/// let diff = LineDiff(old: "Puffin\nSwift\n", new: "Puffin\nSwallow\n")
/// print(diff.text)
/// // @@ −1,3 +1,3 @@
/// //  Puffin
/// // −Swift
/// // +Swallow
/// //
/// ```
///
/// Texts are compared by their bytes: é as one code point and é as two are different, and so are line ends of one byte and
/// of two. Lines are what lies between line feeds. A text that ends in a line feed has an empty last line, so a missing
/// final newline is a line that is removed.
///
/// The difference is correct: its ``hunks`` applied to the old text give the new one. It is the least there is for
/// texts of up to 1,000 lines each, and for longer ones when few of the lines between their equal ends are in both. In
/// the rest a search that goes on for long is ended by a guess (at lines that occur once on both sides, or where it
/// got furthest), so that the time grows with the length of the texts, not with its square. The same texts always give
/// the same difference.
///
/// Comparing 50,000 lines takes a few milliseconds and up to 10 MB beside the texts, most of which is given back at the
/// end. Reads no clock and no file; call it on any thread.
public struct LineDiff: Sendable {
  let old: LineTable
  let new: LineTable
  let changes: [Change]

  /// Whether a limit was reached, so that more is told as different than has to be.
  public let isCutShort: Bool

  /// Compares two texts, line by line.
  ///
  /// - Parameters:
  ///   - old: The text that is expected: the reference.
  ///   - new: The text that is there.
  ///   - limits: How much work the difference is worth. The default is enough for 50,000 lines of any kind.
  public init(old: String, new: String, limits: Limits = Limits()) {
    var (old, new) = (old, new)
    old.makeContiguousUTF8()
    new.makeContiguousUTF8()
    let (oldText, newText) = (old, new)
    self = old.withUTF8 { oldBytes in
      new.withUTF8 { newBytes in LineDiff(oldText, oldBytes, newText, newBytes, limits) }
    }
  }

  private init(
    _ old: String, _ oldBytes: UnsafeBufferPointer<UInt8>, _ new: String, _ newBytes: UnsafeBufferPointer<UInt8>,
    _ limits: Limits
  ) {
    let prefix = commonPrefix(oldBytes, newBytes)
    if prefix == oldBytes.count, prefix == newBytes.count {
      // Nobody will ask for the lines.
      self.old = LineTable(text: old, starts: [0])
      self.new = LineTable(text: new, starts: [0])
      changes = []
      isCutShort = false
    } else {
      self.old = LineTable(text: old, starts: lineStarts(of: oldBytes))
      self.new = LineTable(text: new, starts: lineStarts(of: newBytes))
      let found = LineChanges(
        old: self.old, oldBytes: oldBytes, new: self.new, newBytes: newBytes, commonPrefix: prefix, limits: limits)
      changes = found.changes
      isCutShort = found.isCutShort
    }
  }

  /// Whether the texts have the same bytes.
  public var isEmpty: Bool { changes.isEmpty }

  /// The hunks as text, and nothing else; empty when there is no difference.
  ///
  /// A line that was removed begins with − (U+2212), one that was added with +, and a common one with a figure space
  /// (U+2007). A line that ends in a space is followed by ¬. These are the bytes that swift-snapshot-testing writes.
  /// ``formatted(_:)`` tells more.
  public var text: String {
    var format = Format()
    format.includesNotes = false
    return formatted(format)
  }
}
