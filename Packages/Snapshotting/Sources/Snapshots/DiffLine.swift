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

/// Returns a text with symbols for control characters, which a terminal interprets, and for characters that change the direction.
///
/// - Parameters:
///   - text: The text.
///   - whitespace: Whether spaces, tabs and characters without a width have symbols too.
///   - kept: Characters without a symbol.
func visible(_ text: String, whitespace: Bool = false, except kept: Set<Unicode.Scalar> = []) -> String {
  if !whitespace, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
  return text.unicodeScalars.map { scalar in
    kept.contains(scalar) ? String(scalar) : symbol(for: scalar, whitespace: whitespace) ?? String(scalar)
  }.joined()
}

private func symbol(for scalar: Unicode.Scalar, whitespace: Bool) -> String? {
  switch scalar.value {
  case 0x20: return whitespace ? "·" : nil
  case 0x09: return whitespace ? "→" : "␉"
  case 0x00...0x1F: return Unicode.Scalar(0x2400 + scalar.value).map { String($0) }
  case 0x21...0x7E: return nil
  case 0x7F: return "␡"
  case 0xA0: return whitespace ? "⍽" : nil
  // These change the direction of the following text, and can make two texts look alike.
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: return "<\(codePoint(scalar))>"
  default: break
  }
  switch scalar.properties.generalCategory {
  // Line and paragraph separators and C1 controls can end a line or begin a command in some terminals.
  case .control, .lineSeparator, .paragraphSeparator: return "<\(codePoint(scalar))>"
  case .spaceSeparator: return whitespace ? "<\(codePoint(scalar))>" : nil
  default: return whitespace && scalar.properties.isDefaultIgnorableCodePoint ? "<\(codePoint(scalar))>" : nil
  }
}
