/// The words that can follow after the earlier words selected one particular command.
struct CompletionContext {
  /// The names of the commands joined by slashes: `demo/order/take`.
  let key: String
  /// The options of the command, its inherited options, and the built-in options.
  let options: [Definition]
  /// The names and abstracts of the subcommands, including `help`.
  let subcommands: [(name: String, abstract: String)]
  /// The names of the subcommands, each with the key of its context.
  let steps: [(name: String, key: String)]
  /// The positional arguments, in order.
  let operands: [Definition]

  /// Whether every operand is a name; otherwise only the first operand can be a name, and only before `--`.
  let isGroup: Bool

  /// The options after which a subcommand's name is refused: those of a command that runs by itself.
  let closingOptions: [Definition]

  /// Whether `help` is a built-in word in this context.
  let offersHelp: Bool

  /// Returns the contexts of `root` and all commands below it, outermost first.
  static func all(below root: CommandNode) -> [CompletionContext] {
    all(path: [root])
  }

  private static func all(path: [CommandNode]) -> [CompletionContext] {
    guard let command = path.last else { return [] }
    let key = path.map(\.name).joined(separator: "/")
    return [CompletionContext(command, path: path, key: key)]
      + command.subcommands.flatMap { all(path: path + [$0]) }
  }

  private init(_ command: CommandNode, path: [CommandNode], key: String) {
    self.key = key
    isGroup = command.isGroup
    var known: [Definition] = []
    for definition in path.understood.reversed().flatMap(\.options) + BuiltIn.definitions(for: path) {
      var visible = definition
      if known.contains(where: { $0.name == definition.name }) { continue }
      if known.contains(where: { $0.short != nil && $0.short == definition.short }) { visible.short = nil }
      known.append(visible)
    }
    options = known
    steps = command.subcommands.map { ($0.name, key + "/" + $0.name) }
    let own = command.subcommands.map { (name: $0.name, abstract: $0.abstract) }
    offersHelp = command.isGroup && !own.isEmpty && !own.contains { $0.name == "help" }
    subcommands = own + (offersHelp ? [(name: "help", abstract: "Show help for a subcommand.")] : [])
    closingOptions = command.isGroup || command.subcommands.isEmpty ? [] : command.options
    operands = command.positionals
  }
}

extension CompletionContext {
  /// The options that are followed by a value.
  var valueOptions: [Definition] { options.filter(\.takesValue) }

  /// The patterns of words that give one of ``closingOptions``, each after the key and a space; an open pattern is a
  /// prefix.
  var closingWords: [(text: String, isOpen: Bool)] {
    closingOptions.flatMap { option in
      (option.short.map { [("\(key) -\($0)", true)] } ?? []) + option.longNames.map { ("\(key) \($0)", false) }
        + (option.takesValue ? option.longNames.map { ("\(key) \($0)=", true) } : [])
    }
  }

  /// The option names, each with its help.
  var describedNames: [(name: String, help: String)] {
    options.flatMap { option in option.names.map { ($0, option.help) } }
  }
}

extension String {
  /// The text quoted as one literal word of a POSIX shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The text with every character except ASCII letters and digits replaced, for the name of a shell function.
  var shellIdentifier: String {
    String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// The first line of the text.
  var firstLine: String { String(prefix { !$0.isNewline }) }
}
