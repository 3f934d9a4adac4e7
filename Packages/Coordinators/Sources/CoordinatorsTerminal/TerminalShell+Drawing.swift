public import Coordinators
public import Terminal

extension TerminalShell {
  /// Returns the screen for the current navigation.
  ///
  /// The title and a mark for the way back are at the top, then the page, and the visible tabs and the key hints at the
  /// bottom. A modal is a box in front of the page that it covers. On a small screen the page loses space first, then
  /// the frame.
  public func screen(page: (Node<Screen>) -> Page<Screen.Action>) -> Terminal.Screen {
    var screen = Terminal.Screen(columns: size.columns, rows: size.rows)
    guard let navigation else { return screen }
    let front = page(navigation.front).distinct
    let frame = frame
    if let below = navigation.screenBelowModal, frame.isBoxed {
      draw(page(below).distinct, of: below, in: frame.outer, title: 0, isInFront: false, on: &screen)
    }
    if frame.isBoxed { screen.drawBox(frame.box) }
    let titleRow = frame.isBoxed ? frame.box.row : 0
    draw(front, of: navigation.front, in: frame.area, title: titleRow, isInFront: true, on: &screen)
    drawTabs(on: &screen)
    if size.rows > 4 {
      let notice = view(of: navigation.front.id).hasDroppedText(on: front) ? texts.fieldFull : hint(front)
      screen.write(notice, at: Position(column: 1, row: size.rows - 1), style: .dim)
    }
    return screen
  }

  private func draw(
    _ page: Page<Screen.Action>, of node: Node<Screen>, in area: Area, title row: Int, isInFront: Bool,
    on screen: inout Terminal.Screen
  ) {
    if size.rows > 2 {
      let way = isInFront && navigation?.screenBehind != nil ? "‹ " : ""
      let title = " \(way)\(page.title.onOneLine)\(page.isLoading ? " …" : "") "
      let (column, width) = frame.isBoxed && isInFront ? (area.column, area.columns) : (0, size.columns)
      let shown = frame.isBoxed && isInFront ? title.truncated(toColumns: width) : title.fitted(toColumns: width)
      let style = isInFront ? Style(attributes: [.bold, .inverse]) : Style(attributes: [.dim, .inverse])
      screen.write(shown, at: Position(column: column, row: row), style: style)
    }
    guard area.columns > 0, area.rows > 0 else { return }
    var view = view(of: node.id)
    let layout = PageLayout(page, columns: area.columns)
    if isInFront { view.focusFirst(in: layout) } else { view.focus = nil }
    view.clamp(to: layout, rows: area.rows)
    // Drawn on a separate screen, so that text cannot cross the edges of a box.
    var inside = Terminal.Screen(columns: area.columns, rows: area.rows)
    for (index, line) in layout.lines.dropFirst(view.offset).prefix(area.rows).enumerated() {
      var column = 0
      let drawn = layout.drawn(line, view)
      for piece in drawn.pieces {
        let style = isInFront ? piece.style : .dim
        column = inside.write(piece.text, at: Position(column: column, row: index), style: style)
      }
      if let caret = drawn.caret, isInFront {
        screen.cursor = Position(column: area.column + caret, row: area.row + index)
      }
    }
    screen.blit(inside, at: Position(column: area.column, row: area.row))
    if isInFront { drawScrollBar(lines: layout.lines.count, offset: view.offset, on: &screen) }
  }

  /// The bar touches an end of the window only if the page is scrolled to that end.
  private func drawScrollBar(lines: Int, offset: Int, on screen: inout Terminal.Screen) {
    let (rows, column) = (area.rows, area.column + area.columns)
    guard lines > rows, rows > 2, column < size.columns else { return }
    let length = max(rows * rows / lines, 1)
    let last = lines - rows
    let room = rows - length
    let start = offset == 0 ? 0 : offset == last ? room : min(max(offset * room / last, 1), max(room - 1, 1))
    for row in 0..<rows {
      let isBar = row >= start && row < start + length
      screen.write(
        isBar ? "█" : "│", at: Position(column: column, row: area.row + row), style: isBar ? .plain : .dim)
    }
  }

  private func drawTabs(on screen: inout Terminal.Screen) {
    guard size.rows > 3, case .tabs(let tabs, let selected)? = navigation?.visibleTabs?.content else { return }
    var column = 1
    for (index, tab) in tabs.enumerated() {
      let style: Style = index == selected ? Style(attributes: [.bold, .underline]) : .plain
      column = screen.write(
        "\(index + 1) \(texts.title(of: tab.key).onOneLine)", at: Position(column: column, row: frame.tabRow),
        style: style)
      column += 2
    }
  }

  /// The hints for quitting and for going back have priority.
  private func hint(_ page: Page<Screen.Action>) -> String {
    var words: [String] = []
    let hasFields = page.elements.contains { if case .form = $0 { true } else { false } }
    let hasRows = page.elements.contains { if case .row = $0 { true } else { false } }
    words.append("↑↓ \(texts.move)")
    if hasRows || hasFields { words.append("Enter \(hasRows ? texts.open : texts.send)") }
    if hasFields {
      words.append("Tab \(texts.nextField)")
    } else if navigation?.visibleTabs != nil {
      words.append("Tab \(texts.nextTab)")
    }
    let back = "Esc \(texts.back)"
    if navigation?.screenBehind != nil { words.append(back) }
    if page.searchKey != nil, !hasFields { words.append("/ \(texts.search)") }
    if page.isRefreshable, !hasFields { words.append("r \(texts.refresh)") }
    let quit = "\(hasFields ? "Ctrl-C" : "q") \(texts.quit)"
    var room = size.columns - 2 - quit.displayWidth
    var kept: Set<String> = []
    for word in words.filter({ $0 == back }) + words.filter({ $0 != back }) where word.displayWidth + 2 <= room {
      room -= word.displayWidth + 2
      kept.insert(word)
    }
    return (words.filter(kept.contains) + [quit]).joined(separator: "  ")
  }
}

extension Terminal.Screen {
  fileprivate mutating func drawBox(_ box: Area) {
    fill(box)
    let (right, bottom) = (box.column + box.columns - 1, box.row + box.rows - 1)
    for column in box.column...right {
      write("─", at: Position(column: column, row: box.row))
      write("─", at: Position(column: column, row: bottom))
    }
    for row in box.row...bottom {
      let isTop = row == box.row
      write(isTop ? "┌" : row == bottom ? "└" : "│", at: Position(column: box.column, row: row))
      write(isTop ? "┐" : row == bottom ? "┘" : "│", at: Position(column: right, row: row))
    }
  }
}
