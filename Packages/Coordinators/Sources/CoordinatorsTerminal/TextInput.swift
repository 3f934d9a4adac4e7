internal import Terminal

/// One line of text with a caret, as a value.
struct TextInput: Hashable, Sendable {
  private(set) var characters: [Character]
  private(set) var caret: Int
  /// Whether something was left out since there was no more room: what comes next is not for the character before that.
  private var isCut = false

  /// How long a text can become; a paste of a book is cut.
  static let longest = 1_000

  init(_ text: String) {
    characters = Array(text.prefix(Self.longest))
    caret = characters.count
  }

  var text: String { String(characters) }

  /// Puts text in at the caret, its control characters and line breaks left out; what comes after the longest text is not
  /// looked at.
  mutating func insert(_ text: String) {
    for character in text {
      if isCut { return }
      if join(character) || character.displayWidth == 0 { continue }
      guard characters.count < Self.longest else {
        isCut = true
        return
      }
      characters.insert(character, at: caret)
      caret += 1
    }
  }

  /// Does what a key does in a text.
  ///
  /// - Returns: Whether it does anything there; a key that does not means something else.
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

  /// Makes one character of the one before the caret and another, where they are one: keys come a scalar at a time, so a
  /// combining mark, the joiner of an emoji, and what it joins, are keys of their own.
  private mutating func join(_ character: Character) -> Bool {
    guard caret > 0, !character.isASCII else { return false }
    let before = characters[caret - 1]
    let joined = "\(before)\(character)"
    guard joined.count == 1, let one = joined.first else { return false }
    if one.unicodeScalars.count <= Cell.mostScalars { characters[caret - 1] = one }
    return true
  }
}
