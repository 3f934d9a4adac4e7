public import Foundation

/// Converts a value of a link from text and to text.
///
/// Use ``string``, ``int``, ``uuid`` and ``cases``, or ``init(_:parse:print:)`` for other types. ``optional(_:)``
/// wraps any of them.
///
/// ```swift
/// enum Tone: String, CaseIterable { case formal, casual }
/// let tone = LinkValue<Tone>.cases
///
/// let format = Date.ISO8601FormatStyle().year().month().day()
/// let day = LinkValue("a date such as 2017-03-02") { text in
///   // The format also parses texts that it does not print.
///   (try? format.parse(text)).flatMap { format.format($0) == text ? $0 : nil }
/// } print: { day in
///   // A date with a time has no text, because it would parse to another date.
///   (try? format.parse(format.format(day))) == day ? format.format(day) : nil
/// }
/// ```
public struct LinkValue<Value>: Sendable {
  let kind: LinkValueKind
  let parse: @Sendable ([String]) -> Value?
  let print: @Sendable (Value) -> [String]?

  /// Creates a value of another type.
  ///
  /// `expectation` follows "expected", for example `a colour as six hexadecimal digits`. `parse` receives a text
  /// without percent-encoding, and returns `nil` for an invalid one. `print` returns a text that `parse` reads as this
  /// value, or `nil` for a value without a text. The text can have any characters.
  public init(
    _ expectation: String, parse: @escaping @Sendable (String) -> Value?,
    print: @escaping @Sendable (Value) -> String?
  ) {
    kind = LinkValueKind(isOptional: false, expectation: expectation) { parse($0) != nil }
    self.parse = { $0.first.flatMap(parse) }
    self.print = { print($0).map { [$0] } }
  }

  /// A value that may be absent: a query item, or the last segment of the path.
  public static func optional<Wrapped>(_ value: LinkValue<Wrapped>) -> LinkValue where Value == Wrapped? {
    LinkValue(optional: value)
  }

  private init<Wrapped>(optional value: LinkValue<Wrapped>) where Value == Wrapped? {
    precondition(!value.kind.isOptional, "An optional value of a link cannot be nested in another one.")
    kind = LinkValueKind(isOptional: true, expectation: value.kind.expectation, isValid: value.kind.isValid)
    parse = { $0.isEmpty ? .some(nil) : value.parse($0).map { .some($0) } }
    print = { $0.map(value.print) ?? [] }
  }

  func take(from texts: inout ArraySlice<[String]>) throws -> Value {
    guard let value = texts.popFirst().flatMap(parse) else { throw CancellationError() }
    return value
  }
}

extension LinkValue where Value == String {
  /// Any text; a path segment must not be empty.
  public static var string: LinkValue { LinkValue("text", parse: { $0 }, print: { $0 }) }
}

extension LinkValue where Value == Int {
  /// A whole number as `Int` prints it: without a plus sign and leading zeros.
  public static var int: LinkValue {
    LinkValue("a whole number", parse: { text in Int(text).flatMap { "\($0)" == text ? $0 : nil } }, print: { "\($0)" })
  }
}

extension LinkValue where Value == UUID {
  /// A UUID with hyphens, in upper or lower case.
  public static var uuid: LinkValue {
    LinkValue(
      "a UUID", parse: { $0.utf8.count == 36 ? UUID(uuidString: $0) : nil }, print: { $0.uuidString.lowercased() })
  }
}

extension LinkValue where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// A case of an enumeration, by its raw value.
  public static var cases: LinkValue {
    let names = Value.allCases.map { "'\($0.rawValue)'" }
    return LinkValue(
      names.isEmpty ? "no value (the type has no cases)" : alternatives(names),
      parse: { text in Value.allCases.first { $0.rawValue.isSame(text) } }, print: { $0.rawValue })
  }
}

/// The parts of a ``LinkValue`` that do not depend on its type.
struct LinkValueKind: Sendable {
  let isOptional: Bool
  let expectation: String
  let isValid: @Sendable (String) -> Bool

  func read(
    _ part: (text: String, offset: Int)?, of text: LinkText, at end: Int, allowsEmpty: Bool = true
  ) throws(LinkError) -> [String] {
    if part == nil, isOptional { return [] }
    guard let part, isValid(part.text), allowsEmpty || !part.text.isEmpty else {
      throw LinkError(link: text.link, at: part?.offset ?? end, [expectation])
    }
    return [part.text]
  }
}
