internal import Terminal

/// One line of text with a caret, as a value.
struct TextInput: Hashable, Sendable {
  private(set) var characters: [Character]
  private(set) var caret: Int

  /// How long a text can become; a paste of a book is cut.
  static let longest = 1_000

  init(_ text: String) {
    characters = Array(text.prefix(Self.longest))
    caret = characters.count
  }

  var text: String { String(characters) }

  /// Puts text in at the caret, its control characters and line breaks left out.
  mutating func insert(_ text: String) {
    for character in text where character.displayWidth > 0 && characters.count < Self.longest {
      characters.insert(character, at: caret)
      caret += 1
    }
    joinMarks(text)
  }

  /// Does what a key does in a text.
  ///
  /// - Returns: Whether it does anything there; a key that does not means something else.
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
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

  /// The part around the caret that fits into a width, and the caret's column in it.
  func window(columns: Int, isSecret: Bool) -> (text: String, caret: Int) {
    let shown = isSecret ? characters.map { _ in Character("•") } : characters
    var start = caret
    var width = 0
    // The caret needs a column of its own.
    while start > 0, width + shown[start - 1].displayWidth < columns {
      start -= 1
      width += shown[start].displayWidth
    }
    return (String(shown[start...]).truncated(toColumns: columns, ellipsis: "…"), width)
  }

  /// A combining mark comes as a key of its own, without a width: it belongs to the character before.
  private mutating func joinMarks(_ text: String) {
    guard caret > 0, text.count == 1, let mark = text.first, mark.displayWidth == 0,
      mark.unicodeScalars.allSatisfy({ $0.properties.isGraphemeExtend })
    else { return }
    let joined = String(characters[caret - 1]) + text
    if joined.count == 1 { characters[caret - 1] = Character(joined) }
  }
}
