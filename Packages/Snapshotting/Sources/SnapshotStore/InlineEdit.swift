internal import Foundation

/// A trailing closure of a call, or a closure with a label in its parentheses.
package struct InlineClosure: Codable, Hashable, Sendable {
  package let label: String
  /// Labels that are found and not written.
  package let otherLabels: [String]
  /// The number of closures before it; those at the end of the parentheses count too.
  package let offset: Int

  package init(label: String = "matches", otherLabels: [String] = [], offset: Int = 0) {
    (self.label, self.otherLabels, self.offset) = (label, otherLabels, offset)
  }
}

/// A new text for the closure of a call.
package struct InlineEdit: Codable, Equatable, Sendable {
  /// The place of the call's argument list, its first bracket, as `#line` and `#column` have it.
  package let line: UInt
  package let column: UInt
  package let closure: InlineClosure
  /// Whether the call had no closure.
  package let isNew: Bool
  package let text: String

  package init(line: UInt, column: UInt, closure: InlineClosure, isNew: Bool, text: String) {
    (self.line, self.column, self.closure, self.isNew, self.text) = (line, column, closure, isNew, text)
  }

  /// The key of the snapshot in a source with a path.
  package func key(in path: String) -> String { "\(path):\(line):\(column):\(closure.offset)" }

  func isSameCall(as other: InlineEdit) -> Bool { (line, column) == (other.line, other.column) }

  func isSameClosure(as other: InlineEdit) -> Bool { isSameCall(as: other) && closure == other.closure }

  /// Returns a source with the texts of edits; each other byte stays.
  ///
  /// Later calls are changed first, so that the places of the others stay valid.
  ///
  /// - Throws: ``SnapshotError`` if a call or its closure is missing, or if the closure contains more than a literal.
  static func applying(_ edits: [InlineEdit], to source: Data, of path: String) throws(SnapshotError) -> Data {
    var bytes = Array(source)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let sorted = edits.sorted {
      ($1.line, $1.column, $0.closure.offset) < ($0.line, $0.column, $1.closure.offset)
    }
    for edit in sorted {
      let (range, replacement) = try InlineCall(edit, in: bytes, lines, of: path).change(by: edit)
      bytes.replaceSubrange(range, with: replacement)
    }
    return Data(bytes)
  }
}

/// The call of an inline snapshot in a source.
private struct InlineCall {
  private let scanner: SwiftScanner
  private let opening: Int
  /// The end of the parentheses, or of the first trailing closure of a call without them.
  private let argumentsEnd: Int
  private let closures: [(label: String?, range: Range<Int>)]
  private let place: String
  /// The lines before any edit; they begin where those of the source begin, up to the line of the call.
  private let lines: [ArraySlice<UInt8>]

  /// Finds the call whose argument list begins at a place: parentheses, a subscript, or the first trailing closure.
  init(
    _ edit: InlineEdit, in source: [UInt8], _ lines: [ArraySlice<UInt8>], of path: String
  ) throws(SnapshotError) {
    place = "\(path):\(edit.line):\(edit.column)"
    (scanner, self.lines) = (SwiftScanner(source: source), lines)
    guard let opening = Self.offset(edit.line, edit.column, in: lines), let list = scanner.group(at: opening) else {
      throw SnapshotError(
        """
        Cannot record the inline snapshot: no call can be read at \(place). If the source has changed since it was \
        compiled, run the test again. A comment in a comment, and a regular expression with a \
        single bracket or quote or with `//`, cannot be read: move it out of the call.
        """)
    }
    (self.opening, argumentsEnd) = (opening, list.end)
    var position = opening
    var found: [(String?, Range<Int>)] = []
    if scanner.byte(opening) != UInt8(ascii: "{") {
      found = Self.closures(at: list.tokens, scanner)
      position = list.end
    }
    // The first trailing closure has no label.
    if let first = scanner.token(at: position), first.kind == .group(UInt8(ascii: "{")) {
      found.append((nil, first.range))
      position = first.range.upperBound
      while let label = scanner.token(at: position), label.kind == .word,
        let colon = scanner.token(at: label.range.upperBound), colon.kind == .sign(UInt8(ascii: ":")),
        let closure = scanner.token(at: colon.range.upperBound), closure.kind == .group(UInt8(ascii: "{"))
      {
        found.append((scanner.text(label), closure.range))
        position = closure.range.upperBound
      }
    }
    closures = found
  }

