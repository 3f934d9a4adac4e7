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

/// A switch without a value: `--json`.
///
/// ```swift
/// Flag("json", help: "Print JSON.")
/// ```
///
/// Short names combine: `-abc` is `-a -b -c`. Repeating a flag changes nothing.
public struct Flag: ArgumentDeclaration {
  /// The description for help, and the conversion from words to a value.
  public let reader: ArgumentReader<Bool>

  /// Declares a flag.
  ///
  /// - Parameters:
  ///   - name: The long name, without dashes.
  ///   - short: The short name, or nil.
  ///   - help: The effect of the flag, in a sentence.
  public init(_ name: String, short: Character? = nil, help: String = "") {
    let definition = Definition(kind: .flag, name: name, short: short, valueName: name, help: help)
    reader = ArgumentReader(definitions: [definition]) { matches throws(UsageError.Reason) in
      matches.flags.contains(name)
    }
  }
}

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

/// A group of related declarations that produces one value.
///
/// Use the same group in several commands to give them the same names and help. A group with a title has its own section
/// in help.
///
/// ```swift
/// struct Fleet: Sendable { var journal: String?; var seed: UInt64 }
///
/// let fleet = OptionGroup(title: "SIMULATION OPTIONS", output: Fleet.init) {
///   Option<String?>("journal", valueName: "file", help: "Write the journal here.")
///   Option<UInt64>("seed", default: 0, help: "The seed of random numbers.")
/// }
/// ```
public struct OptionGroup<Value: Sendable>: ArgumentDeclaration {
  /// The description for help, and the conversion from words to a value.
  public let reader: ArgumentReader<Value>

  /// Groups declarations.
  ///
  /// - Parameters:
  ///   - title: The heading in help; without a title, help lists the members with the command's own options.
  ///   - output: Makes the value; throws ``ValidationError`` for an invalid combination.
  ///   - arguments: The declarations, in the order of `output`'s parameters.
  public init<each Declaration: ArgumentDeclaration>(
    title: String? = nil,
    output: @escaping @Sendable (repeat (each Declaration).Value) throws(ValidationError) -> Value,
    @ArgumentBuilder arguments: () -> (repeat each Declaration)
  ) {
    let declarations = arguments()
    let all = ArgumentReader(repeat each declarations, output: output)
    reader = ArgumentReader(
      definitions: all.definitions.map { definition in
        var titled = definition
        titled.section = definition.section ?? title
        return titled
      },
      read: all.read)
  }
}

/// A parameter of a command: an ``Option``, a ``Flag``, an ``Argument`` or an ``OptionGroup``.
///
/// With this protocol a ``Command`` accepts any number of declarations and passes their values to one function. Do not
/// conform your own types; group declarations with ``OptionGroup`` instead.
public protocol ArgumentDeclaration<Value>: Sendable {
  /// The type of the parsed value.
  associatedtype Value: Sendable

  /// The description for help, and the conversion from words to a value.
  var reader: ArgumentReader<Value> { get }
}

/// The implementation of a declaration: its description, and the conversion from matched words to its value.
public struct ArgumentReader<Value: Sendable>: Sendable {
  let definitions: [Definition]
  let read: @Sendable (Matches) throws(UsageError.Reason) -> Value
}

extension ArgumentReader where Value: ArgumentValue {
  /// Creates a reader for an option or a positional argument; `words` returns the words given for it.
  init(
    _ definition: Definition, default initial: Value?, words: @escaping @Sendable (Matches) -> [String]
  ) {
    let absent = initial ?? Value.valueWhenAbsent
    self.init(definitions: [definition]) { matches throws(UsageError.Reason) in
      let given = words(matches)
      guard let last = given.last else {
        if let absent { return absent }
        throw .missingArgument(definition.label)
      }
      do throws(ValidationError) {
        return try Value.value(from: given)
      } catch {
        throw .invalidValue(Value.firstRefused(of: given) ?? last, for: definition.label, because: error.message)
      }
    }
  }
}

extension ArgumentValue {
  /// Returns the first word that is invalid by itself, to name it in an error.
  static func firstRefused(of words: [String]) -> String? {
    words.first { (try? value(from: [$0])) == nil }
  }
}

/// Collects declarations written one below the other, and keeps the type of each.
@resultBuilder
public enum ArgumentBuilder {
  /// Returns the declarations unchanged.
  public static func buildBlock<each Declaration: ArgumentDeclaration>(
    _ declarations: repeat each Declaration
  ) -> (repeat each Declaration) {
    (repeat each declarations)
  }
}

extension ArgumentReader {
  /// Creates a reader that reads all `declarations` in order and combines their values.
  init<each Declaration: ArgumentDeclaration>(
    _ declarations: repeat each Declaration,
    output: @escaping @Sendable (repeat (each Declaration).Value) throws(ValidationError) -> Value
  ) {
    var definitions: [Definition] = []
    let readers = (repeat (each declarations).reader)
    for reader in repeat each readers { definitions += reader.definitions }
    self.init(definitions: definitions) { matches throws(UsageError.Reason) in
      let values = (repeat try (each readers).read(matches))
      do throws(ValidationError) {
        return try output(repeat each values)
      } catch {
        throw .failedValidation(error.message)
      }
    }
  }
}
