public import Foundation

extension LinkValue where Value == String {
  /// Any text; a path segment must not be empty.
  public static var string: LinkValue { LinkValue("text", parse: { $0 }, print: { $0 }).matchingAnything() }
}

extension LinkValue where Value == Int {
  /// A whole number as `Int` prints it: without a plus sign and leading zeros.
  public static var int: LinkValue {
    LinkValue("a whole number", parse: { text in Int(text).flatMap { "\($0)" == text ? $0 : nil } }, print: { "\($0)" })
  }
}

extension LinkValue where Value == Bool {
  /// `true` or `false`.
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

extension LinkValue where Value == Date {
  /// A day, `2017-03-02`: its beginning in UTC, in the years from 1 through 9999.
  ///
  /// A date within a day cannot be printed.
  public static var day: LinkValue {
    LinkValue("a date such as 2017-03-02") { text in
      text.utf8.count == 10 ? wholeSecond(text + "T00:00:00Z") : nil
    } print: { date in
      guard date.timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400) == 0 else { return nil }
      return text(ofWholeSecond: date).map { String($0.prefix(10)) }
    }
  }

  /// A time in UTC with whole seconds, `2017-03-02T09:30:00Z`, in the years from 1 through 9999.
  ///
  /// A date with a fraction of a second cannot be printed.
  public static var date: LinkValue {
    LinkValue("a time such as 2017-03-02T09:30:00Z", parse: wholeSecond, print: text(ofWholeSecond:))
  }
}

private let years = Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)

private func text(ofWholeSecond date: Date) -> String? {
  let seconds = date.timeIntervalSince1970
  return years.contains(date) && seconds == seconds.rounded() ? date.formatted(.iso8601) : nil
}

private func wholeSecond(_ text: String) -> Date? {
  // The format is lenient, for example with the number of digits.
  guard let date = try? Date(text, strategy: .iso8601), date.formatted(.iso8601) == text else { return nil }
  return years.contains(date) ? date : nil
}
