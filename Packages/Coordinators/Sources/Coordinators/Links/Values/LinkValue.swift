/// Converts a value of a link from text and to text.
///
/// Use ``string``, ``int``, ``bool``, ``uuid`` and ``cases``, or ``init(_:parse:print:)`` for other types. ``optional(_:)`` and
/// ``repeated(_:)`` wrap any of them.
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
  var requirement: LinkRequirement
  let value: @Sendable ([Any]) -> Value?
  let texts: @Sendable (Value) -> [String]?

  /// Creates a value of another type.
  ///
  /// `expectation` follows "expected", for example `a colour as six hexadecimal digits`. `parse` receives a text
  /// without percent-encoding, and returns `nil` for an invalid one. `print` returns a text that `parse` reads as this
  /// value, or `nil` for a value without a text. The text can have any characters.
  public init(
    _ expectation: String, parse: @escaping @Sendable (String) -> Value?,
    print: @escaping @Sendable (Value) -> String?
  ) {
    requirement = LinkRequirement(expectation: expectation) { parse($0).map { $0 as Any } }
    value = { $0.first as? Value }
    texts = { print($0).map { [$0] } }
  }

  private init(
    _ requirement: LinkRequirement, _ count: LinkRequirement.Count, value: @escaping @Sendable ([Any]) -> Value?,
    texts: @escaping @Sendable (Value) -> [String]?
  ) {
    var requirement = requirement
    requirement.isNested = requirement.count != .one
    requirement.count = count
    (self.requirement, self.value, self.texts) = (requirement, value, texts)
  }
}

extension LinkValue {
  /// A value that may be absent: a query item, the fragment, or the last segment of the path.
  ///
  /// Nested optional or repeated values are reported in ``Links/problems``.
  public static func optional<Wrapped>(_ value: LinkValue<Wrapped>) -> LinkValue where Value == Wrapped? {
    LinkValue(value.requirement, .optional) { parsed in
      parsed.isEmpty ? .some(nil) : value.value(parsed).map { .some($0) }
    } texts: {
      $0.map(value.texts) ?? []
    }
  }

  /// All query items of a name, or all segments of the rest of the path; may be empty.
  ///
  /// Nested optional or repeated values are reported in ``Links/problems``.
  public static func repeated<Element>(_ value: LinkValue<Element>) -> LinkValue where Value == [Element] {
    LinkValue(value.requirement, .repeated) { parsed in
      parsed.compactMap { value.value([$0]) }
    } texts: { elements in
      let texts = elements.compactMap(value.texts)
      return texts.count == elements.count ? texts.flatMap(\.self) : nil
    }
  }
}

@usableFromInline
struct LinkRequirement: Sendable {
  enum Count: Sendable { case one, optional, repeated }

  var count = Count.one
  var expectation: String
  /// Whether optional or repeated values are nested, which a text cannot express.
  var isNested = false
  var matchesAnything = false
  var literal: String?
  var parse: @Sendable (String) -> Any?

  init(expectation: String, parse: @escaping @Sendable (String) -> Any?) {
    self.expectation = expectation
    self.parse = parse
  }

  func isComplete(_ number: Int) -> Bool { number > 0 || count != .one }

  func read(
    _ parts: ArraySlice<Range<Int>>, of text: LinkText, plusIsSpace: Bool = false
  ) throws(LinkDiagnosis) -> [Any] {
    var read: [Any] = []
    for part in parts {
      guard let value = parse(try text.decoded(part, plusIsSpace: plusIsSpace)) else {
        throw .mismatch(at: part.lowerBound, expectation)
      }
      read.append(value)
    }
    return read
  }
}
