/// The value of an option or argument: one value, an optional value, or any number of values.
///
/// The type of the declaration selects the variant, as in `Option<Int>`, `Option<Int?>` and `Option<[Int]>`. Conform your
/// own types to ``ExpressibleByArgument``; their optionals and arrays then conform to this protocol automatically.
public protocol ArgumentValue: Sendable {
  /// Returns the value of the given words.
  ///
  /// There is at least one word, and exactly one unless ``isRepeating``.
  ///
  /// - Throws: ``ValidationError`` when a word is not a valid value.
  static func value(from words: [String]) throws(ValidationError) -> Self

  /// The value when no word is given, or nil when the value is required.
  static var valueWhenAbsent: Self? { get }

  /// Whether more than one word can be given.
  static var isRepeating: Bool { get }

  /// The valid words for each value, or an empty array when they are not enumerable.
  static var choices: [String] { get }

  /// The text for this value as a default in help, or nil to show no default.
  var shownAsDefault: String? { get }
}

extension ExpressibleByArgument {
  /// Converts the last word.
  ///
  /// - Throws: The error of its `init(argument:)`.
  public static func value(from words: [String]) throws(ValidationError) -> Self {
    try Self(argument: words.last ?? "")
  }

  /// Nil: a plain value is required.
  public static var valueWhenAbsent: Self? { nil }

  /// False: a plain value can be given only once.
  public static var isRepeating: Bool { false }

  /// The type's list of valid words.
  public static var choices: [String] { allValueStrings }

  /// The word for this value, or nil when it is empty.
  public var shownAsDefault: String? { defaultValueDescription.isEmpty ? nil : defaultValueDescription }
}

extension Optional: ArgumentValue where Wrapped: ExpressibleByArgument {
  /// Converts the last word.
  ///
  /// - Throws: The error of the wrapped type's `init(argument:)`.
  public static func value(from words: [String]) throws(ValidationError) -> Wrapped? {
    try Wrapped(argument: words.last ?? "")
  }

  /// Nil as a value: an optional is not required.
  public static var valueWhenAbsent: Wrapped?? { .some(nil) }

  /// False: an optional can be given at most once.
  public static var isRepeating: Bool { false }

  /// The wrapped type's list of valid words.
  public static var choices: [String] { Wrapped.allValueStrings }

  /// The wrapped value's word, or nil.
  public var shownAsDefault: String? { self?.shownAsDefault }
}

extension Array: ArgumentValue where Element: ExpressibleByArgument {
  /// Converts every word, in the order given.
  ///
  /// - Throws: ``ValidationError`` for the first invalid word.
  public static func value(from words: [String]) throws(ValidationError) -> [Element] {
    var values: [Element] = []
    values.reserveCapacity(words.count)
    for word in words { values.append(try Element(argument: word)) }
    return values
  }

  /// An empty array: an array is not required.
  public static var valueWhenAbsent: [Element]? { [] }

  /// True: an array can be given any number of times.
  public static var isRepeating: Bool { true }

  /// The element type's list of valid words.
  public static var choices: [String] { Element.allValueStrings }

  /// The elements' words separated by commas, or nil when empty.
  public var shownAsDefault: String? {
    isEmpty ? nil : map(\.defaultValueDescription).joined(separator: ", ")
  }
}

/// A type that can be created from one word of the command line.
///
/// Strings, integers, floating-point numbers and `Bool` conform. An enumeration with string raw values needs only the
/// declaration. Its choices then appear in help, errors and completions:
///
/// ```swift
/// enum ColorMode: String, CaseIterable, ExpressibleByArgument {
///   case auto, always, never
/// }
/// ```
///
/// Any other type converts a word, and throws an error that describes the valid words:
///
/// ```swift
/// extension FaultPlan: ExpressibleByArgument {
///   init(argument: String) throws(ValidationError) {
///     guard let plan = FaultPlan(specification: argument) else {
///       throw ValidationError("expected faults such as 'drop:2,delay:50ms'")
///     }
///     self = plan
///   }
/// }
/// ```
public protocol ExpressibleByArgument: ArgumentValue {
  /// Creates a value from one word.
  ///
  /// - Throws: ``ValidationError`` with the expected format, as a phrase that can follow a colon: "expected a whole
  ///   number from 0 to 255".
  init(argument: String) throws(ValidationError)

