/// A named value: `--save pictures`.
///
/// The type decides how often the option can be given: `Option<Int>` exactly once (or at most once, if it has a default),
/// `Option<Int?>` at most once, `Option<[Int]>` any number of times. Repeating an option of the first two types is a usage error.
///
/// ```swift
/// Option<String?>("save", short: "s", valueName: "dir", help: "Write each picture here.", completion: .directory)
/// ```
///
/// The accepted forms are `--save DIR`, `--save=DIR`, `-s DIR`, `-sDIR` and `-s=DIR`. A value that starts with a dash and
/// is not a number requires a form with `=`.
public struct Option<Value: ArgumentValue>: ArgumentDeclaration {
  /// The description for help, and the conversion from words to a value.
  public let reader: ArgumentReader<Value>

  /// Declares an option.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The short name, or nil.
  ///   - initial: The value when the option is absent; without it `Value` decides.
  ///   - valueName: The name of the value in help; by default the long name.
  ///   - help: The effect of the option, in a sentence.
  ///   - completion: The completions that a shell offers for the value; by default the choices of `Value`.
  public init(
    _ name: String,
    short: Character? = nil,
    default initial: Value? = nil,
    valueName: String? = nil,
    help: String = "",
    completion: CompletionKind? = nil
  ) {
    let definition = Definition(
      kind: .option,
      name: name,
      short: short,
      valueName: valueName ?? name,
      help: help,
      isRequired: (initial ?? Value.valueWhenAbsent) == nil,
      isRepeating: Value.isRepeating,
      choices: Value.choices,
      defaultDescription: initial?.shownAsDefault,
      completion: completion)
    reader = ArgumentReader(definition, default: initial) { $0.options[name] ?? [] }
  }
}
