extension Screen {
  /// The characters on the screen, one line for each row, without trailing blanks; for snapshot tests.
  ///
  /// A wide character appears once. Styles are omitted; `styledText(color:)` includes them.
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
