import TestSupport

/// Pairs of texts that are difficult for a line diff.
extension Generator where Value == TextPair {
  /// A text and an edited text: with removed, added, changed, moved and repeated lines, and all line endings.
  static var editedTexts: Generator {
    let edits = Generator<[Edit]>.array(of: .edit, count: 0...8)
    return Generator { choices throws(GeneratorError) in
      let lines = try choices.draw(.lines(0...40))
      var edited = lines
      for edit in try choices.draw(edits) { edit.apply(to: &edited) }
      return TextPair(
        old: lines.text(endingIn: try choices.draw(.lineEnd)), new: edited.text(endingIn: try choices.draw(.lineEnd)))
    }
  }

  /// Two unrelated texts with lines that often repeat.
  static var strangers: Generator {
    Generator { choices throws(GeneratorError) in
      let (old, new) = (try choices.draw(.lines(0...30)), try choices.draw(.lines(0...30)))
      return TextPair(
        old: old.text(endingIn: try choices.draw(.lineEnd)), new: new.text(endingIn: try choices.draw(.lineEnd)))
    }
  }
}

struct TextPair: CustomStringConvertible {
  var old: String
  var new: String

  var description: String { "\(old.debugDescription) → \(new.debugDescription)" }
}

/// An edit of the lines of a text.
struct Edit {
  enum Kind: CaseIterable { case remove, insert, replace, move, duplicate, swapEnds }
  var kind: Kind
  var place: Int
  var count: Int
  var line: String

  func apply(to lines: inout [String]) {
    let from = lines.isEmpty ? 0 : place % lines.count
    let range = from..<min(from + count, lines.count)
    switch kind {
    case .remove: lines.removeSubrange(range)
    case .insert: lines.insert(contentsOf: Array(repeating: line, count: count), at: from)
    case .replace: lines.replaceSubrange(range, with: [line])
    case .duplicate: lines.insert(contentsOf: lines[range], at: from)
    case .swapEnds: lines = Array(lines[from...] + lines[..<from])
    case .move:
      let moved = Array(lines[range])
      lines.removeSubrange(range)
      lines.insert(contentsOf: moved, at: lines.isEmpty ? 0 : (place / 7) % (lines.count + 1))
    }
  }
}

extension Generator where Value == Edit {
  static var edit: Generator {
    Generator { choices throws(GeneratorError) in
      Edit(
        kind: try choices.draw(.element(of: Edit.Kind.allCases)), place: try choices.draw(.int(in: 0...999)),
        count: try choices.draw(.int(in: 1...6)), line: try choices.draw(.line))
    }
  }
}

extension Generator where Value == String {
  /// One of a few lines, so that lines repeat.
  ///
  /// Some differ only in invisible characters.
  static var line: Generator {
    let plain = Generator.element(of: ["a", "b", "", "}", "  return"])
    let many = Generator<Int>.int(in: 0...30).map { "line \($0)" }
    let strange = Generator.element(of: [
      "é", "e\u{301}", "a ", "a\u{A0}", "\t", "a\r", "\u{0}", "\u{2212}a", "+a", "\u{2007}", "👩‍👧", "a\u{200B}",
    ])
    return .frequency([(6, plain), (3, many), (1, strange)])
  }

  static var lineEnd: Generator { .element(of: ["\n", "", "\r\n", "\n\n"]) }
}

extension Generator where Value == [String] {
  static func lines(_ count: ClosedRange<Int>) -> Generator { .array(of: .line, count: count) }
}

extension [String] {
  func text(endingIn end: String) -> String { joined(separator: "\n") + end }
}
