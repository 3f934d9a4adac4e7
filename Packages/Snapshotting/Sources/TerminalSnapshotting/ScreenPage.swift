public import Terminal
public import WebSnapshotting

extension WebPage {
  /// A page that shows a terminal's screen: a cell of 10×20 pixels for each of its cells, and the cursor as a box.
  public init(_ screen: Screen, theme: ScreenTheme = .dark) {
    let rows = (0..<screen.rows).map { row in ScreenMarkup(screen: screen, theme: theme, row: row).html }
    let css = """
      html { background: \(theme.background); color: \(theme.foreground); }
      body { margin: 0; font: 16px/20px 'DejaVu Sans Mono', monospace; }
      div { height: 20px; white-space: nowrap; overflow: hidden; }
      span { display: inline-block; height: 20px; vertical-align: top; white-space: pre; overflow: hidden; text-align: center; }
      """
    self.init(
      html: "<!DOCTYPE html><style>\(css)</style>" + rows.map { "<div>\($0)</div>" }.joined(),
      viewport: Viewport(width: max(1, screen.columns * 10), height: max(1, screen.rows * 20)))
  }
}

/// A row of a screen as HTML: a box for each cell, so that no letter's width moves another.
private struct ScreenMarkup {
  let screen: Screen
  let theme: ScreenTheme
  let row: Int

  var html: String {
    (0..<screen.columns).map { column in
      let position = Position(column: column, row: row)
      guard let cell = screen[position], let character = cell.character else { return "" }
      return "<span style=\"\(style(of: cell, at: position))\">\(escaped(character))</span>"
    }.joined()
  }

  private func style(of cell: Cell, at position: Position) -> String {
    let attributes = cell.style.attributes
    var (front, back) = (theme.css(cell.style.foreground), theme.css(cell.style.background))
    let isCursor = screen.cursor == position
    if attributes.contains(.inverse) != isCursor {
      (front, back) = (back ?? theme.background, front ?? theme.foreground)
    }
    var parts = ["width:\(cell.columns == 2 ? 20 : 10)px"]
    if let front { parts.append("color:\(front)") }
    if let back { parts.append("background:\(back)") }
    if attributes.contains(.bold) { parts.append("font-weight:bold") }
    if attributes.contains(.dim) { parts.append("opacity:.6") }
    if attributes.contains(.italic) { parts.append("font-style:italic") }
    if attributes.contains(.underline) { parts.append("text-decoration:underline") }
    return parts.joined(separator: ";")
  }

  private func escaped(_ character: Character) -> String {
    switch character {
    case "<": "&lt;"
    case ">": "&gt;"
    case "&": "&amp;"
    default: String(character)
    }
  }
}
