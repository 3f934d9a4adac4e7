internal import Foundation

enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The member of an object; `nil` if the member is missing or the value is not an object.
  subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var number: Double? { if case .number(let number) = self { number } else { nil } }
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  /// The number if it is an integer within the range of `Int`.
  var integer: Int? { number.flatMap { Int(exactly: $0) } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .string(text) }
  init(integerLiteral number: Int) { self = .number(Double(number)) }
  init(floatLiteral number: Double) { self = .number(number) }
  init(booleanLiteral bool: Bool) { self = .bool(bool) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(Dictionary(members) { _, last in last })
  }
}

extension JSONValue {
  /// An unpaired surrogate, which JavaScript strings may contain, becomes U+FFFD.
  init(parsing bytes: some Collection<UInt8>) throws {
    let data = Data(bytes)
    do {
      self.init(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
    } catch {
      self.init(try JSONSerialization.jsonObject(with: data.replacingSurrogates(), options: .fragmentsAllowed))
    }
  }

  private init(_ object: Any) {
    switch object {
    case let text as String: self = .string(text)
    case let elements as [Any]: self = .array(elements.map { JSONValue($0) })
    case let members as [String: Any]: self = .object(members.mapValues { JSONValue($0) })
    case let number as NSNumber:
      self = String(cString: number.objCType) == "c" ? .bool(number.boolValue) : .number(number.doubleValue)
    default: self = .null
    }
  }

  /// Numbers that JSON does not have are `null`.
  var data: Data {
    let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
    return (try? JSONSerialization.data(withJSONObject: object, options: options)) ?? Data()
  }

  private var object: Any {
    switch self {
    case .null: NSNull()
    case .bool(let bool): bool
    case .number(let number): number.isFinite ? integer.map { $0 as Any } ?? number : NSNull()
    case .string(let text): text
    case .array(let elements): elements.map(\.object)
    case .object(let members): members.mapValues(\.object)
    }
  }
}

extension Data {
  /// The same JSON with U+FFFD instead of escapes of unpaired surrogates.
  fileprivate func replacingSurrogates() -> Data {
    var bytes = [UInt8](self)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      switch (unit(bytes, index), unit(bytes, index + 6)) {
      case (0xD800..<0xDC00, 0xDC00..<0xE000): index += 12
      case (0xD800..<0xE000, _):
        bytes.replaceSubrange(index..<index + 6, with: "\\ufffd".utf8)
        index += 6
      default: index += 2
      }
    }
    return Data(bytes)
  }

  /// The UTF-16 code unit of the escape at an index; zero if there is another escape or none.
  private func unit(_ bytes: [UInt8], _ index: Int) -> UInt16 {
    guard index + 6 <= bytes.count, bytes[index..<index + 2].elementsEqual("\\u".utf8) else { return 0 }
    return UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16) ?? 0
  }
}
