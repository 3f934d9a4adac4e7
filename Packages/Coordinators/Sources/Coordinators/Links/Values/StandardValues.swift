public import Foundation

extension LinkValue where Value == String {
  /// Any text; a path segment must not be empty.
  public static var string: LinkValue {
    var value = LinkValue("text", parse: { $0 }, print: { $0 })
    value.requirement.matchesAnything = true
    return value
  }
}

extension LinkValue where Value == Int {
  /// A whole number as `Int` prints it: without a plus sign and leading zeros.
  public static var int: LinkValue {
    LinkValue("a whole number", parse: { text in Int(text).flatMap { "\($0)" == text ? $0 : nil } }, print: { "\($0)" })
  }
}

extension LinkValue where Value == Bool {
  public static var bool: LinkValue { LinkValue("'true' or 'false'", parse: { Bool($0) }, print: { "\($0)" }) }
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
    let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "") : names.first
    return LinkValue(list ?? "no value (the type has no cases)", parse: { Value(rawValue: $0) }, print: { $0.rawValue })
  }
}
