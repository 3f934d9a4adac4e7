/// The content of a terminal as a value: a grid of cells to draw on, compare and paint.
///
/// Drawing outside the screen is clipped and is not an error. Copies share their rows until one is changed, so keeping
/// the previous screen for a comparison is cheap.
///
/// ```swift
/// var screen = Screen(columns: 20, rows: 2)
/// screen.write("Puffins 🐧", at: Position(column: 0, row: 0), style: .bold)
/// screen.text                             // "Puffins 🐧\n"
/// try device.write(screen.repaint(from: previous, color: .trueColor))
/// ```
public struct Screen: Hashable, Sendable {
  /// The number of cells in a row.
  public let columns: Int
  /// The number of rows.
  public let rows: Int
  /// The position of the visible cursor; `nil` or a position outside the screen hides the cursor.
  public var cursor: Position?

  /// The cells of each row.
  package private(set) var lines: [[Cell]]

  /// The maximum number of cells of a side.
  ///
  /// No terminal that a person reads has a longer side. The maximum limits the memory and the time that a wrong size can use.
  public static let maximumSide = 1_000

  /// Creates a blank screen; each side is clamped to `0...maximumSide`.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 0), Self.maximumSide)
    self.rows = min(max(rows, 0), Self.maximumSide)
    lines = Array(repeating: Array(repeating: .blank(), count: self.columns), count: self.rows)
  }

  /// The cell at a position, or `nil` outside the screen.
  public subscript(position: Position) -> Cell? {
    guard lines.indices.contains(position.row), lines[position.row].indices.contains(position.column) else {
      return nil
    }
    return lines[position.row][position.column]
  }

  /// Stores a character's one or two cells, which must be inside the row, and blanks the halves of characters it
  /// overwrites partly.
  mutating func place(_ cell: Cell, column: Int, row: Int) {
    let end = column + max(Int(cell.columns), 1)
    split(at: column, row: row)
    split(at: end, row: row)
    lines[row][column] = cell
    if cell.isLeftHalf { lines[row][column + 1] = Cell(character: nil, style: cell.style, columns: 0) }
  }

  /// Splits a wide character across `column` into two blanks in its own style.
  mutating func split(at column: Int, row: Int) {
    guard column > 0, column < columns, lines[row][column].isRightHalf else { return }
    lines[row][column - 1] = .blank(lines[row][column - 1].style)
    lines[row][column] = .blank(lines[row][column].style)
  }
}
