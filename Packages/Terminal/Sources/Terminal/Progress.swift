/// The progress of an operation as a value, with functions that return its text.
public struct ProgressBar: Hashable, Sendable {
  public var label: String
  public var completed: Int
  public var total: Int?

  public init(_ label: String, completed: Int, of total: Int?) {
    self.label = label
    self.completed = completed
    self.total = total
  }

  /// The completed part, in `0...1`: 1 when the total is zero or less, `nil` while the total is unknown.
  private var fraction: Double? {
    guard let total else { return nil }
    guard total > 0 else { return 1 }
    return min(max(Double(completed) / Double(total), 0), 1)
  }

  /// Returns the progress as a line with a bar, on at most `columns` columns.
  ///
  /// The bar uses the columns that the label and the counts leave, between 10 and 40, and grows in eighths of a column.
  /// In fewer columns the bar is omitted, then the label is truncated, then the counts.
  ///
  /// ```swift
  /// ProgressBar("Birds", completed: 3, of: 4).line(columns: 30)
  /// // "Birds ███████████▎    3/4  75%"
  /// ```
  public func line(columns: Int) -> String {
    let counts = counts
    let label = label.printable
    let spaces = label.isEmpty ? 1 : 2
    let room = columns - label.displayWidth - counts.displayWidth - spaces
    if let fraction, room >= 10 {
      return [label, Self.bar(fraction, columns: min(room, 40)), counts].filter { !$0.isEmpty }.joined(separator: " ")
    }
    let short = label.truncated(toColumns: columns - counts.displayWidth - 1)
    return (short.isEmpty ? counts : "\(short) \(counts)").truncated(toColumns: columns)
  }

  /// Returns a bar of exactly `columns` columns with the completed part filled; "" when `columns` is zero or less.
  ///
  /// A fraction outside `0...1` is clamped; NaN counts as 0.
  static func bar(_ fraction: Double, columns: Int) -> String {
    guard columns > 0 else { return "" }
    let columns = min(columns, Screen.maximumSide)
    let part = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
    let eighths = Int(part * Double(columns * 8))
    let full = String(repeating: "█", count: eighths / 8)
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    return (full + partial).padded(toColumns: columns)
  }

  private var counts: String {
    guard let total, let percent else { return "\(completed)" }
    let done = "\(completed)"
    let missing = String(repeating: " ", count: max("\(total)".count - done.count, 0))
    let padding = String(repeating: " ", count: 3 - "\(percent)".count)
    return "\(missing)\(done)/\(total) \(padding)\(percent)%"
  }

  /// The whole per cent, rounded down so that 100 means finished.
  private var percent: Int? { fraction.map { Int($0 * 100) } }
}

/// The text of progress over time: one line on a terminal that rewrites itself.
///
/// Write the returned text to the terminal, usually standard error.
///
/// ```swift
/// var display = ProgressDisplay(columns: device.size().columns)
/// try device.write(display.update(ProgressBar("Birds", completed: 1, of: 20)))
/// try device.write(display.finish())
/// ```
public struct ProgressDisplay: Hashable, Sendable {
  /// The width of the terminal; set it after a resize.
  public var columns: Int
  private var lastLine = ""

  public init(columns: Int) { self.columns = columns }

  /// Returns the text to write for this progress; "" when it would not change the output.
  public mutating func update(_ progress: ProgressBar) -> String {
    // A full line would leave the cursor at the edge, and the next write could wrap.
    let line = progress.line(columns: columns - 1)
    guard line != lastLine else { return "" }
    defer { lastLine = line }
    // Overwrites the rest of a longer line with spaces, because not every terminal can erase; but never at the edge.
    let left = min(lastLine.displayWidth, columns - 1) - line.displayWidth
    return "\r\(line)" + String(repeating: " ", count: max(left, 0))
  }

  /// Returns the text to write after the last progress, complete or not, so that later output starts on its own line.
  public mutating func finish() -> String {
    defer { lastLine = "" }
    return lastLine.isEmpty ? "" : "\n"
  }
}
