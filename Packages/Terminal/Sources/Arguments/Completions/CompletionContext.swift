/// What can be typed once the words so far have named one particular command.
struct CompletionContext {
  /// The names of the commands joined by slashes: `demo/order/take`.
  let key: String
  /// Options of the command, those it inherits, and the built-in ones.
  let options: [Definition]
  /// Names of subcommands and what they do, `help` among them.
  let subcommands: [(name: String, abstract: String)]
  /// Names of the subcommands that lead to a context of their own, with that context's key.
  let steps: [(name: String, key: String)]
  /// The positional arguments, in order.
  let operands: [Definition]

  /// Whether every word is a name; otherwise only the first can be, and none behind `--`.
  let isGroup: Bool

  /// Options behind which a word is no name any more, as the parser has it: those of a command that does something by itself.
  let closingOptions: [Definition]

  /// Whether `help` is a built-in word here.
  let offersHelp: Bool

  /// One context for each command below `root`, outermost first.
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
  /// Options and the names they are written with, for those that are followed by a value.
  var valueOptions: [Definition] { options.filter(\.takesValue) }

  /// What the words look like that give one of the options behind which there are no names, each with the key before it; of an
  /// open one this is the beginning.
  var closingWords: [(text: String, isOpen: Bool)] {
    closingOptions.flatMap { option in
      (option.short.map { [("\(key) -\($0)", true)] } ?? []) + option.longNames.map { ("\(key) \($0)", false) }
        + (option.takesValue ? option.longNames.map { ("\(key) \($0)=", true) } : [])
    }
  }

  /// Option names with what they do.
  var describedNames: [(name: String, help: String)] {
    options.flatMap { option in option.names.map { ($0, option.help) } }
  }
}

extension String {
  /// The text as one word of a POSIX shell, taken literally.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The text as part of the name of a shell function.
  var shellIdentifier: String {
    String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }

  /// The first line.
  var firstLine: String { String(prefix { !$0.isNewline }) }
}
