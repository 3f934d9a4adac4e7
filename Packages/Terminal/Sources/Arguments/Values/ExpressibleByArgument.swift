/// A type that one word of the command line can spell.
///
/// Strings, whole numbers, floating-point numbers and `Bool` conform. An enumeration with string raw values needs
/// only the declaration, and then lists its choices in help, errors and completions:
///
/// ```swift
/// enum ColorMode: String, CaseIterable, ExpressibleByArgument {
///   case auto, always, never
/// }
/// ```
///
/// Any other type says how it reads a word, and why it refuses one:
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
  /// Reads one word.
  ///
  /// - Throws: ``ValidationError`` saying what was expected, in words that can follow a dash:
  ///   "expected a whole number from 0 to 255".
  init(argument: String) throws(ValidationError)

  /// The words to choose from, in the order to show them; empty when there is no such list.
  static var allValueStrings: [String] { get }

  /// The word that stands for this value where help shows a default.
  var defaultValueDescription: String { get }
}

extension ExpressibleByArgument {
  /// No list of choices.
  public static var allValueStrings: [String] { [] }

  /// The value as string interpolation shows it.
  public var defaultValueDescription: String { "\(self)" }
}

extension ExpressibleByArgument where Self: CaseIterable, Self: RawRepresentable, RawValue == String {
  /// Reads the raw value of a case.
  ///
  /// - Throws: ``ValidationError`` listing the raw values.
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
