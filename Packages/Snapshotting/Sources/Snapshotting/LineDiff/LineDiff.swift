/// The difference between two texts, by lines.
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
/// Texts are compared by their bytes: the two Unicode forms of é differ, and so do LF and CR LF. Lines are separated by LF. A
/// text that ends in LF has an empty last line, so a missing final newline is a removed line.
///
/// The difference is correct: its ``hunks`` applied to the old text give the new one. It is minimal for texts of up to
/// 1,000 lines each. For longer texts it is minimal if few lines between their equal ends are common. In other texts a
/// long search is divided at the furthest point that it reached. So the time is proportional to the length of the
/// texts, not to its square. The same texts always give the same difference.
///
/// A comparison reads no clock and no file, and can be called on any thread. <doc:WhyThisDiff> has measurements of its time and memory.
public struct LineDiff: Sendable {
  let old: LineTable
  let new: LineTable
  let changes: [Change]

  /// Whether the step budget was spent, so that the remaining lines are removed and added as a whole.
  ///
  /// `false` does not mean that the difference is minimal: see <doc:WhyThisDiff>.
  public let isCutShort: Bool

  /// Compares two texts, line by line.
  ///
  /// The limit of the work is enough for 50,000 lines of any kind. At the limit, the remaining lines are removed and
  /// added.
  public init(old: String, new: String) {
    self.init(old: old, new: new, steps: EditSearch.steps)
  }

  init(old: String, new: String, steps: Int) {
    var (old, new) = (old, new)
    old.makeContiguousUTF8()
    new.makeContiguousUTF8()
    let (oldText, newText) = (old, new)
    self = old.withUTF8 { oldBytes in
      new.withUTF8 { newBytes in LineDiff(oldText, oldBytes, newText, newBytes, steps) }
    }
  }

  private init(
    _ old: String, _ oldBytes: UnsafeBufferPointer<UInt8>, _ new: String, _ newBytes: UnsafeBufferPointer<UInt8>,
    _ steps: Int
  ) {
    let prefix = commonPrefix(oldBytes, newBytes)
    if prefix == oldBytes.count, prefix == newBytes.count {
      // The lines are not needed.
      self.old = LineTable(text: old, starts: [0])
      self.new = LineTable(text: new, starts: [0])
      changes = []
      isCutShort = false
    } else {
      self.old = LineTable(text: old, starts: lineStarts(of: oldBytes))
      self.new = LineTable(text: new, starts: lineStarts(of: newBytes))
      let found = LineChanges(
        old: self.old, oldBytes: oldBytes, new: self.new, newBytes: newBytes, commonPrefix: prefix, steps: steps)
      changes = found.changes
      isCutShort = found.isCutShort
    }
  }

  public var isEmpty: Bool { changes.isEmpty }
}
