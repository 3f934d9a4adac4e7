/// The header fields of a request or response: names without case, in order, each as often as it occurs.
///
/// ```swift
/// var headers: HTTPHeaders = ["Content-Type": "text/plain"]
/// headers["content-type"]                       // "text/plain"
/// headers.append("Set-Cookie", "a=1")
/// headers.append("Set-Cookie", "b=2")
/// headers.values(for: "set-cookie")             // ["a=1", "b=2"]
/// ```
///
/// Look-ups take time in the number of fields. Two values are equal when they have the same fields in the same order,
/// names compared without case.
public struct HTTPHeaders: Sendable, Equatable {
  /// A header field.
  public struct Field: Sendable, Equatable {
    /// The name as written.
    public let name: String
    /// The value, without the white space around it.
    public let value: String

    /// Whether names agree without case, and values with.
    public static func == (a: Self, b: Self) -> Bool { matches(a.name, b.name) && a.value == b.value }
  }

  /// Every field, in order.
  public private(set) var fields: [Field] = []

  /// Makes an empty header.
  public init() {}

  /// The first value of a name; assigning replaces every value, and assigning `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { Self.matches($0.name, name) }?.value }
    set {
      fields.removeAll { Self.matches($0.name, name) }
      if let newValue { append(name, newValue) }
    }
  }

  /// Every value of a name, in order.
  public func values(for name: String) -> [String] {
    fields.lazy.filter { Self.matches($0.name, name) }.map(\.value)
  }

  /// Adds a field and keeps those of the same name.
  ///
  /// A carriage return, a line feed or a NUL would let a value forge further header lines; each becomes a space. A
  /// field whose name is not an HTTP token is dropped.
  public mutating func append(_ name: String, _ value: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else { return }
    guard value.utf8.contains(where: isForbiddenInValue) else {
      fields.append(Field(name: name, value: value))
      return
    }
    let bytes = value.utf8.map { isForbiddenInValue($0) ? UInt8(ascii: " ") : $0 }
    fields.append(Field(name: name, value: String(decoding: bytes, as: UTF8.self)))
  }

  /// Whether a comma-separated field such as `Connection` names a word, without case.
  func lists(_ word: String, in name: String) -> Bool {
    fields.contains { field in
      Self.matches(field.name, name)
        && field.value.split(separator: ",").contains { Self.matches($0.trimmingSpaces, word[...]) }
    }
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Makes a header from names and values, in the order written.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }
}

extension HTTPHeaders {
  fileprivate static func matches(_ a: String, _ b: String) -> Bool { matches(a[...], b[...]) }

  fileprivate static func matches(_ a: Substring, _ b: Substring) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension Substring {
  /// The text without blanks and tabs at either end.
  var trimmingSpaces: Substring {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}

/// Whether a byte may stand in a method or a field name.
func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
    UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
    UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
    true
  default:
    false
  }
}

/// Whether a byte may not stand in a field's value.
func isForbiddenInValue(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x0A || byte == 0x0D }
