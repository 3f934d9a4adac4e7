internal import ImageSnapshotting
internal import SnapshotStore
internal import Snapshotting
internal import Terminal

struct ReviewScreen {
  /// The narrowest terminal in which a text has two columns.
  static let sideBySideColumns = 120

  static func rows(in size: TerminalSize) -> Int { max(1, size.rows - 4) }

  static func draw(
    _ state: inout ReviewState, _ difference: Difference?, error: String?, _ size: TerminalSize,
    color: ColorCapability = .trueColor
  ) -> Screen {
    var screen = Screen(columns: size.columns, rows: size.rows)
    guard !state.isAtEnd else {
      drawEnd(of: state, &screen)
      return screen
    }
    let snapshot = state.current
    let decision = state.currentDecision.map { $0 == .reject ? "  rejected" : "  accepted" } ?? ""
    let title = " \(state.index + 1)/\(state.all.count)\(decision)  \(StatusReport.line(snapshot))"
    screen.write(title.fitted(toColumns: size.columns), at: Position(column: 0, row: 0), style: .inverse)
    if let old = state.renames[snapshot.name] {
      // Replaces the details, so that the file that the rename deletes is visible.
      let offer = " m deletes \(StatusReport.visible(old)): \(StatusReport.sameContent)"
      screen.write(
        offer.truncated(toColumns: size.columns), at: Position(column: 0, row: 1),
        style: Style(foreground: .ansi(.yellow)))
    } else {
      let details = " \(StatusReport.details(snapshot))"
      screen.write(details.truncated(toColumns: size.columns), at: Position(column: 0, row: 1), style: .dim)
    }
    let area = Area(column: 0, row: 2, columns: size.columns, rows: rows(in: size))
    switch difference {
    case .text(let diff): draw(DiffLine.lines(of: diff), &state, area, &screen)
    case .newText(let text): draw(DiffLine.lines(ofNew: text), &state, area, &screen)
    case .picture(let old, let new, let difference, let summary):
      draw([("reference", old), ("new", new), ("difference", difference)], summary, area, color, &screen)
    case .bytes(let summary): screen.write(summary, at: Position(column: 1, row: 2))
    case nil:
      screen.write(
        StatusReport.visible(error ?? ""), at: Position(column: 1, row: 2), style: Style(foreground: .ansi(.red)))
    }
    let alike = state.alikeCount > 1 ? "  A accept all \(state.alikeCount) alike" : ""
    let rename = state.renames[snapshot.name] == nil ? "" : "  m rename"
    let keys = " a accept\(rename)  r reject  s skip\(alike)  u undo  o open  q apply  Ctrl-C discard"
    screen.write(
      keys.fitted(toColumns: size.columns), at: Position(column: 0, row: max(0, size.rows - 1)), style: .inverse)
    return screen
  }

  private static func drawEnd(of state: ReviewState, _ screen: inout Screen) {
    let counts =
      [("accepted", ReviewState.Decision.accept), ("accepted with a rename", .rename), ("rejected", .reject)]
      .map { ($0, state.snapshots($1).count) } + [("skipped", state.snapshots(nil).count)]
    screen.write(
      " The decisions of this review:".fitted(toColumns: screen.columns), at: Position(column: 0, row: 0),
      style: .inverse)
    for (row, (name, count)) in counts.filter({ $0.1 > 0 }).enumerated() {
      screen.write("\(count) \(name)", at: Position(column: 1, row: row + 1))
    }
    screen.write(
      " Enter apply  u undo  Ctrl-C discard".fitted(toColumns: screen.columns),
      at: Position(column: 0, row: max(0, screen.rows - 1)), style: .inverse)
  }

  private static func draw(_ lines: [DiffLine], _ state: inout ReviewState, _ area: Area, _ screen: inout Screen) {
    guard area.columns >= sideBySideColumns, lines.contains(where: { $0.kind == .removed }) else {
      state.limitScroll(lines: lines.count, rows: area.rows)
      return draw(lines, from: state.scroll, area, &screen)
    }
    let pairs = DiffLine.pairs(of: lines)
    state.limitScroll(lines: pairs.count, rows: area.rows)
    let half = area.columns / 2
    let left = Area(column: area.column, row: area.row, columns: half - 1, rows: area.rows)
    let right = Area(column: half, row: area.row, columns: area.columns - half, rows: area.rows)
    draw(pairs.map(\.old), from: state.scroll, left, &screen)
    draw(pairs.map(\.new), from: state.scroll, right, &screen)
  }

  private static func draw(_ lines: [DiffLine?], from start: Int, _ area: Area, _ screen: inout Screen) {
    for (row, line) in lines.dropFirst(start).prefix(area.rows).enumerated() {
      guard let line else { continue }
      let (mark, style): (String, Style) =
        switch line.kind {
        case .header: ("", .dim)
        case .common: ("  ", .plain)
        case .removed: ("− ", Style(foreground: .ansi(.red)))
        case .added: ("+ ", Style(foreground: .ansi(.green)))
        }
      let end = area.column + area.columns
      var column = area.column
      for part in [DiffLine.Part(text: mark)] + line.parts where column < end {
        var style = style
        if part.isChanged { style.attributes.insert(.inverse) }
        column = screen.write(
          part.text.truncated(toColumns: end - column), at: Position(column: column, row: area.row + row), style: style)
      }
    }
  }

  private static func draw(
    _ images: [(name: String, image: Image?)], _ summary: String, _ area: Area, _ color: ColorCapability,
    _ screen: inout Screen
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
      let drawn = picture.screen(columns: max(1, width - 2), rows: area.rows - 2, color: color)
      screen.blit(drawn, at: Position(column: column + 1, row: area.row + 2))
    }
  }
}
