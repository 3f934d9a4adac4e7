/// What a terminal shows, as a value: a grid of cells to draw on, compare and paint.
///
/// Drawing beyond an edge is clipped, never an error. Copies share their rows until one is changed, so keeping the last
/// screen to compare with is cheap.
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
  /// Where the terminal's cursor is shown, or `nil` to hide it; a place outside the screen hides it too.
  public var cursor: Position?

  private(set) var lines: [[Cell]]

  /// The longest side a screen can have, in cells: above any terminal's that a person reads, and low enough to bound the
  /// memory and the time that a wrong size can ask for.
  public static let largestSide = 1_000

  /// A blank screen; each side is brought into `0...largestSide`.
  public init(columns: Int, rows: Int) {
    self.columns = min(max(columns, 0), Self.largestSide)
    self.rows = min(max(rows, 0), Self.largestSide)
    lines = Array(repeating: Array(repeating: .blank(), count: self.columns), count: self.rows)
  }

  /// The cell at a place, or `nil` outside the screen.
  public subscript(position: Position) -> Cell? {
    guard lines.indices.contains(position.row), lines[position.row].indices.contains(position.column) else {
      return nil
    }
    return lines[position.row][position.column]
  }

  /// Puts a character's one or two cells down, which must be inside the row, and blanks what halves it leaves over.
  mutating func place(_ cell: Cell, column: Int, row: Int) {
    let end = column + max(Int(cell.columns), 1)
    split(at: column, row: row)
    split(at: end, row: row)
    lines[row][column] = cell
    if cell.isLeftHalf { lines[row][column + 1] = Cell(character: nil, style: cell.style, columns: 0) }
  }

  /// Makes a cut before `column`: a wide character that spans it becomes two blanks in its own style.
  mutating func split(at column: Int, row: Int) {
    guard column > 0, column < columns, lines[row][column].isRightHalf else { return }
    lines[row][column - 1] = .blank(lines[row][column - 1].style)
    lines[row][column] = .blank(lines[row][column].style)
  }
}
