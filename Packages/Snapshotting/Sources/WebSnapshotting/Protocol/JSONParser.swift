/// Reads JSON from bytes that nobody vouches for.
///
/// Half a surrogate pair, which JavaScript's strings may have, becomes U+FFFD, and so do bytes that are not UTF-8.
struct JSONParser {
  /// What is wrong with bytes that are not JSON.
  struct Failure: Error, Hashable, CustomStringConvertible {
    let offset: Int
    let expected: String

    var description: String { "expected \(expected) at byte \(offset)" }
  }

  /// How deep arrays and objects may be in each other.
  static let depthLimit = 512

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Reads one value that takes up all the bytes.
  ///
  /// - Throws: ``Failure`` when they are no JSON, or more deeply nested than ``depthLimit``.
  static func parse(_ bytes: some Collection<UInt8>) throws(Failure) -> JSONValue {
    let read = { (buffer: UnsafeRawBufferPointer) -> Result<JSONValue, Failure> in
      var parser = JSONParser(bytes: buffer)
      do throws(Failure) { return .success(try parser.document()) } catch { return .failure(error) }
    }
    let result =
      bytes.withContiguousStorageIfAvailable { read(UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { read($0) }
    return try result.get()
  }

  private init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  private func failure(_ expected: String) -> Failure { Failure(offset: offset, expected: expected) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func document() throws(Failure) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw failure("the end") }
    return value
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
    let end = offset + word.utf8CodeUnitCount
    guard end <= bytes.count, zip(bytes[offset..<end], 0...).allSatisfy({ $0 == word.utf8Start[$1] }) else {
      throw failure("`\(word)`")
    }
    offset = end
    return value
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONValue {
    guard depth <= Self.depthLimit else { throw failure("less nesting") }
    offset += 1
    var members: [String: JSONValue] = [:]
    skipSpace()
    if skip("}") { return .object(members) }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a name") }
      let name = try string()
      skipSpace()
      guard skip(":") else { throw failure("`:`") }
      members[name] = try value(depth: depth)
      skipSpace()
      if skip("}") { return .object(members) }
      guard skip(",") else { throw failure("`,` or `}`") }
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> JSONValue {
    guard depth <= Self.depthLimit else { throw failure("less nesting") }
    offset += 1
    var elements: [JSONValue] = []
    skipSpace()
    if skip("]") { return .array(elements) }
    while true {
      elements.append(try value(depth: depth))
      skipSpace()
      if skip("]") { return .array(elements) }
      guard skip(",") else { throw failure("`,` or `]`") }
    }
  }

  private mutating func number() throws(Failure) -> Double {
    let start = offset
    while let byte = next, (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) {
      offset += 1
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      offset = start
      throw failure("a value")
    }
    return number
  }

  private mutating func string() throws(Failure) -> String {
    offset += 1
    let start = offset
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
      guard byte >= 0x20 else { throw failure("no control character in a string") }
      offset += 1
    }
    let plain = bytes[start..<offset]
    if skip("\"") { return String(decoding: plain, as: UTF8.self) }
    return try string(beginningWith: Array(plain))
  }

  /// The rest of a string that has escapes.
  private mutating func string(beginningWith start: [UInt8]) throws(Failure) -> String {
    var text = start
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try unescape(into: &text)
      case ..<0x20: throw failure("no control character in a string")
      default: text.append(byte)
      }
    }
    throw failure("the end of a string")
  }

  private mutating func unescape(into text: inout [UInt8]) throws(Failure) {
    guard let byte = next else { throw failure("the end of a string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"): text += Array(String(Character(try scalar())).utf8)
    default: throw failure("an escape")
    }
  }

  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let unit = try hexadecimal()
    guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
    let afterFirst = offset
    if skip("\\"), skip("u") {
      let second = try hexadecimal()
      if (0xDC00..<0xE000).contains(second) {
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
      }
    }
    offset = afterFirst
    return "\u{FFFD}"
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    let end = offset + 4
    guard end <= bytes.count,
      let unit = UInt32(String(decoding: bytes[offset..<end], as: UTF8.self), radix: 16),
      bytes[offset] != UInt8(ascii: "+"), bytes[offset] != UInt8(ascii: "-")
    else { throw failure("four hexadecimal digits") }
    offset = end
    return unit
  }
}
