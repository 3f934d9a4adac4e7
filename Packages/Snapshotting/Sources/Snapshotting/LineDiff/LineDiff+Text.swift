extension LineDiff {
  /// The hunks as text; empty for equal texts.
  ///
  /// A removed line begins with − (U+2212), an added line with +, and a common line with a figure space (U+2007). A line that ends in a
  /// space is followed by ¬. These are the bytes that swift-snapshot-testing writes. ``formatted()`` adds notes.
  public var text: String {
    var text: [UInt8] = []
    for hunk in hunks {
      if !text.isEmpty { text.append(UInt8(ascii: "\n")) }
      text += hunk.header.utf8
      hunk.forEachLine { kind, line in
        text.append(UInt8(ascii: "\n"))
        text += kind.mark.utf8
        text += line.bytes
        if line.bytes.last == UInt8(ascii: " ") { text += "¬".utf8 }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns ``text``, followed by an empty line and notes about invisible differences: line endings, the last newline, code points.
  public func formatted() -> String {
    let notes = notes
    return notes.isEmpty ? text : ([text, ""] + notes).joined(separator: "\n")
  }
}

extension LineDiff.Line.Kind {
  fileprivate var mark: String {
    switch self {
    case .common: "\u{2007}"
    case .removed: "\u{2212}"
    case .added: "+"
    }
  }
}
