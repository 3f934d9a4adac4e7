internal import Foundation

package enum StringLiterals {
  /// The literal has as few `#` as possible, and escapes only for characters that a source file cannot contain.
  package static func literal(of text: String, indentation: String) -> String {
    let pounds = String(repeating: "#", count: poundCount(for: text))
    var lines = "\(indentation)\(pounds)\"\"\"\n"
    var isAtStart = true
    for scalar in text.unicodeScalars {
      if scalar != "\n" && isAtStart { lines += indentation }
      isAtStart = scalar == "\n"
      if isWritable(scalar) {
        lines.unicodeScalars.append(scalar)
      } else {
        lines += "\\\(pounds)u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return lines + "\n\(indentation)\"\"\"\(pounds)"
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

  private static func isWritable(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\t" || (scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0xFEFF)
  }

  /// Returns the value of a literal; `nil` if it has an interpolation.
  package static func value(of token: SwiftToken, in source: [UInt8]) -> String? {
    guard case .string(let pounds, let isMultiline) = token.kind else { return nil }
    let quotes = isMultiline ? 3 : 1
    let content = source[(token.range.lowerBound + pounds + quotes)..<(token.range.upperBound - pounds - quotes)]
    guard isMultiline else { return unescaped(Array(content), pounds: pounds) }
    var lines = Self.lines(of: content)
    guard lines.count >= 2, lines.removeFirst().allSatisfy(isBlank) else { return nil }
    let indentation = lines.removeLast()
    var result: [UInt8] = []
    for (number, line) in lines.enumerated() {
      if number > 0 { result.append(UInt8(ascii: "\n")) }
      if line.starts(with: indentation) {
        result += line.dropFirst(indentation.count)
      } else if !line.allSatisfy(isBlank) {
        return nil
      }
    }
    return unescaped(result, pounds: pounds)
  }

  private static func lines(of content: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let text = String(decoding: content, as: UTF8.self)
      .replacingOccurrences(of: "\r\n", with: "\n", options: .literal)
      .replacingOccurrences(of: "\r", with: "\n", options: .literal)
    return Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func unescaped(_ bytes: [UInt8], pounds: Int) -> String? {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"),
        rest.prefix(pounds).elementsEqual(repeatElement(UInt8(ascii: "#"), count: pounds))
      else {
        result.append(byte)
        continue
      }
      rest = rest.dropFirst(pounds)
      switch rest.popFirst() {
      case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "t"): result.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "0"): result.append(0)
      case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "\""): result.append(UInt8(ascii: "\""))
      case UInt8(ascii: "'"): result.append(UInt8(ascii: "'"))
      case UInt8(ascii: "\n"): break  // joins two lines
      case UInt8(ascii: "u"):
        let digits = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
        guard let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(value)
        else { return nil }
        result.append(contentsOf: String(Character(scalar)).utf8)
        rest = rest.dropFirst(digits.count + 2)
      default: return nil
      }
    }
    return String(validating: result, as: UTF8.self)
  }
}
