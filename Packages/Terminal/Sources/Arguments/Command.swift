/// A command as a value: its name, its arguments and the function that makes its output.
///
/// A command that runs by itself declares arguments and names the function that receives their values:
///
/// ```swift
/// struct Birds: Sendable { var server: String?; var json: Bool; var save: String? }
///
/// let birds = Command("birds", abstract: "Load birds over HTTP and show them.", output: Birds.init) {
///   Option<String?>("server", valueName: "url", help: "Ask this server instead of starting one.")
///   Flag("json", help: "Print JSON instead of a table.")
///   Option<String?>("save", valueName: "dir", help: "Write each picture here.", completion: .directory)
/// }
/// ```
///
/// A command that groups others lists them, each mapped to a common output type:
///
/// ```swift
/// enum Action: Sendable { case birds(Birds), open(String) }
///
/// let demo = Command("demo", abstract: "Run the examples of every package.", version: "1.0.0") {
///   birds.map(Action.birds)
///   open.map(Action.open)
/// }
/// ```
///
/// Wrong declarations stop the program when the command is created: an invalid or repeated name, or a positional argument
/// that can never receive a value.
///
/// Parsing is a pure function of the words: it does not read the environment, print or exit. Every command accepts `-h`
/// and `--help`, and a group also accepts `help SUBCOMMAND`. The outermost command accepts
/// `--generate-completion-script SHELL`. If the outermost command has a version, every command accepts `--version`.
public struct Command<Output>: Sendable {
  let node: CommandNode
  let read: @Sendable (ArraySlice<Matches>) throws(UsageError.Reason) -> Output

  public var name: String { node.name }

  /// Returns the same command with its output transformed.
  public func map<Mapped>(_ transform: @escaping @Sendable (Output) -> Mapped) -> Command<Mapped> {
    Command<Mapped>(node: node) { matches throws(UsageError.Reason) in transform(try read(matches)) }
  }
}

extension Command {
  /// Creates a command that takes arguments.
  ///
  /// - Parameters:
  ///   - name: The command's name on the command line.
  ///   - abstract: The effect of the command, in a sentence.
  ///   - discussion: More about the command, shown below the abstract; long lines wrap and newlines are kept.
  ///   - version: The text that `--version` prints; ignored except for the outermost command.
  ///   - examples: Example command lines for help.
  ///   - output: Makes the output; throws ``ValidationError`` for an invalid combination of values.
  ///   - arguments: The declarations, in the order of `output`'s parameters.
  public init<each Value: Sendable>(
    _ name: String,
    abstract: String = "",
    discussion: String = "",
    version: String? = nil,
    examples: [CommandExample] = [],
    output: @escaping @Sendable (repeat each Value) throws(ValidationError) -> Output,
    @ArgumentBuilder arguments: () -> (repeat ArgumentReader<each Value>)
  ) where Output: Sendable {
    let readers = arguments()
    let reader = ArgumentReader(repeat each readers, output: output)
    node = CommandNode(
      name: name, abstract: abstract, discussion: discussion, version: version, examples: examples,
      definitions: reader.definitions
    ).checked()
    read = { matches throws(UsageError.Reason) in try reader.read(matches.first ?? Matches()) }
  }

  /// Creates a command that only groups others.
  ///
  /// Without a subcommand it shows its help.
  public init(
    _ name: String,
    abstract: String = "",
    discussion: String = "",
    version: String? = nil,
    examples: [CommandExample] = [],
    @SubcommandBuilder<Output> subcommands: () -> [Command<Output>]
  ) where Output: Sendable {
    self.init(
      name, abstract: abstract, discussion: discussion, version: version, examples: examples,
      output: { (action: Output) in action }, options: {}, subcommands: subcommands)
  }

  /// Creates a command that groups others and declares options that all of them accept.
  ///
  /// The options can be given before or after the subcommand's name. If a subcommand declares an option of the same name,
  /// it receives the option when it is written after the subcommand's name.
  ///
  /// `output` makes the output from the subcommand's output, which is the first parameter, and the values of the options. It throws
  /// ``ValidationError`` for an invalid combination. The `options` are in the order of its other parameters.
  public init<each Value: Sendable, Action: Sendable>(
    _ name: String,
    abstract: String = "",
    discussion: String = "",
    version: String? = nil,
    examples: [CommandExample] = [],
    output: @escaping @Sendable (Action, repeat each Value) throws(ValidationError) -> Output,
    @ArgumentBuilder options: () -> (repeat ArgumentReader<each Value>),
    @SubcommandBuilder<Action> subcommands: () -> [Command<Action>]
  ) where Output: Sendable {
    let subcommands = subcommands()
    let readers = options()
    var definitions: [Definition] = []
    for reader in repeat each readers { definitions += reader.definitions }
    node = CommandNode(
      name: name, abstract: abstract, discussion: discussion, version: version, examples: examples,
      definitions: definitions, subcommands: subcommands.map { $0.node }, isGroup: true
    ).checked()
    read = { matches throws(UsageError.Reason) in
      let own = matches.first ?? Matches()
      let values = (repeat try (each readers).read(own))
      let action = try Arguments.read(subcommands, matches)
      do throws(ValidationError) {
        return try output(action, repeat each values)
      } catch {
        throw .failedValidation(error.message)
      }
    }
  }
}

/// Returns the output of the subcommand that the first of `matches` names.
private func read<Output>(
  _ subcommands: [Command<Output>], _ matches: ArraySlice<Matches>
) throws(UsageError.Reason) -> Output {
  guard let index = matches.first?.subcommand else { throw .missingArgument("<subcommand>") }
  return try subcommands[index].read(matches.dropFirst())
}

/// Collects subcommands written one below the other; all have the same output type.
@resultBuilder
public enum SubcommandBuilder<Output> {
  public static func buildBlock(_ commands: Command<Output>...) -> [Command<Output>] {
    commands
  }
}

/// An example command line, shown in a command's help.
public struct CommandExample: Sendable, Equatable {
  public let line: String

  public let abstract: String

  public init(_ line: String, _ abstract: String = "") {
    self.line = line
    self.abstract = abstract
  }
}
