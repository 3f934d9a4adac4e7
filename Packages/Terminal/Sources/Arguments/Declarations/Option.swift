/// A named value: `--save pictures`.
///
/// The type says how often it may be given: `Option<Int>` exactly once (or never, if it has a default), `Option<Int?>`
/// at most once, `Option<[Int]>` any number of times. Giving one of the first two twice is a usage error.
///
/// ```swift
/// Option<String?>("save", short: "s", valueName: "dir", help: "Write each picture here.", completion: .directory)
/// ```
///
/// A person may write `--save DIR`, `--save=DIR`, `-s DIR`, `-sDIR` or `-s=DIR`. A value that begins with a dash and
/// is not a number needs the form with `=`.
public struct Option<Value: ArgumentValue>: ArgumentDeclaration {
  /// How the option appears in help and how its value is read.
  public let reader: ArgumentReader<Value>

  /// Declares an option.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The short name, if there is one.
  ///   - initial: The value when the option is not given; without it `Value` decides.
  ///   - valueName: What help calls the value; the long name if not said.
  ///   - help: What the option does, in a sentence.
  ///   - completion: What a shell offers for the value; the choices of `Value` if not said.
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
