internal import Snapshotting

/// A line of a difference.
struct DiffLine: Equatable {
  enum Kind { case header, common, removed, added }

  struct Part: Equatable {
    var text: String
    var isChanged = false
  }

  var kind: Kind
  var parts: [Part]

  var text: String { parts.map(\.text).joined() }

  static func lines(of diff: LineDiff) -> [DiffLine] {
    let hunks = diff.hunks.flatMap { hunk in [header(hunk.header)] + lines(of: hunk) }
    return diff.notes.isEmpty ? hunks : hunks + [header("")] + diff.notes.map(header)
  }

  static func lines(ofNew text: String) -> [DiffLine] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      DiffLine(kind: .added, parts: [Part(text: visible(String(line), except: ["\t"]))])
    }
  }

  private static func header(_ text: String) -> DiffLine { DiffLine(kind: .header, parts: [Part(text: visible(text))]) }

  private static func lines(of hunk: LineDiff.Hunk) -> [DiffLine] {
    var lines: [DiffLine] = []
    var (removed, added) = ([Substring](), [Substring]())
    func flush() {
      guard !removed.isEmpty || !added.isEmpty else { return }
      let words = ChangedWords(removed: removed, added: added)
      lines += words.removed.map { line(.removed, $0) } + words.added.map { line(.added, $0) }
      (removed, added) = ([], [])
    }
    for next in hunk.lines {
      switch next.kind {
      case .removed:
        if !added.isEmpty { flush() }
        removed.append(next.text)
      case .added: added.append(next.text)
      case .common:
        flush()
        lines.append(line(.common, [Part(text: String(next.text))]))
      }
    }
    flush()
    return lines
  }

  private static func line(_ kind: Kind, _ parts: [Part]) -> DiffLine {
    let shown = parts.map { part in
      let text = visible(part.text, whitespace: part.isChanged, except: part.isChanged ? [] : ["\t"])
      return Part(text: text, isChanged: part.isChanged)
    }
    let endsInSpace = parts.last?.text.utf8.last == UInt8(ascii: " ")
    return DiffLine(kind: kind, parts: shown + (endsInSpace ? [Part(text: "¬")] : []))
  }

  /// Removed lines are beside the added lines that follow them; `nil` if there is none.
  static func pairs(of lines: [DiffLine]) -> [(old: DiffLine?, new: DiffLine?)] {
    var pairs: [(old: DiffLine?, new: DiffLine?)] = []
    var (old, new) = ([DiffLine](), [DiffLine]())
    func flush() {
      for index in 0..<max(old.count, new.count) {
        pairs.append((old.indices.contains(index) ? old[index] : nil, new.indices.contains(index) ? new[index] : nil))
      }
      (old, new) = ([], [])
    }
    for line in lines {
      switch line.kind {
      case .removed:
        if !new.isEmpty { flush() }
        old.append(line)
      case .added: new.append(line)
      case .header, .common:
        flush()
        pairs.append((line, line.kind == .header ? nil : line))
      }
    }
    flush()
    return pairs
  }
}
