internal import Snapshotting

/// The words that differ between removed lines and the added lines in their places.
///
/// A removed line is compared with the added line that resembles it most, after those of the removed lines before it. Other lines
/// are shown without marks.
struct ChangedWords {
  private(set) var removed: [[DiffLine.Part]]
  private(set) var added: [[DiffLine.Part]]

  init(removed old: [Substring], added new: [Substring]) {
    removed = old.map { [DiffLine.Part(text: String($0))] }
    added = new.map { [DiffLine.Part(text: String($0))] }
    // Marks in a large block help nobody, and finding them takes long.
    guard old.count <= 200, new.count <= 200, (old + new).reduce(0, { $0 + $1.utf8.count }) <= 20_000 else { return }
    let newWords = new.map(words(of:))
    var next = 0
    for (line, words) in old.map(words(of:)).enumerated() {
      let likeness = newWords.dropFirst(next).map { Self.likeness(words, $0) }
      guard let most = likeness.max(), let place = likeness.firstIndex(of: most),
        2 * most >= words.reduce(0, { $0 + $1.length })
      else { continue }
      let newLine = next + place
      next = newLine + 1
      var (isRemoved, isAdded) = (words.map { _ in false }, newWords[newLine].map { _ in false })
      for change in LineDiff(old: Self.text(words), new: Self.text(newWords[newLine])).changes {
        for word in change.old { isRemoved[word] = true }
        for word in change.new { isAdded[word] = true }
      }
      removed[line] = Self.parts(words, isRemoved)
      added[newLine] = Self.parts(newWords[newLine], isAdded)
    }
  }

  private static func text(_ words: [Word]) -> String { words.map { "\($0.text)\n" }.joined() }

  /// Returns the number of bytes in common words, without white space.
  private static func likeness(_ old: [Word], _ new: [Word]) -> Int {
    var left: [Substring: Int] = [:]
    for word in new { left[word.text, default: 0] += 1 }
    return old.reduce(0) { sum, word in
      left[word.text, default: 0] -= 1
      return sum + (left[word.text, default: 0] >= 0 ? word.length : 0)
    }
  }

  private static func parts(_ words: [Word], _ isChanged: [Bool]) -> [DiffLine.Part] {
    var parts: [DiffLine.Part] = []
    for (index, word) in words.enumerated() {
      // A space or a mark between two changed words is marked with them.
      let isBetween = index > 0 && index + 1 < words.count && isChanged[index - 1] && isChanged[index + 1]
      let isMarked = isChanged[index] || isBetween && word.kind != .word && word.text.utf8.count == 1
      if let last = parts.last, last.isChanged == isMarked {
        parts[parts.count - 1].text += word.text
      } else {
        parts.append(DiffLine.Part(text: String(word.text), isChanged: isMarked))
      }
    }
    return parts
  }
}

/// A run of letters and digits, a run of white space, or a single mark.
private struct Word {
  enum Kind {
    case space, word, mark
    /// An accent, a joiner or a variation selector, which belongs to the character before.
    case continuation

    init(_ scalar: Unicode.Scalar) {
      switch scalar.properties.generalCategory {
      case _ where scalar.properties.isWhitespace: self = .space
      case .format: self = scalar == "\u{200D}" ? .continuation : .space
      case .nonspacingMark, .enclosingMark: self = .continuation
      case _ where scalar == "_" || !scalar.isASCII || scalar.properties.isAlphabetic: self = .word
      case .decimalNumber: self = .word
      default: self = .mark
      }
    }
  }

  let kind: Kind
  var text: Substring

  /// The number of bytes; 0 for white space.
  var length: Int { kind == .space ? 0 : text.utf8.count }
}

private func words(of line: Substring) -> [Word] {
  var words: [Word] = []
  for index in line.unicodeScalars.indices {
    let kind = Word.Kind(line.unicodeScalars[index])
    let end = line.unicodeScalars.index(after: index)
    if let last = words.last, kind == .continuation || kind == last.kind && kind != .mark {
      words[words.count - 1].text = Substring(line.unicodeScalars[last.text.startIndex..<end])
    } else {
      words.append(Word(kind: kind, text: Substring(line.unicodeScalars[index..<end])))
    }
  }
  return words
}
