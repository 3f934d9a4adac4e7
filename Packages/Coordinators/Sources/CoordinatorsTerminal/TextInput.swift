internal import Terminal

/// The text of a field with its caret.
struct TextInput: Hashable, Sendable {
  private(set) var characters: [Character]
  private(set) var caret: Int
  private let isMultiline: Bool

  init(_ text: String, isMultiline: Bool = false) {
    characters = Array(text)
    caret = characters.count
    self.isMultiline = isMultiline
  }

  var text: String { String(characters) }

  /// The keys of a field for text, as in most shells and editors.
  static func keys(
    _ texts: TerminalTexts
  ) -> [(name: String, keys: [KeyPress], text: String, edit: @Sendable (inout TextInput) -> Void)] {
    [
      ("Ctrl-A", [.home, .control("a")], texts.lineStart, { $0.move(to: $0.lineStart) }),
      ("Ctrl-E", [.end, .control("e")], texts.lineEnd, { $0.move(to: $0.lineEnd) }),
      (
        "Alt-B", [.alt("b"), .init(.left, .control), .init(.left, .alt)], texts.wordLeft, { $0.move(to: $0.wordStart) }
      ),
      (
        "Alt-F", [.alt("f"), .init(.right, .control), .init(.right, .alt)], texts.wordRight, { $0.move(to: $0.wordEnd) }
      ),
      ("Ctrl-W", [.control("w")], texts.deleteWord, { $0.delete(to: $0.wordStart) }),
      ("Ctrl-U", [.control("u")], texts.deleteToStart, { $0.delete(to: $0.lineStart) }),
      ("Ctrl-K", [.control("k")], texts.deleteToEnd, { $0.delete(to: $0.lineEnd) }),
      ("", [.left, .control("b")], "", { $0.move(to: $0.caret - 1) }),
      ("", [.right, .control("f")], "", { $0.move(to: $0.caret + 1) }),
      ("", [.backspace, .control("h")], "", { $0.delete(to: $0.caret - 1) }),
      ("", [KeyPress(.delete), .control("d")], "", { $0.delete(to: $0.caret + 1) }),
    ]
  }

  /// Inserts a text at the caret; in one line, with a space for each line break and tab.
  mutating func insert(_ text: String) {
    let typed = text.map { $0.isNewline ? (isMultiline ? "\n" : " ") : $0 == "\t" ? " " : $0 }
    // Keys arrive one Unicode scalar at a time, so that a mark or the rest of an emoji joins the character before it.
    let head = Array(String(characters[..<caret]) + String(typed)).filter { $0.displayWidth > 0 || $0 == "\n" }
    characters = head + characters[caret...]
    caret = head.count
  }

  mutating func move(to index: Int) { caret = min(max(index, 0), characters.count) }

  /// Deletes the text between the caret and an index.
  mutating func delete(to index: Int) {
    let before = caret
    move(to: index)
    characters.removeSubrange(min(before, caret)..<max(before, caret))
    caret = min(before, caret)
  }

  var lineStart: Int { characters[..<caret].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }
  var lineEnd: Int { characters[caret...].firstIndex(of: "\n") ?? characters.count }

  var wordStart: Int {
    let end = characters[..<caret].lastIndex { $0.isLetter || $0.isNumber } ?? 0
    return characters[..<end].lastIndex { !($0.isLetter || $0.isNumber) }.map { $0 + 1 } ?? 0
  }

  var wordEnd: Int {
    let start = characters[caret...].firstIndex { $0.isLetter || $0.isNumber } ?? characters.count
    return characters[start...].firstIndex { !($0.isLetter || $0.isNumber) } ?? characters.count
  }

  /// Moves the caret to the line that contains an index, and to the same column if possible.
  mutating func move(toLineFrom index: Int) {
    guard (0...characters.count).contains(index) else { return }
    let column = caret - lineStart
    caret = index
    caret = min(lineStart + column, lineEnd)
  }

  /// Returns the part of one line around the caret, and the column of the caret in it.
  func window(columns: Int, isSecret: Bool) -> (text: String, caret: Int) {
    let shown = isSecret ? characters.map { _ in Character("•") } : characters
    var start = caret
    var width = 0
    // The caret needs one column.
    while start > 0, width + shown[start - 1].displayWidth < columns {
      start -= 1
      width += shown[start].displayWidth
    }
    return (String(shown[start...]).truncated(toColumns: columns, ellipsis: "…"), width)
  }

  /// Returns the wrapped lines around the caret, and the position of the caret in them.
  func window(columns: Int, rows: Int) -> (lines: [String], caret: Position) {
    var lines = [""]
    var width = 0
    var position = Position(column: 0, row: 0)
    for (index, character) in characters.enumerated() {
      if character != "\n", width + character.displayWidth >= columns { (lines, width) = (lines + [""], 0) }
      if index == caret { position = Position(column: width, row: lines.count - 1) }
      if character == "\n" {
        (lines, width) = (lines + [""], 0)
      } else {
        lines[lines.count - 1].append(character)
        width += character.displayWidth
      }
    }
    if caret == characters.count { position = Position(column: width, row: lines.count - 1) }
    let first = min(max(position.row - rows + 1, 0), max(lines.count - rows, 0))
    position.row -= first
    return (Array(lines[first...].prefix(rows)), position)
  }
}
