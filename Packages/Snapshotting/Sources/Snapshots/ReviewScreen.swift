internal import ImageSnapshotting
internal import SnapshotStore
internal import Snapshotting
internal import Terminal

extension Review {
  /// The narrowest terminal in which a text has two columns.
  static let sideBySideColumns = 110

  static func rows(in size: TerminalSize) -> Int { max(1, size.rows - 4) }

  private static let keys = [
    ("a", "accept this snapshot"), ("A", "accept this and all undecided snapshots"), ("r", "reject this snapshot"),
    ("s", "skip this snapshot; it stays pending"), ("u", "undo the last decision"), ("← →", "previous, next snapshot"),
    ("↑ ↓", "scroll by a line"), ("Space", "scroll by a page; also Page Up and Page Down"),
    ("q", "apply the decisions, and end"), ("Ctrl-C", "discard the decisions, and end"),
  ]

  /// Draws the current snapshot, the help, or the decisions at the end.
  mutating func draw(
    _ difference: Result<Difference, SnapshotError>, _ size: TerminalSize
  ) -> Screen {
    var screen = Screen(columns: size.columns, rows: size.rows)
    if showsHelp {
      let width = Self.keys.map(\.0.displayWidth).max() ?? 0
      let lines = Self.keys.map { " \($0.padded(toColumns: width))  \($1)" }
      screen.draw(title: " Keys", lines, keys: " any key back")
    } else if isAtEnd {
      let counts = [Decision.accepted, .rejected, .skipped]
        .map { "\(snapshots($0).count) \($0)" }.filter { !$0.hasPrefix("0 ") }
      let keys = " Enter apply  u undo  ? help  Ctrl-C discard"
      screen.draw(title: " The decisions of this review:", counts.map { " \($0)" }, keys: keys)
    } else {
      drawSnapshot(difference, on: &screen)
    }
    return screen
  }

  private mutating func drawSnapshot(
    _ difference: Result<Difference, SnapshotError>, on screen: inout Screen
  ) {
    let decision = currentDecision.map { "  \($0)" } ?? ""
    let title = " \(index + 1)/\(all.count)\(decision)  \(current.state)  \(current.title)"
    screen.draw(title: title, [], keys: " a accept  r reject  s skip  A accept all  u undo  q apply  ? help")
    let details = " \(current.details)"
    screen.write(details.truncated(toColumns: screen.columns), at: Position(column: 0, row: 1), style: .dim)
    let shown = try? difference.get()
    let (text, textStyle): (String, Style) =
      switch difference {
      case .success(let difference): (difference.summary, .plain)
      case .failure(let error): (visible(error.description), Style(foreground: .ansi(.red)))
      }
    let words = text.isEmpty ? [] : text.wrapped(toColumns: max(1, screen.columns - 2))
    for (row, line) in words.enumerated() {
      screen.write(line, at: Position(column: 1, row: row + 2), style: textStyle)
    }
    let rows = Self.rows(in: TerminalSize(columns: screen.columns, rows: screen.rows)) - words.count
    let area = Area(column: 0, row: words.count + 2, columns: screen.columns, rows: rows)
    draw(shown?.lines ?? [], area, &screen)
    draw(shown?.pictures ?? [], area, &screen)
  }

  /// Long lines are broken, so that each change is visible.
  private mutating func draw(_ lines: [DiffLine], _ area: Area, _ screen: inout Screen) {
    let half = area.columns / 2
    // Two columns must not break a line that fits into one, such as a row of bytes.
    let fits = lines.prefix(1_000).map { $0.text.displayWidth }.allSatisfy { $0 < half - 2 || $0 > area.columns - 2 }
    let isWide = area.columns >= Self.sideBySideColumns && fits && lines.contains { $0.kind == .removed }
    let pairs = isWide ? DiffLine.pairs(of: lines) : lines.map { ($0, nil) }
    func rows(_ pair: (old: DiffLine?, new: DiffLine?)) -> [(Row, Row)] {
      let old = pair.old?.rows(columns: isWide ? half - 1 : area.columns) ?? []
      let new = pair.new?.rows(columns: half) ?? []
      return (0..<max(old.count, new.count)).map {
        (old.indices.contains($0) ? old[$0] : [], new.indices.contains($0) ? new[$0] : [])
      }
    }
    // The last place from which everything to the end is visible.
    var (end, free) = (pairs.count, area.rows)
    while end > 0, case let height = rows(pairs[end - 1]).count, height <= free {
      (end, free) = (end - 1, free - height)
    }
    scroll = min(scroll, end)
    for (row, (old, new)) in pairs.dropFirst(scroll).lazy.flatMap(rows).prefix(max(0, area.rows)).enumerated() {
      screen.draw(old, at: Position(column: area.column, row: area.row + row))
      screen.draw(new, at: Position(column: area.column + half, row: area.row + row))
    }
  }

