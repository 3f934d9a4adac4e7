/// The parts of a text, still percent-encoded.
struct LinkText {
  let bytes: [UInt8]
  /// The segments; empty ones at the beginning and at the end of the path are removed.
  private(set) var segments: [Range<Int>] = []
  private(set) var fragment: Range<Int>?
  private(set) var pathEnd: Int
  private(set) var queryEnd: Int
  private var items: [(name: Range<Int>, value: Range<Int>)] = []

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

  func items(named name: String) -> [Range<Int>] {
    items.filter { isText(name, at: $0.name, plusIsSpace: true) }.map(\.value)
  }

  func isText(_ text: String, at range: Range<Int>, plusIsSpace: Bool = false) -> Bool {
    // Percent-encoding triples the length at most, so other lengths cannot match.
    guard (text.utf8.count...text.utf8.count * 3).contains(range.count) else { return false }
    if bytes[range].elementsEqual(text.utf8) { return true }
    return (try? decoded(range, plusIsSpace: plusIsSpace))?.utf8.elementsEqual(text.utf8) ?? false
  }

  func decoded(_ range: Range<Int>, plusIsSpace: Bool = false) throws(LinkDiagnosis) -> String {
    let (percent, plus) = (UInt8(ascii: "%"), UInt8(ascii: "+"))
    let isPlain = !bytes[range].contains { $0 == percent || plusIsSpace && $0 == plus }
    if isPlain { return String(decoding: bytes[range], as: UTF8.self) }
    let part = bytes[range].map { plusIsSpace && $0 == plus ? UInt8(ascii: " ") : $0 }
    if let text = String(percentEncoded: part) { return text }
    let malformed = range.first { index in
      let digits = bytes[index..<range.upperBound].dropFirst().prefix(2)
      return bytes[index] == percent && digits.count { $0.hexDigitValue != nil } < 2
    }
    guard let malformed else { throw .malformed(at: range.lowerBound, "valid UTF-8 text") }
    throw .malformed(at: malformed, "two hexadecimal digits after '%'")
  }
}
