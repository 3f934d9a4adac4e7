/// The value of an option or argument: one value, an optional value, or any number of values.
///
/// The type of the declaration selects the variant, as in `Option<Int>`, `Option<Int?>` and `Option<[Int]>`. Do not conform
/// your own types; conform them to ``ExpressibleByArgument``. Their optionals and arrays then conform to this protocol.
public protocol ArgumentValue: Sendable {
  /// The type of the value of one word.
  associatedtype ArgumentElement: ExpressibleByArgument

  /// Returns the value for the elements given, in order, or nil when an element is required and none is given.
  static func value(of elements: [ArgumentElement]) -> Self?

  /// Whether more than one word can be given.
  static var isRepeating: Bool { get }

  /// The elements of this value, for its description as a default in help.
  var argumentElements: [ArgumentElement] { get }
}

extension ExpressibleByArgument {
  public static func value(of elements: [Self]) -> Self? { elements.last }

  public static var isRepeating: Bool { false }

  public var argumentElements: [Self] { [self] }
}

extension Optional: ArgumentValue where Wrapped: ExpressibleByArgument {
  public static func value(of elements: [Wrapped]) -> Wrapped?? { .some(elements.last) }

  public static var isRepeating: Bool { false }

  public var argumentElements: [Wrapped] { self.map { [$0] } ?? [] }
}

extension Array: ArgumentValue where Element: ExpressibleByArgument {
  public static func value(of elements: [Element]) -> [Element]? { elements }

  public static var isRepeating: Bool { true }

  public var argumentElements: [Element] { self }
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
public protocol ExpressibleByArgument: ArgumentValue where ArgumentElement == Self {
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
  public static var allValueStrings: [String] { [] }

  public var defaultValueDescription: String { "\(self)" }
}

extension ExpressibleByArgument where Self: CaseIterable, Self: RawRepresentable, RawValue == String {
  public init(argument: String) throws(ValidationError) {
    guard let value = Self(rawValue: argument) else {
      let choices = Self.allValueStrings.map { "'\($0)'" }.joined(separator: ", ")
      let suggestion = closest(to: argument, among: Self.allValueStrings)
      throw ValidationError("expected one of \(choices)" + (suggestion.map { "; did you mean '\($0)'?" } ?? ""))
    }
    self = value
  }

  public static var allValueStrings: [String] { allCases.map(\.rawValue) }

  public var defaultValueDescription: String { rawValue }
}

extension String: ExpressibleByArgument {
  public init(argument: String) throws(ValidationError) { self = argument }
}

extension Bool: ExpressibleByArgument {
  public init(argument: String) throws(ValidationError) {
    guard let value = Bool(argument) else { throw ValidationError("expected 'true' or 'false'") }
    self = value
  }

  public static var allValueStrings: [String] { ["true", "false"] }
}

extension ExpressibleByArgument where Self: FixedWidthInteger {
  public init(argument: String) throws(ValidationError) {
    guard let value = Self(argument) else {
      throw ValidationError("expected a whole number from \(Self.min) to \(Self.max)")
    }
    self = value
  }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible & BinaryFloatingPoint {
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

  public init(_ message: String) {
    self.message = message
  }

  public var description: String { message }
}

/// The completions that a shell offers for a value.
public enum CompletionKind: Sendable, Equatable {
  case none
  case file
  case directory
  case list([String])
}
