public import Foundation

extension LinkValue where Value == String {
  /// Any text, but not an empty one as a segment of a path.
  public static var string: LinkValue {
    LinkValue(
      "text", takesAnything: true, bytes: { String(validating: $0, as: UTF8.self) },
      write: { value, writer in writer.write(value) })
  }
}

extension LinkValue where Value == Int {
  /// A whole number, as `Int` prints it: without a plus, without zeros before it.
  public static var int: LinkValue {
    LinkValue("a whole number", bytes: wholeNumber(of:), write: { value, writer in writer.write(value) })
  }
}

extension LinkValue where Value == Bool {
  /// `true` or `false`.
  public static var bool: LinkValue {
    LinkValue("'true' or 'false'", parse: { Bool($0) }, print: { "\($0)" })
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
  /// One of the cases of an enumeration, by its raw value.
  public static var cases: LinkValue {
    let names = Value.allCases.map { "'\($0.rawValue)'" }
    let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "") : names.first
    return LinkValue(list ?? "no value (the type has no cases)", parse: { Value(rawValue: $0) }, print: { $0.rawValue })
  }
}

extension LinkValue where Value: LosslessStringConvertible & Sendable {
  /// A value of a type that is made from its own description.
  ///
  /// - Parameter expectation: What it is, to follow "expected".
  public static func lossless(_ expectation: String) -> LinkValue {
    LinkValue(expectation, parse: { Value($0) }, print: { $0.description })
  }
}

/// The number that digits are, if `Int` would print them so.
private func wholeNumber(of bytes: ArraySlice<UInt8>) -> Int? {
  let isNegative = bytes.first == UInt8(ascii: "-")
  let digits = bytes.dropFirst(isNegative ? 1 : 0)
  guard let first = digits.first, digits.count <= 19 else { return nil }
  if first == UInt8(ascii: "0"), digits.count > 1 || isNegative { return nil }
  var number = 0
  for byte in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    let digit = Int(byte - UInt8(ascii: "0"))
    let (tens, tooManyTens) = number.multipliedReportingOverflow(by: 10)
    let (next, tooMuch) = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
    if tooManyTens || tooMuch { return nil }
    number = next
  }
  return number
}
