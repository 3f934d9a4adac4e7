import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A value of Foundation that is created from equal data and from different data.
struct FoundationSample: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let make: @Sendable (_ isOther: Bool) -> Any

  init(_ name: String, _ make: @escaping @Sendable (_ isOther: Bool) -> Any) {
    testDescription = name
    self.make = make
  }
}

/// An object of a class that derives from Foundation's.
class FoundationObject: NSObject {
  let number: Int
  var next: FoundationObject?
  init(_ number: Int) { self.number = number }
}

final class DerivedObject: FoundationObject {}

final class EmptyObject: NSObject {}

private final class DescribedObject: NSObject {
  let number: Int
  init(_ number: Int) { self.number = number }
  override var description: String { "DescribedObject" }
}

private class NamedObject: NSObject {
  override var description: String { "one" }
}

private final class OtherObject: NamedObject {
  override var description: String { "two" }
}

private func unit(_ isOther: Bool) -> UnitLength {
  UnitLength(symbol: "x", converter: UnitConverterLinear(coefficient: isOther ? 1 : 2))
}

/// Returns other values in turn, without randomness, so that a failure can be repeated.
private func isReversed() -> Bool {
  orders.append(())
  return orders.count % 2 == 0
}

private let orders = Log<Void>()

/// Equal entries in dictionaries with different orders, as in different runs.
func unorderedEntries(_ isOther: Bool) -> [String: Any] {
  let reversed = isReversed()
  var dictionary = [String: Any](minimumCapacity: reversed ? 1_000 : 0)
  for number in reversed ? Array((1...20).reversed()) : Array(1...20) { dictionary["key \(number)"] = number }
  dictionary["key 7"] = isOther ? 0 : 7
  return dictionary
}

private func attributed(_ isOther: Bool) -> AttributedString {
  var text = AttributedString("hello")
  let changes: [(inout AttributedString) -> Void] = [
    { $0.link = URL(string: "http://a.b") }, { $0.languageIdentifier = isOther ? "en" : "de" },
    { $0.alternateDescription = "a" },
  ]
  for change in isReversed() ? changes.reversed() : changes { change(&text) }
  return text + AttributedString(" world")
}

let foundationSamples = [
  FoundationSample("an object of Foundation") { DerivedObject($0 ? 1 : 2) },
  FoundationSample("an object with a description") { DescribedObject($0 ? 1 : 2) },
  FoundationSample("an object with a description and without members") { $0 ? OtherObject() : NamedObject() },
  FoundationSample("a unit with a converter") { unit($0) },
  FoundationSample("a measurement in a unit with a converter") { Measurement(value: 1, unit: unit($0)) },
  FoundationSample("a time zone that follows the settings") { $0 ? TimeZone.current : .autoupdatingCurrent },
  FoundationSample("a SIMD vector") { SIMD2(1, $0 ? 2 : 3) },
  FoundationSample("TimeZone") { TimeZone(identifier: $0 ? "Europe/Paris" : "Europe/Berlin") as Any },
  FoundationSample("Calendar") { isOther in
    var calendar = Calendar(identifier: .gregorian)
    calendar.firstWeekday = isOther ? 2 : 1
    return calendar
  },
  FoundationSample("Locale") { Locale(identifier: $0 ? "de_AT" : "de_DE") },
  FoundationSample("long Data") { isOther in
    var data = Data(repeating: 1, count: 1_000)
    if isOther { data[999] = 2 }
    return data
  },
  FoundationSample("a slice of Data") { Data([9, 9, 1, $0 ? 2 : 3, 9])[2...3] },
  FoundationSample("Date") { Date(timeIntervalSinceReferenceDate: 1e8 + ($0 ? 1e-7 : 0)) },
  FoundationSample("NSDate") { NSDate(timeIntervalSince1970: $0 ? 0.25 : 0.5) },
  FoundationSample("DateComponents") {
    DateComponents(timeZone: TimeZone(identifier: "GMT"), year: $0 ? 2_001 : 2_000)
  },
  FoundationSample("Decimal") { Decimal($0 ? 1 : 2) / 3 },
  FoundationSample("Measurement") { Measurement(value: 1, unit: $0 ? UnitLength.meters : .feet) },
  FoundationSample("URL") { URL(string: $0 ? "http://a.b/c" : "http://a.b/d") as Any },
  FoundationSample("URLComponents") { URLComponents(string: $0 ? "http://a.b?c" : "http://a.b?d") as Any },
  FoundationSample("URLRequest") { isOther in
    var request = URLRequest(url: URL(fileURLWithPath: "/a"))
    for (key, value) in unorderedEntries(isOther) { request.setValue("\(value)", forHTTPHeaderField: key) }
    request.httpBody = Data(repeating: 255, count: 100)
    return request
  },
  FoundationSample("a URLRequest's body") { isOther in
    var request = URLRequest(url: URL(fileURLWithPath: "/a"))
    request.httpBody = Data([UInt8](repeating: 255, count: 100) + [isOther ? 254 : 255])
    return request
  },
  FoundationSample("HTTPURLResponse") {
    HTTPURLResponse(
      url: URL(fileURLWithPath: "/a"), statusCode: 200, httpVersion: nil,
      headerFields: unorderedEntries($0).mapValues { "\($0)" }) as Any
  },
  FoundationSample("UUID") { UUID(uuidString: "00000000-0000-0000-0000-00000000000\($0 ? 1 : 2)") as Any },
  FoundationSample("AttributedString") { attributed($0) },
  FoundationSample("NSDictionary") { NSDictionary(dictionary: unorderedEntries($0)) },
  FoundationSample("NSArray") { NSArray(array: $0 ? ["a", "b"] : ["a,\n    b"]) },
  FoundationSample("an NSArray of numbers and texts") { NSArray(array: $0 ? [1] : ["1"]) },
  FoundationSample("NSSet") { NSSet(array: Array(unorderedEntries($0).values)) },
  FoundationSample("NSString") { NSString(string: $0 ? "a" : "b") },
  FoundationSample("Unit") { $0 ? UnitLength.meters : UnitLength.feet },
  FoundationSample("NSError") { NSError(domain: "d", code: 1, userInfo: unorderedEntries($0)) },
  FoundationSample("URLError") { URLError(.badURL, userInfo: unorderedEntries($0)) },
  FoundationSample("Notification") { Notification(name: .init("n"), userInfo: unorderedEntries($0)) },
  FoundationSample("NSDecimalNumber") { NSDecimalNumber(value: $0 ? 1.5 : 2.5) },
]

