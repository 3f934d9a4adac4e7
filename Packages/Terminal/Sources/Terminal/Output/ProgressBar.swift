/// How far something has come, as a value; the lines a person sees of it are functions of it.
public struct ProgressBar: Hashable, Sendable {
  /// What is under way, as the person knows it.
  public var label: String
  /// How many are done.
  public var completed: Int
  /// How many there are, `nil` while that is not known.
  public var total: Int?

  /// Progress of `completed` out of `total`.
  public init(_ label: String, completed: Int, of total: Int?) {
    self.label = label
    self.completed = completed
    self.total = total
  }

  /// The part done, in `0...1`: 1 when there is nothing to do, `nil` while the total is not known.
  public var fraction: Double? {
    guard let total else { return nil }
    guard total > 0 else { return 1 }
    return min(max(Double(completed) / Double(total), 0), 1)
  }

  /// Whether all is done; never while the total is not known.
  public var isFinished: Bool { total.map { completed >= $0 } ?? false }

  /// The progress as a line with a bar, on at most `columns` columns.
  ///
  /// The bar takes what the label and the counts leave, between 10 and 40 columns, and grows by eighths of a column.
  /// Where less is left it goes first, then the label is cut; the counts stay longest.
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

  /// The progress as a line of plain ASCII apart from the label, for a pipe or a log.
  public var plainLine: String {
    let label = label.printable
    return label.isEmpty ? counts : "\(label) \(counts)"
  }

  /// A bar of exactly `columns` columns, the part done filled; "" when `columns` is zero or less.
  ///
  /// A fraction outside `0...1` is brought into it; one that is no number counts as 0.
  public static func bar(_ fraction: Double, columns: Int) -> String {
    guard columns > 0 else { return "" }
    let columns = min(columns, Screen.largestSide)
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

  /// Whole per cent, rounded down so that 100 means finished.
  var percent: Int? { fraction.map { Int($0 * 100) } }
}
