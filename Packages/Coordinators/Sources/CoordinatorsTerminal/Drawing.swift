internal import Coordinators
internal import Terminal

/// The areas of a screen: the title above, the page, and the tabs and the key hints below.
///
/// A small screen loses the frame, so that the page keeps its space. A modal is a box in front of the page that it covers, at
/// most 80 columns wide and as high as its page.
struct ScreenFrame: Sendable {
  /// The area of the visible page.
  let area: Area
  /// The box of a modal; `nil` without a modal, or on a small screen.
  let box: Area?

  init(_ size: TerminalSize, isModal: Bool, lines: Int) {
    let (columns, rows) = (size.columns, size.rows)
    let above = rows > 6 ? 2 : rows > 2 ? 1 : 0
    let below = rows > 8 ? 3 : rows > 4 ? 2 : rows > 3 ? 1 : 0
    guard isModal, columns >= 24, rows >= 12 else {
      let margin = columns > 12 ? 1 : 0
      area = Area(
        column: margin, row: above, columns: max(columns - 2 * margin, 0), rows: max(rows - above - below, 0))
      box = nil
      return
    }
    let width = min(columns - 2 * min(columns / 12, 8), 80)
    let height = min(max(lines + 4, 8), rows - above - below)
    let box = Area(column: (columns - width) / 2, row: above, columns: width, rows: height)
    self.box = box
    area = Area(column: box.column + 2, row: box.row + 2, columns: box.columns - 4, rows: box.rows - 3)
  }
}

extension TerminalApp {
  /// Returns the screen for a layout of the visible page.
  func screen(of layout: PageLayout<Screen.Action>) -> Terminal.Screen {
    var screen = Terminal.Screen(columns: size.columns, rows: size.rows)
    if let box = layout.frame.box {
      drawBehind(on: &screen)
      screen.drawBox(box)
    }
    var view = view
    view.fit(to: layout)
    if size.rows > 2 { drawTitle(layout.page, layout.frame, on: &screen) }
    draw(layout, view, on: &screen)
    drawTabs(on: &screen)
    if size.rows > 4 {
      let hints = bindings(layout, view.focus).hints(columns: size.columns - 2)
      screen.write(hints, at: Position(column: 1, row: size.rows - 1), style: theme.secondary)
    }
    return screen
  }

  private func drawTitle(_ page: Page<Screen.Action>, _ frame: ScreenFrame, on screen: inout Terminal.Screen) {
    let (pop, dismiss) = (navigator.navigation?.popIntent, navigator.navigation?.dismissIntent)
    let way = help == nil && pop != nil ? "‹ " : help != nil || dismiss != nil ? "× " : ""
    let title = " \(way)\(page.title.onOneLine)\(page.isLoading ? " …" : "") "
    if let box = frame.box {
      let position = Position(column: frame.area.column, row: box.row)
      screen.write(title.truncated(toColumns: frame.area.columns), at: position, style: theme.title)
    } else {
      screen.write(title.fitted(toColumns: size.columns), at: Position(column: 0, row: 0), style: theme.title)
    }
  }

  private func draw(_ layout: PageLayout<Screen.Action>, _ view: PageView, on screen: inout Terminal.Screen) {
    let area = layout.frame.area
    guard area.columns > 0, area.rows > 0 else { return }
    // Drawn on a separate screen, so that text cannot cross the edges of a box.
    var inside = Terminal.Screen(columns: area.columns, rows: area.rows)
    let cursor = layout.draw(view, on: &inside)
    screen.blit(inside, at: Position(column: area.column, row: area.row))
    screen.cursor = cursor.map { Position(column: area.column + $0.column, row: area.row + $0.row) }
    drawScrollBar(lines: layout.count, offset: view.offset, area, on: &screen)
  }

  /// Draws the page behind a modal or the help in one style.
  private func drawBehind(on screen: inout Terminal.Screen) {
    guard let node = help != nil ? navigator.navigation?.front : navigator.navigation?.screenBelowModal else { return }
    var view = view(of: node.id)
    view.focus = nil
    let layout = layOut(contents.page(of: node), isModal: false, view)
    var behind = screen
    behind.write(" \(layout.page.title.onOneLine) ", at: Position(column: 0, row: 0))
    draw(layout, view, on: &behind)
    for row in 0..<size.rows {
      let line = (0..<size.columns).compactMap { behind[Position(column: $0, row: row)]?.character }
      screen.write(String(line), at: Position(column: 0, row: row), style: theme.secondary)
    }
  }

  private func drawScrollBar(lines: Int, offset: Int, _ area: Area, on screen: inout Terminal.Screen) {
    let (rows, column) = (area.rows, area.column + area.columns)
    guard lines > rows, rows > 2, column < size.columns else { return }
    let length = max(rows * rows / lines, 1)
    let start = offset * (rows - length) / (lines - rows)
    for row in 0..<rows {
      let isBar = (start..<start + length).contains(row)
      screen.write(
        isBar ? "█" : "│", at: Position(column: column, row: area.row + row), style: isBar ? .plain : theme.secondary)
    }
  }

  private func drawTabs(on screen: inout Terminal.Screen) {
    let content = navigator.navigation?.visibleTabs?.content
    guard size.rows > 3, case .tabs(let tabs, let selected)? = content else { return }
    var titles = tabs.enumerated().map { "\($0 + 1) \(texts.title(of: $1.key).onOneLine)" }
    if titles.joined(separator: "  ").displayWidth > size.columns - 2 {
      // Without room for all titles, the other tabs have only their numbers.
      for index in titles.indices where tabs[index].key != selected { titles[index] = "\(index + 1)" }
    }
    var position = Position(column: 1, row: size.rows - (size.rows > 4 ? 2 : 1))
    for (tab, title) in zip(tabs, titles) {
      position.column = screen.write(title, at: position, style: tab.key == selected ? theme.selectedTab : .plain) + 2
    }
  }
}

extension Terminal.Screen {
  fileprivate mutating func drawBox(_ box: Area) {
    let line = String(repeating: "─", count: box.columns - 2)
    let inside = String(repeating: " ", count: box.columns - 2)
    for row in 0..<box.rows {
      let text = row == 0 ? "┌\(line)┐" : row == box.rows - 1 ? "└\(line)┘" : "│\(inside)│"
      write(text, at: Position(column: box.column, row: box.row + row))
    }
  }
}
