/// A value known by its position: `demo open LINK`.
///
/// `Argument<String>` must be given unless it has a default, `Argument<String?>` may be left out, and
/// `Argument<[String]>` takes all the words that remain.
///
/// ```swift
/// Argument<String>("link", help: "Where to go, such as 'app://birds/puffin'.")
/// ```
///
/// Positional arguments are filled in the order declared, so those that may be left out come after those that may
/// not, and one that repeats comes last.
public struct Argument<Value: ArgumentValue>: ArgumentDeclaration {
  /// How the argument appears in help and how its value is read.
  public let reader: ArgumentReader<Value>

  /// Declares a positional argument.
  ///
  /// - Parameters:
  ///   - name: What help and errors call it; unique among the command's arguments.
  ///   - initial: The value when the argument is not given; without it `Value` decides.
  ///   - help: What the argument means, in a sentence.
  ///   - completion: What a shell offers for the value; the choices of `Value` if not said.
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
