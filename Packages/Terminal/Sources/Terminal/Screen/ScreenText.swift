extension Screen {
  /// The characters on the screen, one line a row, blanks at the ends of lines left out: what a snapshot compares.
  ///
  /// A wide character appears once. Styles are not shown; `styledText(color:)` has them.
  public var text: String {
    lines.map { line in
      let end = line.lastIndex { $0.character != " " }.map { $0 + 1 } ?? 0
      return String(line[..<end].compactMap(\.character))
    }.joined(separator: "\n")
  }

  /// The rows as text with colours and attributes, to be printed line by line by a command that has no full screen.
  ///
  /// Plain text when `color` is `.none`; each row begins and ends in the terminal's own look.
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
