package struct SourceEdit: Equatable, Codable {
  package let range: Range<Int>
  package let replacement: [UInt8]
}

package struct InlineCall {
  private let source: [UInt8]
  private let tokens: [SwiftToken]
  /// The index of the token `(`.
  private let opening: Int
  private let place: String

  /// Finds the call whose argument list begins at a line and a column.
  ///
  /// - Throws: ``SnapshotError`` when the call is missing, because the source has changed since it was compiled.
  package init(
    in source: [UInt8], tokens: [SwiftToken], path: String, line: UInt, column: UInt
  ) throws(SnapshotError) {
    place = "\(path):\(line):\(column)"
    guard let offset = SourceLines(source).offset(line: line, column: column),
      let opening = tokens.firstIndex(where: { $0.range.lowerBound == offset && $0.kind == .sign(UInt8(ascii: "(")) }),
      opening > 0, tokens[opening - 1].kind == .word
    else { throw Self.changed("no call at \(place)") }
    self.source = source
    self.tokens = tokens
    self.opening = opening
  }

  private func text(_ token: SwiftToken) -> String { String(decoding: source[token.range], as: UTF8.self) }

  package enum Target {
    case closure(Closure)
    case argument(String)
  }

  /// A trailing closure, or a closure with a label.
  package struct Closure: Codable, Sendable {
    let label: String
    /// Labels that are found and not written.
    let otherLabels: [String]
    /// The number of trailing closures before it.
    let offset: Int

    package init(label: String = "matches", otherLabels: [String] = [], offset: Int = 0) {
      self.label = label
      self.otherLabels = otherLabels
      self.offset = offset
    }

    /// Whether the closure can be written: a document of a pending snapshot can contain anything.
    fileprivate var isValid: Bool {
      (0..<100).contains(offset) && !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
  }

  /// Replaces or adds the text of a call.
  ///
  /// - Throws: ``SnapshotError`` if the source differs from the compiled one, or contains more than a literal.
  package func edit(newText: String, expected: String?, target: Target) throws(SnapshotError) -> SourceEdit {
    guard let closing = tokens.closing(of: opening) else { throw Self.changed("the call at \(place) is not closed") }
    let (indentation, unit) = (indentation(of: opening), indentationUnit)
    let literal = StringLiterals.literal(of: newText, indentation: indentation + unit)
    switch target {
    case .argument(let label):
      guard let position = argument(labelled: [label], before: closing), case .string = tokens[position].kind,
        tokens.isSign(",", at: position + 1) || position + 1 == closing
      else {
        throw SnapshotError(
          "Cannot rewrite the inline snapshot at \(place): `\(label)` is not a string literal. Replace it by one, and run "
            + "the test again.")
      }
      try check(tokens[position], expected, of: "`\(label)`")
      let text = literal.drop { $0 == " " || $0 == "\t" }
      return SourceEdit(range: tokens[position].range, replacement: lineEnded(String(text)))
    case .closure(let closure):
      guard closure.isValid else {
        throw SnapshotError(
          "Cannot record the inline snapshot at \(place): a closure cannot have the label "
            + "\(closure.label.debugDescription) and the offset \(closure.offset). Correct the "
            + "`InlineSnapshotSyntaxDescriptor`: a label has letters, digits and underscores, and an offset is from 0 to 99."
        )
      }
      return try edit(closure, lineEnded("{\n\(literal)\n\(indentation)}"), expected, closing)
    }
  }

  func line(of closure: Closure) -> UInt? {
    guard let closing = tokens.closing(of: opening),
      let found = find(closure, closing, onAnyLine: true)
    else { return nil }
    let offset = tokens[found.lowerBound].range.lowerBound
    return UInt(source[..<offset].count { $0 == UInt8(ascii: "\n") }) + 1
  }

  private func find(_ closure: Closure, _ closing: Int, onAnyLine: Bool) -> ClosedRange<Int>? {
    let labels = [closure.label] + closure.otherLabels
    if let start = argument(labelled: labels, before: closing), tokens.isSign("{", at: start),
      let end = tokens.closing(of: start)
    {
      return start...end
    }
    let closures = trailingClosures(after: closing, onAnyLine: onAnyLine)
    let offset = closure.offset
    guard offset < closures.count, closures[offset].label.map(labels.contains) ?? (offset == 0) else { return nil }
    return closures[offset].tokens
  }

  private func edit(
    _ closure: Closure, _ replacement: [UInt8], _ expected: String?, _ closing: Int
  ) throws(SnapshotError) -> SourceEdit {
    if let old = find(closure, closing, onAnyLine: expected != nil) {
      return SourceEdit(range: try replaced(old, expected), replacement: replacement)
    }
    let closures = trailingClosures(after: closing, onAnyLine: expected != nil)
    let offset = closure.offset
    guard expected == nil else { throw Self.changed("the closure of the call at \(place) is missing") }
    guard closures.count == offset else {
      throw SnapshotError(
        "Cannot record the inline snapshot at \(place): it must be trailing closure \(offset + 1), but the call has "
          + "\(closures.count). Write the closures before it first."
      )
    }
    let end = tokens[closures.last?.tokens.upperBound ?? closing].range.upperBound
    let label = offset == 0 ? "" : "\(closure.label): "
    return SourceEdit(range: end..<end, replacement: Array(" \(label)".utf8) + replacement)
  }

  private func replaced(_ closure: ClosedRange<Int>, _ expected: String?) throws(SnapshotError) -> Range<Int> {
    let content = tokens[(closure.lowerBound + 1)..<closure.upperBound]
    guard let expected, content.count <= 1 else {
      throw expected == nil
        ? Self.changed("the call at \(place) now has a closure")
        : SnapshotError(
          "Cannot rewrite the inline snapshot at \(place): its closure contains more than a string literal. Remove the "
            + "rest, and run the test again.")
    }
    if let token = content.first { try check(token, expected, of: "its closure") }
    return tokens[closure.lowerBound].range.lowerBound..<tokens[closure.upperBound].range.upperBound
  }

  private func check(_ token: SwiftToken, _ expected: String?, of part: String) throws(SnapshotError) {
    guard let value = StringLiterals.value(of: token, in: source) else {
      throw SnapshotError(
        """
        Cannot rewrite the inline snapshot at \(place): \(part) is not one string literal without interpolation. \
        Replace it by such a literal, and run the test again.
        """)
    }
    guard let expected, value.utf8.elementsEqual(expected.utf8) else {
      throw Self.changed("the literal at \(place) differs from the one that was compared")
    }
  }

  static func changed(_ what: String) -> SnapshotError {
    SnapshotError(
      "Cannot record the inline snapshot: the source has changed since it was compiled (\(what)). Run the test again.")
  }

  private func argument(labelled labels: [String], before closing: Int) -> Int? {
    var position = opening + 1
    while position < closing {
      if tokens[position].kind == .word, labels.contains(text(tokens[position])), tokens.isSign(":", at: position + 1) {
        return position + 2
      }
      if tokens.isSign("(", at: position) || tokens.isSign("[", at: position) || tokens.isSign("{", at: position),
        let end = tokens.closing(of: position)
      {
        position = end
      }
      position += 1
    }
    return nil
  }

  /// The closures behind the parenthesis.
  ///
  /// - Parameter onAnyLine: Whether the first closure may begin on another line; only for a call that has a closure.
  private func trailingClosures(
    after closing: Int, onAnyLine: Bool
  ) -> [(label: String?, tokens: ClosedRange<Int>)] {
    var closures: [(label: String?, tokens: ClosedRange<Int>)] = []
    var position = closing + 1
    // On another line a brace may begin something else.
    if tokens.isSign("{", at: position), onAnyLine || !hasLineEnd(between: closing, and: position),
      let end = tokens.closing(of: position)
    {
      closures.append((nil, position...end))
      position = end + 1
    }
    while !closures.isEmpty, position < tokens.count, tokens[position].kind == .word,
      tokens.isSign(":", at: position + 1),
      tokens.isSign("{", at: position + 2), let end = tokens.closing(of: position + 2)
    {
      closures.append((text(tokens[position]), (position + 2)...end))
      position = end + 1
    }
    return closures
  }

  private func hasLineEnd(between first: Int, and second: Int) -> Bool {
    source[tokens[first].range.upperBound..<tokens[second].range.lowerBound].contains(UInt8(ascii: "\n"))
  }

  /// The indentation of a token's line.
  ///
  /// For a call of several lines, the indentation of its last line.
  private func indentation(of opening: Int) -> String {
    let end = tokens.closing(of: opening).map { tokens[$0].range.lowerBound } ?? tokens[opening].range.lowerBound
    let start = source[..<end].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let blanks = source[start...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return String(decoding: blanks, as: UTF8.self)
  }

  /// The value of a literal is the same with either kind of line end.
  private func lineEnded(_ text: String) -> [UInt8] {
    let end = source.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    guard end > 0, source[end - 1] == UInt8(ascii: "\r") else { return Array(text.utf8) }
    return text.utf8.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }
  }

  /// One step of the file's indentation: a tab if it uses those, or the fewest spaces that a line of code begins with.
  private var indentationUnit: String {
    var fewest = Int.max
    for token in tokens {
      let start = source[..<token.range.lowerBound].lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      guard let start, source[start] == UInt8(ascii: "\n") else { continue }
      let blanks = source[(start + 1)..<token.range.lowerBound]
      if blanks.contains(UInt8(ascii: "\t")) { return "\t" }
      if blanks.count >= 2 { fewest = min(fewest, blanks.count) }
    }
    return String(repeating: " ", count: fewest <= 8 ? fewest : 2)
  }
}
