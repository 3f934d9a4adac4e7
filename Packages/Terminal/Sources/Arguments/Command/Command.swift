/// A command as a value: what it is called, what it takes, and what it makes of that.
///
/// A command that does something declares arguments and names the function that takes their values:
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
/// A command that groups others lists them, each mapped to a common output:
///
/// ```swift
/// enum Action: Sendable { case birds(Birds), open(String) }
///
/// let demo = Command("demo", abstract: "Everything, composed.", version: "1.0.0") {
///   birds.map(Action.birds)
///   open.map(Action.open)
/// }
/// ```
///
/// Parsing is a pure function of the words: it reads no environment, prints nothing and ends no process. Every command
/// also answers to `-h`, `--help`, and a group to `help SUBCOMMAND`; the outermost answers to
/// `--generate-completion-script SHELL` and, if it has a version, every one to `--version`.
public struct Command<Output>: Sendable {
  let node: CommandNode
  let read: @Sendable (ArraySlice<Matches>) throws(UsageError.Reason) -> Output

  /// The word that names the command.
  public var name: String { node.name }

  /// The same command with another output.
  public func map<Mapped>(_ transform: @escaping @Sendable (Output) -> Mapped) -> Command<Mapped> {
    Command<Mapped>(node: node) { matches throws(UsageError.Reason) in transform(try read(matches)) }
  }
}

extension Command {
  /// Makes a command that takes arguments.
  ///
  /// - Parameters:
  ///   - name: The word that names it.
  ///   - abstract: What it does, in a sentence.
  ///   - discussion: More about it, shown below the abstract; lines wrap, line ends stay.
  ///   - version: What `--version` prints; only the outermost command's counts.
  ///   - examples: Lines worth typing.
  ///   - output: Makes the output; it may refuse a combination of values by throwing ``ValidationError``.
  ///   - arguments: The declarations, in the order of `output`'s parameters.
  public init<each Declaration: ArgumentDeclaration>(
    _ name: String,
    abstract: String = "",
    discussion: String = "",
    version: String? = nil,
    examples: [CommandExample] = [],
    output: @escaping @Sendable (repeat (each Declaration).Value) throws(ValidationError) -> Output,
    @ArgumentBuilder arguments: () -> (repeat each Declaration)
  ) where Output: Sendable {
    let declarations = arguments()
    let reader = ArgumentReader(repeat each declarations, output: output)
    node = CommandNode(
      name: name, abstract: abstract, discussion: discussion, version: version, examples: examples,
      definitions: reader.definitions)
    read = { matches throws(UsageError.Reason) in try reader.read(matches.first ?? Matches()) }
  }

  /// Makes a command that only groups others.
  ///
  /// Called by itself it shows its help.
  ///
  /// - Parameters:
  ///   - name: The word that names it.
  ///   - abstract: What the group is about, in a sentence.
  ///   - discussion: More about it, shown below the abstract; lines wrap, line ends stay.
  ///   - version: What `--version` prints; only the outermost command's counts.
  ///   - examples: Lines worth typing.
  ///   - subcommands: The commands it groups.
  public init(
    _ name: String,
    abstract: String = "",
    discussion: String = "",
    version: String? = nil,
    examples: [CommandExample] = [],
    @SubcommandBuilder<Output> subcommands: () -> [Command<Output>]
  ) {
    let subcommands = Subcommands(subcommands())
    node = CommandNode(
      name: name, abstract: abstract, discussion: discussion, version: version, examples: examples,
      subcommands: subcommands.nodes, isGroup: true)
    read = { matches throws(UsageError.Reason) in try subcommands.read(matches) }
  }

  /// Makes a command that groups others and declares options they all understand.
  ///
  /// A person may give these options before or after the subcommand's name. A subcommand that declares one of the names
  /// itself gets what is written after its own name.
  ///
  /// - Parameters:
  ///   - name: The word that names it.
  ///   - abstract: What the group is about, in a sentence.
  ///   - discussion: More about it, shown below the abstract; lines wrap, line ends stay.
  ///   - version: What `--version` prints; only the outermost command's counts.
  ///   - examples: Lines worth typing.
  ///   - output: Makes the output of the subcommand's output, which comes first, and the values of the options; it may
  ///     refuse a combination of them by throwing ``ValidationError``.
  ///   - options: Options, flags and groups of them, in the order of `output`'s other parameters.
  ///   - subcommands: The commands it groups.
  public init<each Declaration: ArgumentDeclaration, Action: Sendable>(
    _ name: String,
    abstract: String = "",
    discussion: String = "",
    version: String? = nil,
    examples: [CommandExample] = [],
    output: @escaping @Sendable (Action, repeat (each Declaration).Value) throws(ValidationError) -> Output,
    @ArgumentBuilder options: () -> (repeat each Declaration),
    @SubcommandBuilder<Action> subcommands: () -> [Command<Action>]
  ) where Output: Sendable {
    let subcommands = Subcommands(subcommands())
    let declarations = options()
    let readers = (repeat (each declarations).reader)
    var definitions: [Definition] = []
    for reader in repeat each readers { definitions += reader.definitions }
    node = CommandNode(
      name: name, abstract: abstract, discussion: discussion, version: version, examples: examples,
      definitions: definitions, subcommands: subcommands.nodes, isGroup: true)
    read = { matches throws(UsageError.Reason) in
      let own = matches.first ?? Matches()
      let values = (repeat try (each readers).read(own))
      let action = try subcommands.read(matches)
      do throws(ValidationError) {
        return try output(action, repeat each values)
      } catch {
        throw .failedValidation(error.message)
      }
    }
  }
}

/// The commands of a group, apart from the parameter packs around them: Swift 6.3 miscompiles a key path to a member
/// of a generic type that is formed where a pack is in scope.
private struct Subcommands<Output>: Sendable {
  let commands: [Command<Output>]

  init(_ commands: [Command<Output>]) {
    self.commands = commands
  }

  var nodes: [CommandNode] { commands.map { $0.node } }

  func read(_ matches: ArraySlice<Matches>) throws(UsageError.Reason) -> Output {
    guard let index = matches.first?.subcommand, commands.indices.contains(index) else {
      throw .missingArgument("<subcommand>")
    }
    return try commands[index].read(matches.dropFirst())
  }
}
