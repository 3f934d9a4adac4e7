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

  /// Returns the lines of a difference, with visible control characters.
  static func lines(of diff: LineDiff) -> [DiffLine] {
    var format = LineDiff.Format()
    format.marksWords = true
    format.showsWhitespace = true
    format.includesNotes = false
    return diff.formatted(format).split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("@@") { return DiffLine(kind: .header, parts: [Part(text: String(line))]) }
      let text = line.dropFirst()
      return switch line.first {
      case "−": DiffLine(kind: .removed, parts: parts(of: text, between: "[−", and: "−]"))
      case "+": DiffLine(kind: .added, parts: parts(of: text, between: "{+", and: "+}"))
      default: DiffLine(kind: .common, parts: [Part(text: visible(text))])
      }
    }
  }

  /// Returns the lines of a text without a reference.
  static func lines(ofNew text: String) -> [DiffLine] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map {
      DiffLine(kind: .added, parts: [Part(text: visible($0))])
    }
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

  private static func parts(of text: Substring, between opening: String, and closing: String) -> [Part] {
    var parts: [Part] = []
    var rest = text
    while let start = rest.range(of: opening), let end = rest[start.upperBound...].range(of: closing) {
      parts.append(Part(text: visible(rest[..<start.lowerBound])))
      parts.append(Part(text: visible(rest[start.upperBound..<end.lowerBound]), isChanged: true))
      rest = rest[end.upperBound...]
    }
    parts.append(Part(text: visible(rest)))
    return parts.filter { !$0.text.isEmpty }
  }

  private static func visible(_ text: some StringProtocol) -> String {
    String(text.map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "␣" : $0 })
  }
}
