/// Decides what to write as progress is made: a line that rewrites itself on a terminal, a few plain lines in a pipe.
///
/// A value; write what it returns to the output the progress is for, standard error as a rule.
///
/// ```swift
/// var display = ProgressDisplay(device.isTerminal ? .rewriting(columns: device.size().columns) : .appending)
/// try device.write(display.update(ProgressBar("Birds", completed: 1, of: 20)))
/// try device.write(display.finish())
/// ```
public struct ProgressDisplay: Hashable, Sendable {
  /// How the lines reach a person.
  public enum Medium: Hashable, Sendable {
    /// A terminal this wide: each update takes the place of the one before, by characters that every terminal has.
    case rewriting(columns: Int)
    /// A pipe or file: at most eleven lines, one for each tenth that is reached; without a total one for each power
    /// of ten.
    case appending
  }

  /// How the lines reach a person; a resize of the terminal is told by setting it.
  public var medium: Medium
  private var lastLine = ""
  private var lastStep: Int?

  /// A display on which nothing has been shown.
  public init(_ medium: Medium) { self.medium = medium }

  /// What to write for this progress; "" when it would look the same as before.
  public mutating func update(_ progress: ProgressBar) -> String {
    switch medium {
    case .rewriting(let columns):
      // A full line would leave the cursor waiting at the edge, where the next write may wrap.
      let line = progress.line(columns: columns - 1)
      guard line != lastLine else { return "" }
      defer { lastLine = line }
      // What is left of a longer line is overwritten, since not every terminal knows how to erase; but never at the edge.
      let left = min(lastLine.displayWidth, columns - 1) - line.displayWidth
      return "\r\(line)" + String(repeating: " ", count: max(left, 0))
    case .appending:
      let step = progress.percent.map { $0 / 10 } ?? Self.digits(progress.completed)
      guard step != lastStep else { return "" }
      lastStep = step
      return progress.plainLine + "\n"
    }
  }

  /// What to write when no more progress will come, done or not, so that what follows begins on a line of its own.
  public mutating func finish() -> String {
    defer { (lastLine, lastStep) = ("", nil) }
    return lastLine.isEmpty ? "" : "\n"
  }

  private static func digits(_ count: Int) -> Int { count <= 0 ? 0 : "\(count)".count }
}
