/// The content of a terminal as a value: a grid of cells to draw on, compare and paint.
///
/// Drawing outside the screen is clipped. Copies share their rows until one is changed, so a copy is cheap.
///
/// ```swift
/// var screen = Screen(columns: 20, rows: 2)
/// screen.write("Puffins 🐧", at: Position(column: 0, row: 0), style: .bold)
/// screen.text                             // "Puffins 🐧\n"
/// try device.write(screen.repaint(from: previous, color: .trueColor))
/// ```
public struct Screen: Hashable, Sendable {
  public let columns: Int
  public let rows: Int
  /// The position of the visible cursor; `nil` or a position outside the screen hides the cursor.
  public var cursor: Position?

  package private(set) var lines: [[Cell]]

  /// The maximum number of cells of a side.
  ///
  /// It limits the memory and the time that a wrong size can use.
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

extension Screen {
  /// Writes one line of text to the right of a position, clipped at the edges.
  ///
  /// A wide character across an edge leaves a blank in its inner half. Drawing over half of a wide character blanks its
  /// other half. Characters of width zero (control characters, newlines, combining marks without a base) are omitted, so
  /// the text cannot contain escape sequences. A character keeps at most `Cell.maximumScalars` scalars.
  ///
  /// - Returns: The column after the text, before clipping: the start of the next piece.
  @discardableResult
  public mutating func write(_ text: some StringProtocol, at position: Position, style: Style = .plain) -> Int {
    var column = position.column
    let visible = columns > 0 && lines.indices.contains(position.row)
    for character in text {
      let character = character.shortened
      let width = character.displayWidth
      guard width > 0 else { continue }
      let (next, overflows) = column.addingReportingOverflow(width)
      guard !overflows else { return column }
      if visible, column < columns, next > 0 {
        if column >= 0, next <= columns {
          place(Cell(character: character, style: style, columns: Int8(width)), column: column, row: position.row)
        } else {
          place(.blank(style), column: max(column, 0), row: position.row)
        }
      }
      column = next
    }
    return column
  }

  /// Fills a rectangle, clipped at the edges, with a character of one column in a style; a space clears it.
  ///
  /// A character of another width fills with spaces.
  public mutating func fill(_ area: Area, with character: Character = " ", style: Style = .plain) {
    guard let area = area.clipped(columns: columns, rows: rows) else { return }
    let character = character.shortened
    let cell = character.displayWidth == 1 ? Cell(character: character, style: style, columns: 1) : .blank(style)
    for row in area.rowRange {
      for column in area.columnRange { place(cell, column: column, row: row) }
    }
  }

  /// Copies another screen onto this one with its top left corner at a position, clipped at the edges.
  ///
  /// The other screen's cursor is not copied.
  public mutating func blit(_ other: Screen, at position: Position) {
    let target = Area(column: position.column, row: position.row, columns: other.columns, rows: other.rows)
    guard let area = target.clipped(columns: columns, rows: rows) else { return }
    for row in area.rowRange {
      let source = other.lines[row - position.row]
      for column in area.columnRange {
        let cell = source[column - position.column]
        if cell.isRightHalf, column > area.column { continue }
        let fits = !cell.isRightHalf && column + Int(cell.columns) <= area.columnRange.upperBound
        place(fits ? cell : .blank(cell.style), column: column, row: row)
      }
    }
  }
}

/// A rectangle of cells, counted from 0; empty if a side is zero or less.
public struct Area: Hashable, Sendable {
  public var column: Int
  public var row: Int
  public var columns: Int
  public var rows: Int

  public init(column: Int, row: Int, columns: Int, rows: Int) {
    self.column = column
    self.row = row
    self.columns = columns
    self.rows = rows
  }

  /// Returns the part inside a screen of this size, or `nil` when it is empty.
  func clipped(columns width: Int, rows height: Int) -> Area? {
    let across = Self.clip(start: column, count: columns, limit: width)
    let down = Self.clip(start: row, count: rows, limit: height)
    guard !across.isEmpty, !down.isEmpty else { return nil }
    return Area(column: across.lowerBound, row: down.lowerBound, columns: across.count, rows: down.count)
  }

  var columnRange: Range<Int> { column..<(column + columns) }
  var rowRange: Range<Int> { row..<(row + rows) }

  /// Returns the intersection of `start ..< start + count` and `0 ..< limit`, without overflow for any arguments.
  private static func clip(start: Int, count: Int, limit: Int) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let (end, overflows) = start.addingReportingOverflow(count)
    return (start..<(overflows ? .max : end)).clamped(to: 0..<limit)
  }
}

extension Screen {
  /// The characters on the screen, one line for each row, without trailing blanks; for snapshot tests.
  ///
  /// `styledText(color:)` includes the styles.
  public var text: String {
    lines.map { line in
      let end = line.lastIndex { $0.character != " " }.map { $0 + 1 } ?? 0
      return String(line[..<end].compactMap(\.character))
    }.joined(separator: "\n")
  }

  /// Returns the rows as text with colours and attributes, for commands that print lines.
  ///
  /// The text is plain when `color` is `.none`. Each row starts and ends in the terminal's default style.
  public func styledText(color: ColorCapability) -> String {
    guard color != .none else { return text }
    return lines.map { line in
      let end = line.lastIndex { !$0.isErased }.map { $0 + 1 } ?? 0
      var painter = Painter(columns: columns, color: color)
      for cell in line[..<end] { painter.draw(cell) }
      painter.reset()
      return painter.output
    }.joined(separator: "\n")
  }
}
