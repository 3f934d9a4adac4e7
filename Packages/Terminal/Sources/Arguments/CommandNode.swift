/// A command without its types, for parsing, help and completions.
struct CommandNode: Sendable {
  var name: String
  var abstract = ""
  var discussion = ""
  var version: String?
  var examples: [CommandExample] = []
  var definitions: [Definition] = []
  var subcommands: [CommandNode] = []
  /// Whether the command only groups subcommands and cannot run by itself.
  var isGroup = false

  var options: [Definition] { definitions.filter { $0.kind != .positional } }

  var positionals: [Definition] { definitions.filter { $0.kind == .positional } }

  /// Returns this command, or stops the program if its declarations are wrong: such a mistake is in the source.
  func checked() -> CommandNode {
    for name in [name] + definitions.map(\.name)
    where name.isEmpty || name.hasPrefix("-") || name.contains(where: { $0 == "=" || $0.isWhitespace }) {
      fail("the name '\(name)' is empty, starts with a dash, or contains white space or '='")
    }
    for names in [options.flatMap(\.names), positionals.map(\.label), subcommands.map(\.name)] {
      for (index, name) in names.enumerated() where names[..<index].contains(name) {
        fail("'\(name)' is declared more than once")
      }
    }
    if isGroup, let positional = positionals.first { fail("'\(positional.label)' never gets a value in a group") }
    for (before, after) in zip(positionals, positionals.dropFirst())
    where before.isRepeating || (after.isRequired && !before.isRequired) {
      fail(
        "'\(after.label)' cannot follow '\(before.label)', which is \(before.isRepeating ? "repeating" : "optional")")
    }
    return self
  }

  private func fail(_ problem: String) -> Never { preconditionFailure("The command '\(name)' is wrong: \(problem).") }
}

/// The spelling and the description of one option, flag or positional argument, without its type.
struct Definition: Sendable {
  enum Kind: Sendable {
    case option
    case flag
    case positional
  }

  var kind: Kind
  var name: String
  var short: Character?
  var valueName = ""
  var help: String
  var isRequired = false
  var isRepeating = false
  var choices: [String] = []
  var defaultDescription: String?
  var completion: CompletionKind?
  var section: String?

  /// The names of an option or a flag, with dashes, short first.
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + ["--\(name)"] }

  /// The spelling in errors and usage lines: `--save <dir>`, `--json`, `<link>`.
  var label: String {
    switch kind {
    case .option: "--\(name) <\(valueName)>"
    case .flag: "--\(name)"
    case .positional: "<\(valueName)>"
    }
  }

  /// The completions that a shell offers for the value.
  var effectiveCompletion: CompletionKind { completion ?? (choices.isEmpty ? .none : .list(choices)) }
}

/// The options that every command has; a command can declare an option with the same name instead.
extension Definition {
  static let showHelp = Definition(kind: .flag, name: "help", short: "h", help: "Show help information.")
  static let showVersion = Definition(kind: .flag, name: "version", help: "Show the version.")
  static let printCompletionScript = Definition(
    kind: .option, name: "generate-completion-script", valueName: "shell",
    help: "Print a completion script and exit.", choices: CompletionShell.allValueStrings)
}

/// An option that is accepted at the end of a path of commands, with the index of the command that declares it.
///
/// The index of a built-in option is nil.
typealias VisibleOption = (level: Int?, definition: Definition)

extension [CommandNode] {
  /// The options that are accepted at the end of the path, innermost first and built-in ones last.
  ///
  /// An inner option hides the name and the short name of outer ones.
  var visibleOptions: [VisibleOption] {
    let builtIns: [Definition] =
      [.showHelp] + (first?.version == nil ? [] : [.showVersion]) + (count == 1 ? [.printCompletionScript] : [])
    let all =
      indices.reversed().flatMap { level in self[level].options.map { VisibleOption(level, $0) } }
      + builtIns.map { VisibleOption(nil, $0) }
    var taken: Set<String> = []
    return all.compactMap { option in
      var option = option
      guard taken.insert("--\(option.definition.name)").inserted else { return nil }
      if let short = option.definition.short, !taken.insert("-\(short)").inserted { option.definition.short = nil }
      return option
    }
  }
}

/// The words that one command of the path received, before conversion to types.
struct Matches: Sendable {
  /// The words given for each option and positional argument, by its label; none for a flag.
  var words: [String: [String]] = [:]

  /// The index of the named subcommand.
  var subcommand: Int?
}
