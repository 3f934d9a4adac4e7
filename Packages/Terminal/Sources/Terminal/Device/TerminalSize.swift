/// The size of a terminal in cells.
public struct TerminalSize: Hashable, Sendable {
  /// The number of cells in a row.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// Creates a size of `columns` by `rows` cells.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// Creates the size to use: the reported size, else `COLUMNS` and `LINES`, else 80 by 24, each side separately.
  ///
  /// A side that is not a positive number is ignored. The maximum for a side is `Screen.maximumSide`. Pure.
  public init(reported: TerminalSize?, environment: [String: String]) {
    let side = { (reported: Int?, name: String, fallback: Int) in
      let said = [reported, environment[name].flatMap { Int($0) }].compactMap { $0 }.first { $0 > 0 }
      return min(said ?? fallback, Screen.maximumSide)
    }
    self.init(columns: side(reported?.columns, "COLUMNS", 80), rows: side(reported?.rows, "LINES", 24))
  }
}