  /// Returns the range to replace, and the new bytes.
  func change(by edit: InlineEdit) throws(SnapshotError) -> (Range<Int>, [UInt8]) {
    let closure = edit.closure
    let old = find(closure)
    guard (old == nil) == edit.isNew, closure.offset <= closures.count else {
      throw SnapshotError(
        """
        Cannot record the inline snapshot at \(place): it is closure \(closure.offset + 1), with the label \
        \(closure.label), and the call has \(closures.count). Correct the `InlineSnapshotSyntaxDescriptor` of \
        the helper. If the source has changed since it was compiled, run the test again.
        """)
    }
    // A closure in parentheses can be on a line of its own.
    let isArgument = old.map { $0.upperBound < argumentsEnd } ?? false
    let indentation = indentation(before: isArgument ? (old?.lowerBound ?? 0) + 1 : argumentsEnd)
    let literal = Self.literal(edit.text, indentation: indentation + indentationUnit)
    let replacement = Array("{\n\(literal)\n\(indentation)}".utf8)
    if let old {
      // Comments are not among the tokens. A rewrite would lose them.
      guard let tokens = scanner.group(at: old.lowerBound)?.tokens,
        tokens.map(\.kind) == [.string(hasInterpolation: false)], let literal = tokens.first?.range,
        !scanner.source[old.lowerBound..<literal.lowerBound].contains(UInt8(ascii: "/")),
        !scanner.source[literal.upperBound..<old.upperBound].contains(UInt8(ascii: "/"))
      else {
        throw SnapshotError(
          """
          Cannot rewrite the inline snapshot at \(place): its closure is not only a string literal without \
          interpolation. Move anything else out of it, also comments, and run the test again.
          """)
      }
      return (old, replacement)
    }
    let position = max(closure.offset == 0 ? 0 : closures[closure.offset - 1].range.upperBound, argumentsEnd)
    let isFirst = position == argumentsEnd && scanner.byte(opening) != UInt8(ascii: "{")
    return (position..<position, Array((isFirst ? " " : " \(closure.label): ").utf8) + replacement)
  }

  private func find(_ closure: InlineClosure) -> Range<Int>? {
    let labels = [closure.label] + closure.otherLabels
    if let labelled = closures.first(where: { $0.label.map(labels.contains) ?? false }) { return labelled.range }
    guard closures.indices.contains(closure.offset), closures[closure.offset].label == nil else { return nil }
    return closures[closure.offset].range
  }

  /// The closures among the arguments: those with a label, and those at the end.
  private static func closures(
    at tokens: [SwiftScanner.Token], _ scanner: SwiftScanner
  ) -> [(label: String?, range: Range<Int>)] {
    var found: [(String?, Range<Int>)] = []
    for argument in tokens.split(whereSeparator: { $0.kind == .sign(UInt8(ascii: ",")) }) {
      let isLabelled = argument.count > 2 && argument[argument.startIndex + 1].kind == .sign(UInt8(ascii: ":"))
      guard let last = argument.last, last.kind == .group(UInt8(ascii: "{")), argument.count == (isLabelled ? 3 : 1)
      else {
        found = []
        continue
      }
      found.append((argument.first.flatMap { isLabelled ? scanner.text($0) : nil }, last.range))
    }
    return found
  }

  private static func offset(_ line: UInt, _ column: UInt, in lines: [ArraySlice<UInt8>]) -> Int? {
    guard line > 0, line <= UInt(lines.count), case let text = lines[Int(line) - 1] else { return nil }
    return column > 0 && column <= UInt(text.count) ? text.startIndex + Int(column) - 1 : nil
  }

  private func indentation(before offset: Int) -> String {
    let start = scanner.source[..<(offset - 1)].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return String(decoding: scanner.source[start...].prefix { " \t".utf8.contains($0) }, as: UTF8.self)
  }

  /// The indentation of the first indented line of the file.
  private var indentationUnit: String {
    let line = lines.first { $0.first.map(" \t".utf8.contains) == true } ?? Array("  ".utf8)[...]
    return String(decoding: line.prefix { " \t".utf8.contains($0) }, as: UTF8.self)
  }
}

extension InlineCall {
  /// Returns a literal of several lines, without a line end after it.
  ///
  /// It has as few `#` as possible, and escapes only for characters that a source file cannot contain. A text that
  /// would need more than 100, for which the compiler has a limit, has none, and escapes for each backslash and quote.
  private static func literal(_ text: String, indentation: String) -> String {
    let needed = poundCount(for: text)
    let pounds = String(repeating: "#", count: needed <= 100 ? needed : 0)
    var literal = "\(indentation)\(pounds)\"\"\"\n"
    var isAtStart = true
    for scalar in text.unicodeScalars {
      if scalar != "\n" && isAtStart { literal += indentation }
      isAtStart = scalar == "\n"
      switch scalar {
      case "\\" where needed > 100, "\"" where needed > 100: literal += "\\\(scalar)"
      case "\r": literal += "\\\(pounds)r"
      case "\0"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}", "\u{FEFF}":
        literal += "\\\(pounds)u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\n\(indentation)\"\"\"\(pounds)"
  }

  /// The minimum number of `#` so that no part of the text is an escape or the end of the literal.
  private static func poundCount(for text: String) -> Int {
    let bytes = Array(text.utf8)
    var needed = 0
    for (position, byte) in bytes.enumerated() {
      let isEnd = byte == UInt8(ascii: "\"") && bytes[position...].prefix(3).elementsEqual("\"\"\"".utf8)
      guard byte == UInt8(ascii: "\\") || isEnd else { continue }
      let after = bytes[(position + (isEnd ? 3 : 1))...].prefix { $0 == UInt8(ascii: "#") }.count
      needed = max(needed, after + 1)
    }
    return needed
  }
}
