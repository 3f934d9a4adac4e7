/// A value identified by its position: `demo open LINK`.
///
/// `Argument<String>` is required unless it has a default, `Argument<String?>` is optional, and `Argument<[String]>`
/// takes all remaining words.
///
/// ```swift
/// Argument<String>("link", help: "The link to follow, such as 'app://birds/puffin'.")
/// ```
///
/// Positional arguments are filled in declaration order. Declare optional arguments after required ones, and a repeating
/// argument last.
public struct Argument<Value: ArgumentValue>: ArgumentDeclaration {
  /// The description for help, and the conversion from words to a value.
  public let reader: ArgumentReader<Value>

  /// Declares a positional argument.
  ///
  /// - Parameters:
  ///   - name: The name in help and errors; unique among the command's arguments.
  ///   - initial: The value when the argument is absent; without it `Value` decides.
  ///   - help: The meaning of the argument, in a sentence.
  ///   - completion: The completions that a shell offers for the value; by default the choices of `Value`.
  public init(
    _ name: String,
    default initial: Value? = nil,
    help: String = "",
    completion: CompletionKind? = nil
  ) {
    let definition = Definition(
      kind: .positional,
      name: name,
      valueName: name,
      help: help,
      isRequired: (initial ?? Value.valueWhenAbsent) == nil,
      isRepeating: Value.isRepeating,
      choices: Value.choices,
      defaultDescription: initial?.shownAsDefault,
      completion: completion)
    reader = ArgumentReader(definition, default: initial) { $0.positionals[name] ?? [] }
  }
}
