/// The functions of a source file that are tests.
///
/// What no test library tells: whether another test of the same name is in the same file, and which of them comes first.
struct TestDeclarations {
  struct Declaration: Equatable {
    /// As `#function` has it.
    let name: String
    /// The types that it is in, from the outermost; none for a free function.
    let types: [String]
    /// From the line of its name to that of its end.
    let lines: ClosedRange<UInt>
  }

  /// In the order of the file.
  private(set) var all: [Declaration] = []

  /// Whether there was a source to read.
  var isRead: Bool { !tokens.isEmpty }

  private let source: [UInt8]
  private let tokens: [SwiftToken]
  private let lineStarts: [Int]

  init(source: [UInt8]) {
    self.source = source
    tokens = SwiftLexer.tokens(of: source) ?? []
    lineStarts = [0] + source.indices.filter { source[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    find()
  }

  /// The tests whose names are one in a file's name.
  func named(_ function: String) -> [Declaration] {
    let name = ReferenceNaming.sanitized(function)
    return all.filter { ReferenceNaming.sanitized($0.name) == name }
  }

  private mutating func find() {
    var types: [String?] = []
    var pending: String?
    var position = 0
    while position < tokens.count {
      switch tokens[position].kind {
      case .sign(UInt8(ascii: "{")):
        types.append(pending)
        pending = nil
      case .sign(UInt8(ascii: "}")): _ = types.popLast()
      case .word where text(position) == "func":
        if let declaration = declaration(at: position, in: types.compactMap { $0 }) { all.append(declaration) }
      case .word where Self.typeKeywords.contains(text(position)):
        if let name = typeName(after: position) { pending = name }
      default: break
      }
      position += 1
    }
  }

  private static let typeKeywords: Set<String> = ["struct", "class", "enum", "actor", "extension"]
  private static let modifiers: Set<String> = [
    "class", "fileprivate", "final", "internal", "nonisolated", "open", "override", "package", "private", "public",
    "static",
  ]

  private func text(_ position: Int) -> String {
    guard tokens.indices.contains(position) else { return "" }
    return String(decoding: source[tokens[position].range], as: UTF8.self)
  }

  private func isWord(_ position: Int) -> Bool {
    tokens.indices.contains(position) && tokens[position].kind == .word
  }

  private func line(at offset: Int) -> UInt {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return UInt(low + 1)
  }

  /// `Outer.Inner` behind a keyword, or nothing behind one that is a modifier or a name.
  private func typeName(after keyword: Int) -> String? {
    guard isWord(keyword + 1), !["func", "var", "let", "subscript"].contains(text(keyword + 1)),
      !tokens.isSign(".", at: keyword - 1)
    else { return nil }
    var name = text(keyword + 1)
    var position = keyword + 2
    while tokens.isSign(".", at: position), isWord(position + 1) {
      name += "." + text(position + 1)
      position += 2
    }
    return name.filter { $0 != "`" }
  }

  private func declaration(at keyword: Int, in types: [String]) -> Declaration? {
    guard isWord(keyword + 1), let opening = (keyword + 2..<tokens.count).first(where: { tokens.isSign("(", at: $0) }),
      let closing = tokens.closing(of: opening),
      let body = (closing..<tokens.count).first(where: { tokens.isSign("{", at: $0) }),
      let end = tokens.closing(of: body)
    else { return nil }
    let labels = labels(between: opening, and: closing)
    let name = text(keyword + 1).filter { $0 != "`" }
    guard hasTestAttribute(before: keyword) || (name.hasPrefix("test") && labels.isEmpty) else { return nil }
    return Declaration(
      name: "\(name)(\(labels.map { "\($0):" }.joined()))",
      types: types.flatMap { $0.split(separator: ".") }.map(String.init),
      lines: line(at: tokens[keyword].range.lowerBound)...line(at: tokens[end].range.lowerBound))
  }

  /// The labels of parameters: the first word of each.
  private func labels(between opening: Int, and closing: Int) -> [String] {
    var labels: [String] = []
    var isFirst = true
    var (position, angles) = (opening + 1, 0)
    while position < closing {
      if isFirst, isWord(position), !tokens.isSign("@", at: position - 1) {
        labels.append(text(position).filter { $0 != "`" })
        isFirst = false
      }
      switch tokens[position].kind {
      case .sign(UInt8(ascii: "(")), .sign(UInt8(ascii: "[")), .sign(UInt8(ascii: "{")):
        position = tokens.closing(of: position) ?? closing
      case .sign(UInt8(ascii: "<")): angles += 1
      case .sign(UInt8(ascii: ">")) where !tokens.isSign("-", at: position - 1): angles -= 1
      case .sign(UInt8(ascii: ",")) where angles == 0: isFirst = true
      default: break
      }
      position += 1
    }
    return labels
  }

  /// Whether `@Test` is among the attributes and modifiers of a function.
  private func hasTestAttribute(before keyword: Int) -> Bool {
    var position = keyword - 1
    while position > 0 {
      if tokens.isSign(")", at: position), let opening = tokens.opening(of: position) {
        position = opening - 1
        guard isWord(position) else { return false }
      }
      guard isWord(position) else { return false }
      if text(position) == "Test", tokens.isSign("@", at: position - 1) || tokens.isSign(".", at: position - 1) {
        return true
      }
      if tokens.isSign("@", at: position - 1) {
        position -= 2
      } else {
        guard Self.modifiers.contains(text(position)) else { return false }
        position -= 1
      }
    }
    return false
  }
}
