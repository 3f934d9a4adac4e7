extension LineDiff {
  /// The hunks as text; empty for equal texts.
  ///
  /// A removed line begins with − (U+2212), an added line with +, and a common line with a figure space (U+2007). A line that ends in a
  /// space is followed by ¬. These are the bytes that swift-snapshot-testing writes. ``formatted()`` adds notes.
  public var text: String {
    var lines: [UInt8] = []
    for hunk in hunks {
      if !lines.isEmpty { lines.append(UInt8(ascii: "\n")) }
      lines.append(contentsOf: hunk.header.utf8)
      append(hunk, to: &lines)
    }
    return String(decoding: lines, as: UTF8.self)
  }

  private func append(_ hunk: Hunk, to lines: inout [UInt8]) {
    withBytes { oldBytes, newBytes in
      hunk.forEachRun { kind, run in
        let (table, bytes) = kind == .added ? (new, newBytes) : (old, oldBytes)
        for line in run {
          let text = bytes[table.bytes(of: line)]
          lines.append(UInt8(ascii: "\n"))
          lines.append(contentsOf: kind.mark.utf8)
          lines.append(contentsOf: text)
          if text.last == UInt8(ascii: " ") { lines.append(contentsOf: "¬".utf8) }
        }
      }
    }
  }

  /// Returns ``text``, followed by an empty line and notes about invisible differences: line endings, the last newline, code points.
  public func formatted() -> String {
    let notes = notes
    return notes.isEmpty ? text : ([text, ""] + notes).joined(separator: "\n")
  }

  func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    var (oldText, newText) = (old.text, new.text)
    return oldText.withUTF8 { oldBytes in newText.withUTF8 { newBytes in body(oldBytes, newBytes) } }
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
