/// Finds the ends of brackets, comments and string literals in a part of Swift source, and recognises no other syntax.
struct SwiftScanner {
  struct Token: Equatable {
    enum Kind: Equatable {
      /// A name, a keyword or a number.
      case word
      case string(hasInterpolation: Bool)
      /// Everything from a bracket to its closing one.
      case group(UInt8)
      /// Any other character by itself.
      case sign(UInt8)
    }

    let kind: Kind
    let range: Range<Int>
  }

  let source: [UInt8]

  /// Returns the tokens between a bracket and its closing one, and the offset after that; `nil` if the source is
  /// malformed.
  func group(at opening: Int) -> (tokens: [Token], end: Int)? {
    let closings: [UInt8: UInt8] = [
      UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"), UInt8(ascii: "{"): UInt8(ascii: "}"),
    ]
    guard let closing = closings[byte(opening)] else { return nil }
    var tokens: [Token] = []
    var position = opening + 1
    while let token = token(at: position) {
      position = token.range.upperBound
      if token.kind == .sign(closing) { return (tokens, position) }
      if case .sign(let sign) = token.kind, closings.values.contains(sign) { return nil }
      tokens.append(token)
    }
    return nil
  }

  /// Returns the token after white space and comments; `nil` at the end, if it is unterminated, or if it is an escape
  /// of a regular expression.
  func token(at position: Int) -> Token? {
    guard let start = afterTrivia(position), start < source.count else { return nil }
    func made(_ kind: Token.Kind, _ end: Int?) -> Token? { end.map { Token(kind: kind, range: start..<$0) } }
    switch byte(start) {
    case let bracket where "([{".utf8.contains(bracket): return made(.group(bracket), group(at: start)?.end)
    case UInt8(ascii: "\""), UInt8(ascii: "#"):
      let pounds = source[start...].prefix { $0 == UInt8(ascii: "#") }.count
      guard byte(start + pounds) == UInt8(ascii: "\"") else { return made(.sign(UInt8(ascii: "#")), start + 1) }
      let literal = string(at: start, pounds)
      return made(.string(hasInterpolation: literal?.hasInterpolation == true), literal?.end)
    case UInt8(ascii: "\\") where ")}]\"'/\\".utf8.contains(byte(start + 1)): return nil
    case let first where Self.isWord(first):
      return made(.word, source[start...].firstIndex { !Self.isWord($0) } ?? source.count)
    case let sign: return made(.sign(sign), start + 1)
    }
  }

  func byte(_ offset: Int) -> UInt8 { source.indices.contains(offset) ? source[offset] : 0 }

  func text(_ token: Token) -> String { String(decoding: source[token.range], as: UTF8.self) }

  private func afterTrivia(_ start: Int) -> Int? {
    var position = start
    while position < source.count {
      if " \t\n\r".utf8.contains(byte(position)) {
        position += 1
      } else if source[position...].starts(with: "//".utf8) {
        position = endOfLine(position)
      } else if source[position...].starts(with: "/*".utf8) {
        let comment = source[(position + 2)...]
        // A comment in it is not read.
        guard let end = comment.firstRange(of: "*/".utf8), !comment[..<end.lowerBound].contains("/*".utf8) else {
          return nil
        }
        position = end.upperBound
      } else {
        break
      }
    }
    return position
  }

  private func endOfLine(_ position: Int) -> Int {
    source[position...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? source.count
  }

  private func string(at start: Int, _ pounds: Int) -> (end: Int, hasInterpolation: Bool)? {
    let isMultiline = source[(start + pounds)...].starts(with: "\"\"\"".utf8)
    let delimiter = [UInt8](repeating: UInt8(ascii: "#"), count: pounds)
    let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: isMultiline ? 3 : 1)
    let (end, escape) = (quotes + delimiter, [UInt8(ascii: "\\")] + delimiter)
    var (position, hasInterpolation) = (start + end.count, false)
    while position < source.count {
      if source[position...].starts(with: end) { return (position + end.count, hasInterpolation) }
      if source[position...].starts(with: escape) {
        position += escape.count
        guard byte(position) == UInt8(ascii: "(") else {
          position += 1
          continue
        }
        guard let interpolation = group(at: position) else { return nil }
        (position, hasInterpolation) = (interpolation.end, true)
      } else {
        if !isMultiline, position == endOfLine(position) { return nil }
        position += 1
      }
    }
    return nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
      || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
  }
}
