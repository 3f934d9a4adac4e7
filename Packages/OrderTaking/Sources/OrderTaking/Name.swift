/// The name of an order or of a driver, compared by its bytes.
///
/// Swift's `String` compares characters: `"\u{E9}"` and `"e\u{301}"` are equal. For a server they are different names.
///
/// A name has 1 to 255 bytes of UTF-8, and can be a part of a URL and of a log line: it contains no control character and no slash,
/// and is neither `.` nor `..`.
///
/// ```swift
/// let order: OrderID = "7"
/// let driver = try DriverID(text)
/// ```
public struct Name: Hashable, Sendable, Comparable {
  public let text: String

  /// - Throws: ``InvalidName`` if the text is no name.
  public init(_ text: String) throws(InvalidName) {
    let isName =
      (1...255).contains(text.utf8.count) && text != "." && text != ".." && !text.utf8.contains(UInt8(ascii: "/"))
      && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard isName else { throw InvalidName(text: text) }
    self.text = text
  }

  public static func == (left: Name, right: Name) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  public static func < (left: Name, right: Name) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

public typealias OrderID = Name

public typealias DriverID = Name

/// A text that cannot name an order or a driver.
public struct InvalidName: Error, Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public var description: String {
    let shown = text.unicodeScalars.prefix(40).map { $0.escaped(asASCII: false) }.joined()
    return
      "\"\(shown)\" cannot be a name. A name has 1 to 255 bytes, and no slash and no control character; . and .. are no names."
  }
}

extension Name: CustomStringConvertible {
  public var description: String { text }
}

/// A literal that is no name stops the program.
extension Name: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    do { try self.init(text) } catch { preconditionFailure("\(error)") }
  }
}

extension Name: ExpressibleByIntegerLiteral {
  public init(integerLiteral number: Int) { self.init(number) }

  public init(_ number: Int) { self.init(stringLiteral: String(number)) }
}

extension Name: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
