package struct TestDeclaration {
  /// As `#function` has it.
  package let name: String
  /// The types around it, from the outermost; empty for a free function.
  let types: [String]
  let lines: ClosedRange<UInt>
}

/// Test libraries do not report whether another suite of the file has a test of the same name.
package struct TestDeclarations {
  private let source: [UInt8]
  private let tokens: [SwiftToken]
  package private(set) var all: [TestDeclaration] = []

  /// Whether the source could be read.
  package var isRead: Bool { !tokens.isEmpty }

  package init(source: [UInt8]) {
    self.source = source
    tokens = SwiftLexer.tokens(of: source) ?? []
    find()
  }

  /// Returns the tests whose names have the same plain form in file names as the name of a function.
  func named(_ function: String) -> [TestDeclaration] {
    let name = ReferenceNaming.sanitized(function)
    return all.filter { ReferenceNaming.sanitized($0.name) == name }
  }

  private mutating func find() {
    var types: [String?] = []
    var pending: String?
    var (line, end): (UInt, Int) = (1, 0)
    for position in tokens.indices {
      line += lineEnds(from: end, to: position)
      end = tokens[position].range.lowerBound
      if tokens.isSign("{", at: position) {
        types.append(pending)
        pending = nil
      } else if tokens.isSign("}", at: position) {
        _ = types.popLast()
      } else if word(position) == "func" {
        if let test = test(at: position, line, in: types.compactMap { $0 }) { all.append(test) }
      } else if ["struct", "class", "enum", "actor", "extension"].contains(word(position)),
        let name = typeName(after: position)
      {
        pending = name
      }
    }
  }

  private func lineEnds(from offset: Int, to position: Int) -> UInt {
    UInt(source[offset..<tokens[position].range.lowerBound].count { $0 == UInt8(ascii: "\n") })
  }

  private func word(_ position: Int) -> String {
    guard tokens.indices.contains(position), tokens[position].kind == .word else { return "" }
    return String(decoding: source[tokens[position].range], as: UTF8.self).filter { $0 != "`" }
  }

  /// The name `Outer.Inner` after a keyword; `nil` if the keyword is a modifier or a member.
  private func typeName(after keyword: Int) -> String? {
    var name = word(keyword + 1)
    guard !["", "func", "var", "let", "subscript"].contains(name), !tokens.isSign(".", at: keyword - 1) else {
      return nil
    }
    var position = keyword + 2
    while tokens.isSign(".", at: position), !word(position + 1).isEmpty {
      name += "." + word(position + 1)
      position += 2
    }
    return name
  }

  private func test(at keyword: Int, _ line: UInt, in types: [String]) -> TestDeclaration? {
    let name = word(keyword + 1)
    guard !name.isEmpty, let opening = (keyword + 2..<tokens.count).first(where: { tokens.isSign("(", at: $0) }),
      let closing = tokens.closing(of: opening),
      let body = (closing..<tokens.count).first(where: { tokens.isSign("{", at: $0) }),
      let end = tokens.closing(of: body)
    else { return nil }
    let labels = labels(between: opening, and: closing)
    guard hasTestAttribute(before: keyword) || (name.hasPrefix("test") && labels.isEmpty) else { return nil }
    let lineCount = source[tokens[keyword].range.lowerBound..<tokens[end].range.lowerBound].count {
      $0 == UInt8(ascii: "\n")
    }
    return TestDeclaration(
      name: "\(name)(\(labels.map { "\($0):" }.joined()))",
      types: types.flatMap { $0.split(separator: ".").map(String.init) }, lines: line...line + UInt(lineCount))
  }

  /// The argument labels: words after the parenthesis or a comma, before a colon or another word.
  private func labels(between opening: Int, and closing: Int) -> [String] {
    var labels: [String] = []
    var (position, isFirst) = (opening + 1, true)
    while position < closing {
      let isLabel = isFirst && (tokens.isSign(":", at: position + 1) || !word(position + 1).isEmpty)
      if isLabel, !word(position).isEmpty { labels.append(word(position)) }
      isFirst = tokens.isSign(",", at: position)
      let isOpening = ["(", "[", "{"].contains { tokens.isSign($0, at: position) }
      position = (isOpening ? tokens.closing(of: position) ?? closing : position) + 1
    }
    return labels
  }

  private func hasTestAttribute(before keyword: Int) -> Bool {
    var position = keyword - 1
    while position > 0, !tokens.isSign("{", at: position), !tokens.isSign("}", at: position) {
      if word(position) == "Test", tokens.isSign("@", at: position - 1) || tokens.isSign(".", at: position - 1) {
        return true
      }
      position = (tokens.isSign(")", at: position) ? tokens.opening(of: position) ?? 0 : position) - 1
    }
    return false
  }
}
