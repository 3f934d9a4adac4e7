/// A part of Swift source other than white space and comments.
package struct SwiftToken: Equatable {
  package enum Kind: Equatable {
    /// A name, a keyword or a number.
    case word
    /// A string literal, with the number of its `#` and whether it has several lines.
    case string(pounds: Int, isMultiline: Bool)
    case regex
    /// Any other character by itself.
    case sign(UInt8)
  }

  package let kind: Kind
  package let range: Range<Int>
}

/// Recognises comments and literals, and no other syntax.
package struct SwiftLexer {
  private let source: [UInt8]
  private var position = 0
  private var tokens: [SwiftToken] = []

  /// Returns the tokens of a source; `nil` if a comment or a literal is unterminated.
  package static func tokens(of source: [UInt8]) -> [SwiftToken]? {
    var lexer = SwiftLexer(source: source)
    return lexer.run(untilClosing: false) ? lexer.tokens : nil
  }

  private init(source: [UInt8], position: Int = 0) {
    self.source = source
    self.position = position
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < source.count ? source[position + offset] : 0
  }

  /// Continues to the end, or after the parenthesis that closes an interpolation.
  private mutating func run(untilClosing: Bool) -> Bool {
    var depth = 0
    while position < source.count {
      switch byte() {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): guard skipBlockComment() else { return false }
      case UInt8(ascii: "#") where position == 0 && byte(1) == UInt8(ascii: "!"): skipLine()
      case UInt8(ascii: "\""): guard lexString(pounds: 0) else { return false }
      case UInt8(ascii: "#"): guard lexPounds() else { return false }
      case UInt8(ascii: "/"): if !lexBareRegex() { addSign() }
      case UInt8(ascii: "`"): guard lexQuotedName() else { return false }
      case let first where isWord(first): lexWord()
      case let sign:
        addSign()
        if sign == UInt8(ascii: "(") { depth += 1 }
        if sign == UInt8(ascii: ")") {
          if untilClosing && depth == 0 { return true }
          depth -= 1
        }
      }
    }
    return !untilClosing
  }

  private mutating func addSign() {
    tokens.append(SwiftToken(kind: .sign(byte()), range: position..<position + 1))
    position += 1
  }

  private mutating func lexWord() {
    let start = position
    while isWord(byte()) { position += 1 }
    tokens.append(SwiftToken(kind: .word, range: start..<position))
  }

  private mutating func lexQuotedName() -> Bool {
    let start = position
    repeat {
      position += 1
    } while position < source.count && byte() != UInt8(ascii: "`") && byte() != UInt8(ascii: "\n")
    guard byte() == UInt8(ascii: "`") else { return false }
    position += 1
    tokens.append(SwiftToken(kind: .word, range: start..<position))
    return true
  }

  private mutating func skipLine() {
    while position < source.count, byte() != UInt8(ascii: "\n"), byte() != UInt8(ascii: "\r") { position += 1 }
  }

  private mutating func skipBlockComment() -> Bool {
    var depth = 0
    repeat {
      guard position < source.count else { return false }
      if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        position += 1
      }
    } while depth > 0
    return true
  }

  /// A raw string, an extended regular expression, or a directive or macro.
  private mutating func lexPounds() -> Bool {
    var pounds = 0
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    switch byte(pounds) {
    case UInt8(ascii: "\""): return lexString(pounds: pounds)
    case UInt8(ascii: "/"): return lexExtendedRegex(pounds: pounds)
    default:
      addSign()
      return true
    }
  }

  private func hasPounds(_ count: Int, at offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  private mutating func lexString(pounds: Int) -> Bool {
    let (start, quote) = (position, UInt8(ascii: "\""))
    position += pounds
    let isMultiline = byte(1) == quote && byte(2) == quote && !closesOnItsLine(pounds)
    let quotes = isMultiline ? 3 : 1
    position += quotes
    while position < source.count {
      if (0..<quotes).allSatisfy({ byte($0) == quote }), hasPounds(pounds, at: quotes) {
        position += quotes + pounds
        tokens.append(
          SwiftToken(kind: .string(pounds: pounds, isMultiline: isMultiline), range: start..<position))
        return true
      }
      if byte() == UInt8(ascii: "\\"), hasPounds(pounds, at: 1) {
        position += 1 + pounds
        if byte() == UInt8(ascii: "(") {
          var inner = SwiftLexer(source: source, position: position + 1)
          guard inner.run(untilClosing: true) else { return false }
          position = inner.position
        } else {
          position += 1
        }
      } else if !isMultiline, byte() == UInt8(ascii: "\n") || byte() == UInt8(ascii: "\r") {
        return false
      } else {
        position += 1
      }
    }
    return false
  }

  /// Whether a raw string ends on its first line, so that its quotes do not begin a literal of several lines: `#"""#`.
  private func closesOnItsLine(_ pounds: Int) -> Bool {
    guard pounds > 0 else { return false }
    var offset = 1
    while position + offset < source.count, byte(offset) != UInt8(ascii: "\n"), byte(offset) != UInt8(ascii: "\r") {
      if byte(offset) == UInt8(ascii: "\""), hasPounds(pounds, at: offset + 1) { return true }
      offset += 1
    }
    return false
  }

  private mutating func lexExtendedRegex(pounds: Int) -> Bool {
    let start = position
    position += pounds + 1
    while position < source.count {
      if byte() == UInt8(ascii: "\\") {
        position += 2
      } else if byte() == UInt8(ascii: "/"), hasPounds(pounds, at: 1) {
        position += 1 + pounds
        tokens.append(SwiftToken(kind: .regex, range: start..<position))
        return true
      } else {
        position += 1
      }
    }
    return false
  }

  /// A `/` begins a regular expression if an operand can begin there and the expression ends on the same line.
  private mutating func lexBareRegex() -> Bool {
    guard canBeginOperand, byte(1) != UInt8(ascii: " "), byte(1) != UInt8(ascii: "\t") else { return false }
    // A parenthesis in a class of characters, such as `[^)]`, opens and closes nothing.
    var (offset, depth, classDepth) = (1, 0, 0)
    while position + offset < source.count {
      switch byte(offset) {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return false
      case UInt8(ascii: "\\"): offset += 1
      case UInt8(ascii: "["): classDepth += 1
      case UInt8(ascii: "]"): classDepth = max(0, classDepth - 1)
      case UInt8(ascii: "(") where classDepth == 0: depth += 1
      case UInt8(ascii: ")") where classDepth == 0:
        depth -= 1
        if depth < 0 { return false }
      case UInt8(ascii: "/"):
        guard offset > 1, depth == 0, byte(offset - 1) != UInt8(ascii: " ") else { return false }
        tokens.append(SwiftToken(kind: .regex, range: position..<position + offset + 1))
        position += offset + 1
        return true
      default: break
      }
      offset += 1
    }
    return false
  }

  private static let wordsBeforeOperands: Set<String> = [
    "return", "in", "case", "if", "where", "try", "await", "throw", "else",
  ]

  private var canBeginOperand: Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .word: return Self.wordsBeforeOperands.contains(String(decoding: source[last.range], as: UTF8.self))
    case .string, .regex: return false
    case .sign(let sign):
      return ![UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "?"), UInt8(ascii: "!")].contains(
        sign)
        && !(isOperator(sign) && last.range.upperBound == position)
    }
  }

  private func isOperator(_ byte: UInt8) -> Bool { "+-*/%=<>&|^~.".utf8.contains(byte) }

  private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
      true
    default: false
    }
  }
}
