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