// Objects of classes that derive from a class of Foundation with data.
//
// Unchecked: each test uses an object on one thread.
private final class Formatting: DateFormatter, @unchecked Sendable { var number = 1 }

// Unchecked: each test uses an object on one thread.
private final class Failure: NSError, @unchecked Sendable { var number = 1 }

// Unchecked: it has no state.
private final class Converter: UnitConverter, @unchecked Sendable {}

/// Objects of Foundation whose data the text cannot show, with the names of their classes.
let hiddenFoundationSamples: [FoundationSample] = [
  FoundationSample("CharacterSet") { CharacterSet(charactersIn: $0 ? "abcx" : "abcz") },
  FoundationSample("UnitConverterLinear") { UnitConverterLinear(coefficient: $0 ? 1 : 2) },
  FoundationSample("NSPredicate") { NSPredicate(value: $0) },
  FoundationSample("DateFormatter") { isOther in
    let formatter = DateFormatter()
    formatter.dateFormat = isOther ? "y" : "M"
    return formatter
  },
  FoundationSample("Formatting") { isOther in
    let formatter = Formatting()
    formatter.dateFormat = isOther ? "y" : "M"
    return formatter
  },
  FoundationSample("Failure") { isOther in
    let failure = Failure(domain: "d", code: 1)
    failure.number = isOther ? 1 : 2
    return failure
  },
  FoundationSample("UnitLength") { UnitLength(symbol: $0 ? "a" : "b", converter: Converter()) },
  FoundationSample("InputStream") { InputStream(data: Data([$0 ? 1 : 2])) },
  FoundationSample("DispatchData") { isOther in [UInt8(1), isOther ? 2 : 3].withUnsafeBytes { DispatchData(bytes: $0) }
  },
  FoundationSample("NSAttributedString") {
    NSAttributedString(string: "a", attributes: [.init("x"): 1, .init("y"): $0 ? 2 : 3, .init("z"): 4])
  },
  FoundationSample("NSCountedSet") { NSCountedSet(array: $0 ? [1, 1, 2] : [1, 2, 2]) },
  FoundationSample("NSRegularExpression") {
    (try? NSRegularExpression(pattern: "a", options: $0 ? [] : .caseInsensitive)) as Any
  },
  FoundationSample("HTTPCookie") { isOther in
    HTTPCookie(properties: [.name: "a", .value: isOther ? "b" : "c", .domain: "d", .path: "/"]) as Any
  },
  FoundationSample("URLResponse") { isOther in
    URLResponse(
      url: URL(fileURLWithPath: "/a"), mimeType: isOther ? "a/b" : "a/c", expectedContentLength: 1,
      textEncodingName: nil)
  },
  FoundationSample("NSConcreteValue") { isOther in
    var number = isOther ? 1 : 2
    return NSValue(bytes: &number, objCType: "q")
  },
  FoundationSample("KeyPath<String, Int>") { $0 ? \String.count : \String.utf8.count },
]
