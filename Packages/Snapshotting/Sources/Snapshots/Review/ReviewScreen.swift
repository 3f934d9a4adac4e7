internal import ImageSnapshotting
internal import SnapshotStore
internal import Snapshotting
internal import Terminal

/// Draws the current snapshot of a review.
struct ReviewScreen {
  /// A line of a difference in one column.
  struct Line {
    var text: String
    var style = Style.plain
  }

  /// The narrowest terminal in which a text has two columns.
  static let sideBySideColumns = 120

  /// The number of rows for the difference.
  static func rows(in size: TerminalSize) -> Int { max(1, size.rows - 4) }

  static func draw(_ state: inout ReviewState, _ difference: Difference?, error: String?, _ size: TerminalSize)
    -> Screen
  {
    var screen = Screen(columns: size.columns, rows: size.rows)
    let snapshot = state.current
    let title = " \(state.index + 1)/\(state.all.count)  \(StatusReport.line(snapshot))"
    screen.write(title.fitted(toColumns: size.columns), at: Position(column: 0, row: 0), style: .inverse)
    let place = " \(snapshot.source.file):\(snapshot.source.line)"
    screen.write(place.truncated(toColumns: size.columns), at: Position(column: 0, row: 1), style: .dim)
    let area = Area(column: 0, row: 2, columns: size.columns, rows: rows(in: size))
    switch difference {
    case .text(let diff): draw(diff, &state, area, &screen)
    case .picture(let old, let new, let difference, let summary):
      draw([("reference", old), ("new", new), ("difference", difference)], summary, area, &screen)
    case .bytes(let summary): screen.write(summary, at: Position(column: 1, row: 2))
    case nil: screen.write(error ?? "", at: Position(column: 1, row: 2), style: Style(foreground: .ansi(.red)))
    }
    let alike = state.alikeCount > 1 ? "  A accept all \(state.alikeCount) alike" : ""
    let keys = " a accept  r reject  s skip\(alike)  u undo  o open  q finish  Ctrl-C discard"
    screen.write(
      keys.fitted(toColumns: size.columns), at: Position(column: 0, row: max(0, size.rows - 1)), style: .inverse)
    return screen
  }

  private static func draw(_ diff: LineDiff, _ state: inout ReviewState, _ area: Area, _ screen: inout Screen) {
    guard area.columns >= sideBySideColumns else {
      let lines = lines(of: diff)
      state.limitScroll(lines: lines.count, rows: area.rows)
      return draw(lines, from: state.scroll, area, &screen)
    }
    let pairs = pairs(of: diff)
    state.limitScroll(lines: pairs.count, rows: area.rows)
    let half = area.columns / 2
    let left = Area(column: area.column, row: area.row, columns: half - 1, rows: area.rows)
    let right = Area(column: half, row: area.row, columns: area.columns - half, rows: area.rows)
    draw(pairs.map(\.0), from: state.scroll, left, &screen)
    draw(pairs.map(\.1), from: state.scroll, right, &screen)
  }

  private static func draw(_ lines: [Line], from start: Int, _ area: Area, _ screen: inout Screen) {
    for (row, line) in lines.dropFirst(start).prefix(area.rows).enumerated() {
      screen.write(
        line.text.truncated(toColumns: area.columns), at: Position(column: area.column, row: area.row + row),
        style: line.style)
    }
  }

  private static let removed = Style(foreground: .ansi(.red))
  private static let added = Style(foreground: .ansi(.green))

  /// The lines of a difference, one below the other.
  static func lines(of diff: LineDiff) -> [Line] {
    diff.hunks.flatMap { hunk in
      [Line(text: hunk.header, style: .dim)]
        + hunk.lines.map { line in
          switch line.kind {
          case .common: Line(text: "  " + visible(line.text))
          case .removed: Line(text: "− " + visible(line.text), style: removed)
          case .added: Line(text: "+ " + visible(line.text), style: added)
          }
        }
    }
  }

  /// The old and the new lines side by side. Removed lines are beside the added lines that follow them.
  static func pairs(of diff: LineDiff) -> [(Line, Line)] {
    var pairs: [(Line, Line)] = []
    for hunk in diff.hunks {
      pairs.append((Line(text: hunk.header, style: .dim), Line(text: "", style: .dim)))
      var (old, new) = ([Line](), [Line]())
      func flush() {
        for index in 0..<max(old.count, new.count) {
          pairs.append(
            (
              old.indices.contains(index) ? old[index] : Line(text: ""),
              new.indices.contains(index) ? new[index] : Line(text: "")
            ))
        }
        (old, new) = ([], [])
      }
      for line in hunk.lines {
        switch line.kind {
        case .removed:
          if !new.isEmpty { flush() }
          old.append(Line(text: "− " + visible(line.text), style: removed))
        case .added: new.append(Line(text: "+ " + visible(line.text), style: added))
        case .common:
          flush()
          let text = Line(text: "  " + visible(line.text))
          pairs.append((text, text))
        }
      }
      flush()
    }
    return pairs
  }

  private static func visible(_ text: Substring) -> String {
    String(text.map { $0 == "\t" ? "→" : $0.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } ? "␣" : $0 })
  }

  private static func draw(
    _ images: [(name: String, image: Image?)], _ summary: String, _ area: Area, _ screen: inout Screen
  ) {
    screen.write(summary.truncated(toColumns: area.columns - 1), at: Position(column: 1, row: area.row))
    let shown = images.compactMap { name, image in image.map { (name, $0) } }
    guard !shown.isEmpty, area.rows > 3 else { return }
    let width = area.columns / shown.count
    for (place, (name, image)) in shown.enumerated() {
      let column = place * width
      screen.write(
        name.truncated(toColumns: width - 1), at: Position(column: column + 1, row: area.row + 1), style: .dim)
      guard let picture = Picture(width: image.width, height: image.height, pixels: image.pixels) else { continue }
      let drawn = picture.screen(columns: max(1, width - 2), rows: area.rows - 2, color: .trueColor)
      screen.blit(drawn, at: Position(column: column + 1, row: area.row + 2))
    }
  }
}
