internal import Foundation
internal import Snapshotting

/// A line of a difference, in parts that are changed words or not.
struct DiffLine: Equatable {
  enum Kind { case header, common, removed, added }

  struct Part: Equatable {
    var text: String
    var isChanged = false
  }

  var kind: Kind
  var parts: [Part]

  var text: String { parts.map(\.text).joined() }

  /// Returns the lines of a difference, with visible control characters, and its notes.
  static func lines(of diff: LineDiff) -> [DiffLine] {
    lines(of: diff.formatted(.terminal)).map { line in
      let kinds: [(String, Kind)] = [("\u{1B}[2m", .common), ("\u{1B}[31m", .removed), ("\u{1B}[32m", .added)]
      guard let (start, kind) = kinds.first(where: { line.hasPrefix($0.0) }) else {
        return DiffLine(kind: .header, parts: parts(of: line.dropFirst(line.hasPrefix("\u{1B}[36m") ? 5 : 0)))
      }
      return DiffLine(kind: kind, parts: parts(of: line.dropFirst(start.count + 1)))
    }
  }

  /// Returns the lines of a text without a reference.
  static func lines(ofNew text: String) -> [DiffLine] {
    lines(of: text).map { DiffLine(kind: .added, parts: [Part(text: StatusReport.visible($0))]) }
  }

  /// Returns the lines of a text, also if they end with a carriage return and a line feed, which is one character.
  private static func lines(of text: String) -> [String] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  /// Returns the old and the new lines side by side.
  ///
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

  /// Returns the parts of a coloured line, in which changed words are in inverse video.
  ///
  /// The text of the line contains no escape characters.
  private static func parts(of line: Substring) -> [Part] {
    var (parts, isChanged) = ([Part](), false)
    let pieces = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
    for (index, piece) in pieces.enumerated() {
      var text = piece
      for (code, begins) in [("7m", true), ("27m", false), ("0m", false)] where index > 0 && text.hasPrefix(code) {
        text.removeFirst(code.count)
        isChanged = begins
        break
      }
      if !text.isEmpty { parts.append(Part(text: StatusReport.visible(String(text)), isChanged: isChanged)) }
    }
    return parts
  }
}
