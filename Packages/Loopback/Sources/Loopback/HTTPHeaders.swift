/// The header fields of a request or response, in order.
///
/// Names are case-insensitive.
///
/// ```swift
/// var headers: HTTPHeaders = ["Content-Type": "text/plain"]
/// headers["content-type"]                       // "text/plain"
/// headers.append("Set-Cookie", "a=1")
/// headers.append("Set-Cookie", "b=2")
/// headers.values(for: "set-cookie")             // ["a=1", "b=2"]
/// ```
public struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  public struct Field: Sendable, Equatable {
    public let name: String
    public let value: String
  }

  public private(set) var fields: [Field] = []

  public init() {}

  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// The first value of a name.
  ///
  /// Assigning a value replaces all values, and `nil` removes them.
  public subscript(name: String) -> String? {
    get { values(for: name).first }
    set {
      fields.removeAll { matches($0.name, name) }
      if let newValue { append(name, newValue) }
    }
  }

  public func values(for name: String) -> [String] { fields.filter { matches($0.name, name) }.map(\.value) }

  /// Adds a field and keeps those of the same name.
  ///
  /// A carriage return, a line feed and a NUL in a value become spaces, so that a value cannot add header lines. A field with
  /// an invalid name is dropped.
  public mutating func append(_ name: String, _ value: String) {
    guard isToken(name.utf8) else { return }
    let bytes = value.utf8.map { isForbiddenInValue($0) ? UInt8(ascii: " ") : $0 }
    fields.append(Field(name: name, value: String(decoding: bytes, as: UTF8.self)))
  }

  /// Returns whether a comma-separated field such as `Connection` contains a word in lower case.
  func lists(_ word: String, in name: String) -> Bool {
    values(for: name).contains { $0.lowercased().split { ", \t".contains($0) }.contains { $0 == word } }
  }
}

private func matches(_ a: String, _ b: String) -> Bool { a.lowercased() == b.lowercased() }

extension ArraySlice<UInt8> {
  /// The bytes without the spaces and tabs at both ends.
  var trimmingSpaces: Self {
    var rest = drop { " \t".utf8.contains($0) }
    while let last = rest.last, " \t".utf8.contains(last) { rest.removeLast() }
    return rest
  }
}

func isToken(_ bytes: some Collection<UInt8>) -> Bool {
  !bytes.isEmpty
    && bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
}

func isForbiddenInValue(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x0A || byte == 0x0D }
