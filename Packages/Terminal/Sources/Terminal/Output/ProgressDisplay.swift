/// The text of progress over time: one line that rewrites itself on a terminal, or a few plain lines in a pipe.
///
/// Write the returned text to the output of the progress, usually standard error.
///
/// ```swift
/// var display = ProgressDisplay(device.isTerminal ? .rewriting(columns: device.size().columns) : .appending)
/// try device.write(display.update(ProgressBar("Birds", completed: 1, of: 20)))
/// try device.write(display.finish())
/// ```
public struct ProgressDisplay: Hashable, Sendable {
  /// The kind of output that receives the lines.
  public enum Medium: Hashable, Sendable {
    /// A terminal of this width; each update overwrites the previous line, with characters that every terminal supports.
    case rewriting(columns: Int)
    /// A pipe or a file: at most eleven lines, one for each completed tenth; without a total one line for each power of
    /// ten.
    case appending
  }

  /// The kind of output that receives the lines; set it after a resize of the terminal.
  public var medium: Medium
  private var lastLine = ""
  private var lastStep: Int?

  /// Creates a display without output so far.
  public init(_ medium: Medium) { self.medium = medium }

  /// Returns the text to write for this progress; "" when it would not change the output.
  public mutating func update(_ progress: ProgressBar) -> String {
    switch medium {
    case .rewriting(let columns):
      // A full line would leave the cursor at the edge, and the next write could wrap.
      let line = progress.line(columns: columns - 1)
      guard line != lastLine else { return "" }
      defer { lastLine = line }
      // Overwrites the rest of a longer line with spaces, because not every terminal can erase; but never at the edge.
      let left = min(lastLine.displayWidth, columns - 1) - line.displayWidth
      return "\r\(line)" + String(repeating: " ", count: max(left, 0))
    case .appending:
      let step = progress.percent.map { $0 / 10 } ?? Self.digits(progress.completed)
      guard step != lastStep else { return "" }
      lastStep = step
      return progress.plainLine + "\n"
    }
  }

  /// Returns the text to write after the last progress, complete or not, so that later output starts on its own line.
  public mutating func finish() -> String {
    defer { (lastLine, lastStep) = ("", nil) }
    return lastLine.isEmpty ? "" : "\n"
  }

  private static func digits(_ count: Int) -> Int { count <= 0 ? 0 : "\(count)".count }
}