  /// The valid words in display order, or an empty array when they are not enumerable.
  static var allValueStrings: [String] { get }

  /// The word for this value as a default in help.
  var defaultValueDescription: String { get }
}

extension ExpressibleByArgument {
  /// An empty array: the valid words are not enumerable.
  public static var allValueStrings: [String] { [] }

  /// The value's description from string interpolation.
  public var defaultValueDescription: String { "\(self)" }
}

extension ExpressibleByArgument where Self: CaseIterable, Self: RawRepresentable, RawValue == String {
  /// Creates the case with this raw value.
  ///
  /// - Throws: ``ValidationError`` with the list of raw values.
  public init(argument: String) throws(ValidationError) {
    guard let value = Self(rawValue: argument) else {
      let choices = Self.allValueStrings.map { "'\($0)'" }.joined(separator: ", ")
      let suggestion = Suggestion.closest(to: argument, among: Self.allValueStrings)
      throw ValidationError("expected one of \(choices)" + (suggestion.map { "; did you mean '\($0)'?" } ?? ""))
    }
    self = value
  }

  /// The raw values, in the order of the cases.
  public static var allValueStrings: [String] { allCases.map(\.rawValue) }

  /// The raw value.
  public var defaultValueDescription: String { rawValue }
}

extension String: ExpressibleByArgument {
  /// Uses the word unchanged; every word is valid, including the empty one.
  ///
  /// - Throws: Nothing.
  public init(argument: String) throws(ValidationError) { self = argument }
}

extension Bool: ExpressibleByArgument {
  /// Parses `true` or `false`.
  ///
  /// - Throws: ``ValidationError`` for any other word.
  public init(argument: String) throws(ValidationError) {
    guard let value = Bool(argument) else { throw ValidationError("expected 'true' or 'false'") }
    self = value
  }

  /// `true` and `false`.
  public static var allValueStrings: [String] { ["true", "false"] }
}

extension ExpressibleByArgument where Self: FixedWidthInteger {
  /// Parses a whole number in base ten.
  ///
  /// - Throws: ``ValidationError`` with the valid range when the word is not a number or is out of range.
  public init(argument: String) throws(ValidationError) {
    guard let value = Self(argument) else {
      throw ValidationError("expected a whole number from \(Self.min) to \(Self.max)")
    }
    self = value
  }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible & BinaryFloatingPoint {
  /// Parses a decimal or hexadecimal number, `inf` or `nan`.
  ///
  /// - Throws: ``ValidationError`` for any other word.
  public init(argument: String) throws(ValidationError) {
    guard let value = Self(argument) else { throw ValidationError("expected a number") }
    self = value
  }
}

extension Int: ExpressibleByArgument {}
extension Int8: ExpressibleByArgument {}
extension Int16: ExpressibleByArgument {}
extension Int32: ExpressibleByArgument {}
extension Int64: ExpressibleByArgument {}
extension UInt: ExpressibleByArgument {}
extension UInt8: ExpressibleByArgument {}
extension UInt16: ExpressibleByArgument {}
extension UInt32: ExpressibleByArgument {}
extension UInt64: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}
extension Float: ExpressibleByArgument {}

/// An invalid value, or an invalid combination of values.
///
/// Throw it from ``ExpressibleByArgument/init(argument:)`` to describe the valid values, and from the `output` function
/// of a ``Command`` to reject a combination. In both cases the result is a usage error (``ExitCode/validationFailure``)
/// with this message.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem, as a sentence or the end of one: "expected a whole number".
  public let message: String

  /// Creates an error with a message.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

/// The completions that a shell offers for a value.
public enum CompletionKind: Sendable, Equatable {
  /// No completions.
  case none
  /// Files and directories.
  case file
  /// Directories.
  case directory
  /// These words.
  case list([String])
}
