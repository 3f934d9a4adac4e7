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
    let lines = hunk.lines.map { line in
      let kind: Kind =
        switch line.kind {
        case .removed: .removed
        case .added: .added
        case .common: .common
        }
      return DiffLine(kind: kind, parts: [Part(text: String(line.text))])
    }
    return changes(in: lines).flatMap { removed, added, next in
      let words = ChangedWords(removed: removed.map { $0.text[...] }, added: added.map { $0.text[...] })
      return words.removed.map { line(.removed, $0) } + words.added.map { line(.added, $0) }
        + (next.map { [line(.common, $0.parts)] } ?? [])
    }
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
    changes(in: lines).flatMap { removed, added, next in
      let pairs = (0..<max(removed.count, added.count)).map { index in
        (removed.dropFirst(index).first, added.dropFirst(index).first)
      }
      return pairs + (next.map { [($0, $0.kind == .header ? nil : $0)] } ?? [])
    }
  }

  /// Returns removed lines, the added lines that follow them, and the line after both.
  private static func changes(in lines: [DiffLine]) -> [(removed: [DiffLine], added: [DiffLine], next: DiffLine?)] {
    var changes = [(removed: [DiffLine](), added: [DiffLine](), next: DiffLine?.none)]
    for line in lines {
      let last = changes.count - 1
      switch line.kind {
      case .removed where changes[last].added.isEmpty: changes[last].removed.append(line)
      case .removed: changes.append(([line], [], nil))
      case .added: changes[last].added.append(line)
      case .header, .common:
        changes[last].next = line
        changes.append(([], [], nil))
      }
    }
    return changes
  }
}
