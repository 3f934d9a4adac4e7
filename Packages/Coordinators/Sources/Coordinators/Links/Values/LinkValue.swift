/// The text of one value in a link, both ways: from text to a value, and back.
///
/// There are ``string``, ``int``, ``uuid``, ``day``, ``date`` and others, ``init(_:parse:print:)`` for a type of your own,
/// and ``optional(_:)`` and ``repeated(_:)`` of each.
///
/// ```swift
/// enum Tone: String, CaseIterable { case formal, casual }
/// let tone = LinkValue<Tone>.cases
/// ```
public struct LinkValue<Value>: Sendable {
  @usableFromInline let requirement: LinkRequirement
  @usableFromInline let read: @Sendable (inout LinkReader) throws(LinkReader.Mismatch) -> Value
  @usableFromInline let write: @Sendable (Value, inout LinkWriter) -> Void

  init(
    requirement: LinkRequirement,
    read: @escaping @Sendable (inout LinkReader) throws(LinkReader.Mismatch) -> Value,
    write: @escaping @Sendable (Value, inout LinkWriter) -> Void
  ) {
    self.requirement = requirement
    self.read = read
    self.write = write
  }

  /// One piece of text, as bytes that are decoded already.
  init(
    _ expectation: String, takesAnything: Bool = false,
    bytes parse: @escaping @Sendable (ArraySlice<UInt8>) -> Value?,
    write: @escaping @Sendable (Value, inout LinkWriter) -> Void
  ) {
    self.init(
      requirement: LinkRequirement(count: .one, expectation: expectation, takesAnything: takesAnything),
      read: { reader throws(LinkReader.Mismatch) in try reader.one(parse) },
      write: write)
  }

  /// Creates a value of a type of your own.
  ///
  /// - Parameters:
  ///   - expectation: What it is, to follow "expected": `a colour as six hexadecimal digits`.
  ///   - parse: From text without percent-encoding, to a value, or `nil` when it is none.
  ///   - print: From a value to a text that `parse` gives the same value for; `nil` when there is none. It may have any
  ///     characters.
  public init(
    _ expectation: String, parse: @escaping @Sendable (String) -> Value?,
    print: @escaping @Sendable (Value) -> String?
  ) {
    self.init(
      expectation,
      bytes: { bytes in String(validating: bytes, as: UTF8.self).flatMap(parse) },
      write: { value, writer in
        if let text = print(value) { writer.write(text) } else { writer.refuse() }
      })
  }

  /// The next value of a link that is being read.
  @inlinable
  func next(_ reader: inout LinkReader) throws(LinkReader.Mismatch) -> Value {
    reader.advance()
    return try read(&reader)
  }

  /// Writes the next value of a link.
  @inlinable
  func writeNext(_ value: Value, _ writer: inout LinkWriter) {
    writer.advance()
    write(value, &writer)
  }
}

extension LinkValue {
  /// A value or nothing: a query item or a fragment that may be absent, or the last segment of a path.
  ///
  /// Of one that is neither optional nor repeated; anything else is one of the ``Links/problems``.
  public static func optional<Wrapped>(_ value: LinkValue<Wrapped>) -> LinkValue where Value == Wrapped? {
    var requirement = value.requirement
    requirement.isNested = requirement.count != .one
    requirement.count = .optional
    return LinkValue(
      requirement: requirement,
      read: { reader throws(LinkReader.Mismatch) in reader.isAbsent ? nil : try value.read(&reader) },
      write: { wrapped, writer in if let wrapped { value.write(wrapped, &writer) } })
  }

  /// A value as often as it is there: all query items of that name, or the rest of the path; none is an empty array.
  ///
  /// Of one that is neither optional nor repeated; anything else is one of the ``Links/problems``.
  public static func repeated<Element>(_ value: LinkValue<Element>) -> LinkValue where Value == [Element] {
    var requirement = value.requirement
    requirement.isNested = requirement.count != .one
    requirement.count = .repeated
    return LinkValue(
      requirement: requirement,
      read: { reader throws(LinkReader.Mismatch) in
        var elements: [Element] = []
        while !reader.isAbsent {
          elements.append(try value.read(&reader))
          reader.advancePiece()
        }
        return elements
      },
      write: { elements, writer in for element in elements { value.write(element, &writer) } })
  }
}
