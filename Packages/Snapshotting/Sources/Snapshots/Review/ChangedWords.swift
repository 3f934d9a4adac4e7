internal import Snapshotting

struct ChangedWords {
  let removed: [[DiffLine.Part]]
  let added: [[DiffLine.Part]]

  init(removed old: [Substring], added new: [Substring]) {
    guard !old.isEmpty, !new.isEmpty else {
      removed = old.map { [DiffLine.Part(text: String($0))] }
      added = new.map { [DiffLine.Part(text: String($0))] }
      return
    }
    let (oldWords, newWords) = (old.map(words(of:)), new.map(words(of:)))
    var isRemoved = oldWords.map { $0.map { _ in false } + [false] }.flatMap(\.self)
    var isAdded = newWords.map { $0.map { _ in false } + [false] }.flatMap(\.self)
    for hunk in LineDiff(old: Self.text(oldWords), new: Self.text(newWords)).hunks {
      var (oldWord, newWord) = (hunk.oldLines.lowerBound, hunk.newLines.lowerBound)
      for line in hunk.lines {
        if line.kind == .removed { isRemoved[oldWord] = true }
        if line.kind == .added { isAdded[newWord] = true }
        if line.kind != .added { oldWord += 1 }
        if line.kind != .removed { newWord += 1 }
      }
    }
    removed = Self.parts(oldWords, isRemoved)
    added = Self.parts(newWords, isAdded)
  }

  /// Each word on a line, and an empty line at the end of each line.
  private static func text(_ lines: [[Word]]) -> String {
    lines.map { line in line.map { "\($0.text)\n" }.joined() }.joined(separator: "\n")
  }

  private static func parts(_ lines: [[Word]], _ isChanged: [Bool]) -> [[DiffLine.Part]] {
    var start = 0
    return lines.map { words in
      defer { start += words.count + 1 }
      return parts(words, isChanged[start..<start + words.count])
    }
  }

  /// Returns the parts of a line; one unchanged part if most of the line differs.
  private static func parts(_ words: [Word], _ isChanged: ArraySlice<Bool>) -> [DiffLine.Part] {
    let isChanged = Array(isChanged)
    var parts: [DiffLine.Part] = []
    var (common, all) = (0, 0)
    for (index, word) in words.enumerated() {
      let length = word.kind == .space ? 0 : word.text.utf8.count
      all += length
      if !isChanged[index] { common += length }
      // A space or a mark between two changed words is marked with them.
      let isBetween = index > 0 && index + 1 < words.count && isChanged[index - 1] && isChanged[index + 1]
      let isMarked = isChanged[index] || isBetween && word.kind != .word && word.text.utf8.count == 1
      if let last = parts.last, last.isChanged == isMarked {
        parts[parts.count - 1].text += word.text
      } else {
        parts.append(DiffLine.Part(text: String(word.text), isChanged: isMarked))
      }
    }
    return 3 * common >= all ? parts : [DiffLine.Part(text: words.map(\.text).joined())]
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
