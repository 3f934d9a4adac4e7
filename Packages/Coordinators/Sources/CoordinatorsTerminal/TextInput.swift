internal import Terminal

struct TextInput: Hashable, Sendable {
  private(set) var characters: [Character]
  private(set) var caret: Int
  /// Whether text beyond the maximum length was dropped since the last key that edits or moves the caret.
  ///
  /// Further text is dropped too, so that it cannot join the last character.
  private(set) var isCut = false

  /// The maximum number of characters for typed and pasted text; a longer value of the app is kept.
  static let maximumLength = 1_000

  init(_ text: String) {
    characters = Array(text)
    caret = characters.count
  }

  var text: String { String(characters) }

  mutating func insert(_ text: String) {
    for character in text {
      if isCut { return }
      if join(character) || character.displayWidth == 0 { continue }
      guard characters.count < Self.maximumLength else {
        isCut = true
        return
      }
      characters.insert(character, at: caret)
      caret += 1
    }
  }

  mutating func press(_ key: Key) -> Bool {
    if case .character(let character) = key {
      insert(String(character))
      return true
    }
    isCut = false
    switch key {
    case .backspace:
      if caret > 0 {
        characters.remove(at: caret - 1)
        caret -= 1
      }
    case .delete: if caret < characters.count { characters.remove(at: caret) }
    case .left: caret = max(caret - 1, 0)
    case .right: caret = min(caret + 1, characters.count)
    case .home: caret = 0
    case .end: caret = characters.count
    default: return false
    }
    return true
  }

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

  /// Keys arrive one Unicode scalar at a time.
  ///
  /// A combining mark, the joiner of an emoji and the emoji after it are therefore separate keys. Scalars beyond the
  /// maximum of a cell are dropped.
  private mutating func join(_ character: Character) -> Bool {
    guard caret > 0, !character.isASCII else { return false }
    let before = characters[caret - 1]
    let joined = "\(before)\(character)"
    guard joined.count == 1, let one = joined.first else { return false }
    if one.unicodeScalars.count <= Cell.maximumScalars { characters[caret - 1] = one }
    return true
  }
}