  private func draw(
    _ pictures: [Difference.Picture], _ area: Area, _ screen: inout Screen
  ) {
    guard !pictures.isEmpty, area.rows > 1 else { return }
    let width = area.columns / pictures.count
    for (place, shown) in pictures.enumerated() {
      let column = place * width + 1
      screen.write(
        shown.name.truncated(toColumns: width - 1), at: Position(column: column, row: area.row), style: .dim)
      let place = Area(column: column, row: area.row + 1, columns: width - 2, rows: area.rows - 1)
      screen.draw(shown.image, in: place)
    }
  }
}

extension Screen {
  fileprivate mutating func draw(title: String, _ lines: [String], keys: String) {
    for (row, line) in lines.enumerated() { write(line, at: Position(column: 0, row: row + 1)) }
    for (row, line) in [(0, title), (max(0, rows - 1), keys)] {
      write(line.fitted(toColumns: columns), at: Position(column: 0, row: row), style: .inverse)
    }
  }

  /// Draws an image as large as fits, with an upper and a lower pixel in each cell.
  fileprivate mutating func draw(_ image: Image, in area: Area) {
    guard area.columns > 0, area.rows > 0 else { return }
    let scale = min(Double(area.columns) / Double(image.width), Double(2 * area.rows) / Double(image.height))
    let width = min(max(Int((Double(image.width) * scale).rounded()), 1), area.columns)
    let height = min(max(Int((Double(image.height) * scale / 2).rounded()), 1), area.rows)
    guard let small = image.resized(width: width, height: 2 * height) else { return }
    for row in 0..<height {
      for column in 0..<width {
        let (upper, lower) = (small[column, 2 * row].visible, small[column, 2 * row + 1].visible)
        let (character, style): (Character, Style) =
          switch (upper, lower) {
          case (nil, nil): (" ", .plain)
          case (nil, let lower?): ("▄", Style(foreground: lower.color))
          case (let upper?, let lower): ("▀", Style(foreground: upper.color, background: lower?.color ?? .default))
          }
        write(String(character), at: Position(column: area.column + column, row: area.row + row), style: style)
      }
    }
  }

  fileprivate mutating func draw(_ row: Row, at position: Position) {
    var position = position
    for part in row { position.column = write(part.text, at: position, style: part.style) }
  }
}

extension Image.Pixel? {
  /// The pixel, unless it is absent or mostly transparent.
  fileprivate var visible: Image.Pixel? { flatMap { $0.alpha >= 128 ? $0 : nil } }
}

extension Image.Pixel {
  fileprivate var color: Color { .rgb(red, green, blue) }
}

/// Texts of one row, with their styles.
private typealias Row = [(text: String, style: Style)]

extension DiffLine {
  /// Returns the rows of the line in a terminal.
  fileprivate func rows(columns: Int) -> [Row] {
    var rows: [Row] = [[]]
    var free = columns
    for (text, style) in row {
      var piece = ""
      for character in text.replacing("\t", with: "    ") {
        let width = String(character).displayWidth
        if width > free, columns > 4 {
          rows[rows.count - 1].append((piece, style))
          rows.append([("  ", style)])
          (piece, free) = ("", columns - 2)
        }
        piece.append(character)
        free -= width
      }
      rows[rows.count - 1].append((piece, style))
    }
    return rows
  }
}
