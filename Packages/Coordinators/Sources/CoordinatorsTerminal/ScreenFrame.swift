internal import Coordinators
internal import Terminal

struct ScreenFrame {
  var area: Area
  var outer: Area
  var box = Area(column: 0, row: 0, columns: 0, rows: 0)
  var isBoxed = false
  var tabRow: Int

  init(columns: Int, rows: Int, isModal: Bool) {
    // A title and an empty line above; an empty line, the tabs and the key hints below; fewer of them on a small screen.
    let above = rows > 6 ? 2 : rows > 2 ? 1 : 0
    let below = rows > 8 ? 3 : rows > 4 ? 2 : rows > 3 ? 1 : 0
    let margin = columns > 12 ? 1 : 0
    outer = Area(
      column: margin, row: above, columns: max(columns - 2 * margin, 0), rows: max(rows - above - below, 0))
    area = outer
    tabRow = rows > 4 ? rows - 2 : rows - 1
    guard isModal, columns >= 24, rows >= 12 else { return }
    isBoxed = true
    let inset = min(columns / 12, 8)
    box = Area(column: inset, row: above, columns: columns - 2 * inset, rows: rows - above - below)
    area = Area(column: box.column + 2, row: box.row + 2, columns: box.columns - 4, rows: box.rows - 3)
  }
}

extension TerminalShell {
  var frame: ScreenFrame {
    let isModal = navigation?.frontPath.contains { $0.modal != nil } ?? false
    return ScreenFrame(columns: size.columns, rows: size.rows, isModal: isModal)
  }
}
