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
  public let reader: ArgumentReader<Value>

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
      kind: .option, name: name, short: short, valueName: valueName ?? name, help: help, completion: completion)
    reader = ArgumentReader(definition, default: initial)
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
  public let reader: ArgumentReader<Bool>

  public init(_ name: String, short: Character? = nil, help: String = "") {
    let definition = Definition(kind: .flag, name: name, short: short, help: help)
    reader = ArgumentReader(definitions: [definition]) { matches throws(UsageError.Reason) in
      matches.words[definition.label] != nil
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
  public let reader: ArgumentReader<Value>

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
    let definition = Definition(kind: .positional, name: name, valueName: name, help: help, completion: completion)
    reader = ArgumentReader(definition, default: initial)
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
  public let reader: ArgumentReader<Value>

  /// - Parameters:
  ///   - title: The heading in help; without a title, help lists the members with the command's own options.
  ///   - output: Makes the value; throws ``ValidationError`` for an invalid combination.
  ///   - arguments: The declarations, in the order of `output`'s parameters.
  public init<each Part: Sendable>(
    title: String? = nil,
    output: @escaping @Sendable (repeat each Part) throws(ValidationError) -> Value,
    @ArgumentBuilder arguments: () -> (repeat ArgumentReader<each Part>)
  ) {
    let readers = arguments()
    let all = ArgumentReader(repeat each readers, output: output)
    var definitions = all.definitions
    for index in definitions.indices where definitions[index].section == nil { definitions[index].section = title }
    reader = ArgumentReader(definitions: definitions, read: all.read)
  }
}

/// A parameter of a command: an ``Option``, a ``Flag``, an ``Argument`` or an ``OptionGroup``.
///
/// Do not conform your own types; group declarations with ``OptionGroup`` instead.
public protocol ArgumentDeclaration<Value>: Sendable {
  associatedtype Value: Sendable

  var reader: ArgumentReader<Value> { get }
}

/// The implementation of a declaration: its description, and the conversion from matched words to its value.
public struct ArgumentReader<Value: Sendable>: Sendable {
  let definitions: [Definition]
  let read: @Sendable (Matches) throws(UsageError.Reason) -> Value
}

extension ArgumentReader where Value: ArgumentValue {
  /// Creates a reader for an option or a positional argument.
  init(_ definition: Definition, default initial: Value?) {
    var definition = definition
    definition.isRequired = (initial ?? Value.value(of: [])) == nil
    definition.isRepeating = Value.isRepeating
    definition.choices = Value.ArgumentElement.allValueStrings
    let initialWords = initial?.argumentElements.map(\.defaultValueDescription).joined(separator: ", ") ?? ""
    definition.defaultDescription = initialWords.isEmpty ? nil : initialWords
    self.init(definitions: [definition]) { [definition] matches throws(UsageError.Reason) in
      var elements: [Value.ArgumentElement] = []
      for word in matches.words[definition.label] ?? [] {
        do throws(ValidationError) {
          elements.append(try Value.ArgumentElement(argument: word))
        } catch {
          throw .invalidValue(word, for: definition.label, because: error.message)
        }
      }
      if elements.isEmpty, let initial { return initial }
      guard let value = Value.value(of: elements) else { throw .missingArgument(definition.label) }
      return value
    }
  }
}

/// Collects declarations written one below the other, and keeps the type of each.
@resultBuilder
public enum ArgumentBuilder {
  /// Returns the reader of a declaration.
  ///
  /// The compiler infers the values from `output`, so a mistake in one declaration gives one diagnostic.
  public static func buildExpression<Value>(_ declaration: some ArgumentDeclaration<Value>) -> ArgumentReader<Value> {
    declaration.reader
  }

  public static func buildBlock<each Value: Sendable>(
    _ readers: repeat ArgumentReader<each Value>
  ) -> (repeat ArgumentReader<each Value>) {
    (repeat each readers)
  }
}

extension ArgumentReader {
  init<each Part: Sendable>(
    _ readers: repeat ArgumentReader<each Part>,
    output: @escaping @Sendable (repeat each Part) throws(ValidationError) -> Value
  ) {
    var definitions: [Definition] = []
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
