/// A text split as a link: the segments of its path, its query items and its fragment, still percent-encoded.
struct LinkText {
  let bytes: [UInt8]
  /// The segments; empty ones at the beginning and at the end of the path are removed.
  private(set) var segments: [Range<Int>] = []
  private(set) var fragment: Range<Int>?
  private(set) var pathEnd: Int
  private(set) var queryEnd: Int
  private var items: [(name: Range<Int>, value: Range<Int>)] = []

  /// Splits a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - start: The offset of the path.
  /// - Throws: A diagnosis for a space or a control character.
  init(_ bytes: [UInt8], path start: Int) throws(LinkDiagnosis) {
    self.bytes = bytes
    let rest = bytes[start...]
    if let index = rest.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
      throw .malformed(at: index, "a character that is allowed in a link")
    }
    let hash = rest.firstIndex(of: UInt8(ascii: "#"))
    fragment = hash.map { $0 + 1..<bytes.count }
    queryEnd = hash ?? bytes.count
    let mark = rest[..<queryEnd].firstIndex(of: UInt8(ascii: "?"))
    pathEnd = mark ?? queryEnd
    let hasSlash = start < pathEnd && bytes[start] == UInt8(ascii: "/")
    let path = bytes[(hasSlash ? start + 1 : start)..<pathEnd]
    segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(\.indices)
    if segments.last?.isEmpty == true { segments.removeLast() }
    guard let mark else { return }
    items = bytes[(mark + 1)..<queryEnd].split(separator: UInt8(ascii: "&")).map { item in
      let equals = item.firstIndex(of: UInt8(ascii: "="))
      return (item.startIndex..<(equals ?? item.endIndex), (equals.map { $0 + 1 } ?? item.endIndex)..<item.endIndex)
    }
  }

  /// Returns the values of the query items with a name, in order.
  func items(named name: String) -> [Range<Int>] {
    items.filter { isText(name, at: $0.name, plusIsSpace: true) }.map(\.value)
  }

  /// Returns whether a part equals a text after decoding.
  func isText(_ text: String, at range: Range<Int>, plusIsSpace: Bool = false) -> Bool {
    // Percent-encoding triples the length at most, so other lengths cannot match.
    guard (text.utf8.count...text.utf8.count * 3).contains(range.count) else { return false }
    if bytes[range].elementsEqual(text.utf8) { return true }
    return (try? decoded(range, plusIsSpace: plusIsSpace))?.utf8.elementsEqual(text.utf8) ?? false
  }

  /// Returns a part without its percent-encoding.
  func decoded(_ range: Range<Int>, plusIsSpace: Bool = false) throws(LinkDiagnosis) -> String {
    let isPlain = !bytes[range].contains { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }
    if isPlain { return String(decoding: bytes[range], as: UTF8.self) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      var byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < range.upperBound, let high = hexadecimal(bytes[index + 1]),
          let low = hexadecimal(bytes[index + 2])
        else { throw .malformed(at: index, "two hexadecimal digits after '%'") }
        byte = high << 4 | low
        index += 2
      } else if plusIsSpace, byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      }
      decoded.append(byte)
      index += 1
    }
    guard let text = String(validating: decoded, as: UTF8.self) else {
      throw .malformed(at: range.lowerBound, "valid UTF-8 text")
    }
    return text
  }

  private func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): (byte | 0x20) - 87
    default: nil
    }
  }
}

/// The characters that need no percent-encoding.
struct LinkCharacters: Sendable {
  private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  /// The characters of a path, without `:` and `@`, which have a meaning in the first segment.
  static let path = LinkCharacters(unreserved + "!$&'()*+,;=", isPath: true)
  /// The characters of a query and a fragment, without `+`, which many parsers read as a space.
  static let query = LinkCharacters(unreserved + "!$'()*,;:@/?", isPath: false)

  private var isAllowed = Array(repeating: false, count: 256)
  private let isPath: Bool

  private init(_ characters: String, isPath: Bool) {
    self.isPath = isPath
    for byte in characters.utf8 { isAllowed[Int(byte)] = true }
  }

  /// Returns a text with all other characters percent-encoded.
  func encoding(_ text: String) -> String {
    // URL parsers resolve the segments `.` and `..`, so their dots are encoded.
    if isPath, text == "." || text == ".." { return text.replacing(".", with: "%2E") }
    if text.utf8.allSatisfy({ isAllowed[Int($0)] }) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte in
      isAllowed[Int(byte)] ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
