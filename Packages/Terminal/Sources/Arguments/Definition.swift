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

  var options: [Definition] { definitions.filter { !$0.isPositional } }

  var positionals: [Definition] { definitions.filter(\.isPositional) }
}

extension CommandNode {
  /// Returns this command, or stops the program if its declarations are wrong: such a mistake is in the source.
  func checked() -> CommandNode {
    for name in [name] + definitions.map(\.name) {
      let isSpaceOrEqualsSign = { (scalar: Unicode.Scalar) in scalar == "=" || scalar.properties.isWhitespace }
      if name.isEmpty || name.unicodeScalars.first == "-" || name.unicodeScalars.contains(where: isSpaceOrEqualsSign) {
        fail("the name '\(name)' is empty, starts with a dash, or contains white space or '='")
      }
    }
    for short in options.compactMap(\.short) where short.isWhitespace || "-=".contains(short) {
      fail("the short name '\(short)' is white space, '-' or '='")
    }
    for names in [options.flatMap(\.names), positionals.map(\.label), subcommands.map(\.name)] {
      let repeated = Dictionary(grouping: names) { $0 }.values.first { $0.count > 1 }
      if let name = repeated?.first { fail("'\(name)' is declared more than once") }
    }
    if isGroup, let positional = positionals.first { fail("'\(positional.label)' never gets a value in a group") }
    for (before, after) in zip(positionals, positionals.dropFirst()) {
      if before.isRepeating { fail("'\(after.label)' never gets a value, because '\(before.label)' takes all") }
      if after.isRequired, !before.isRequired {
        fail("the required argument '\(after.label)' cannot follow the optional argument '\(before.label)'")
      }
    }
    return self
  }

  func fail(_ problem: String) -> Never { preconditionFailure("The command '\(name)' is wrong: \(problem).") }
}

/// The spelling and the description of one option, flag or positional argument, without its type.
struct Definition: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case option
    case flag
    case positional
  }

  var kind: Kind
  var name: String
  var short: Character?
  var valueName: String
  var help: String
  var isRequired = false
  var isRepeating = false
  var choices: [String] = []
  var defaultDescription: String?
  var completion: CompletionKind?
  var section: String?

  var isPositional: Bool { kind == .positional }

  var takesValue: Bool { kind == .option }

  /// The long name with dashes.
  var longName: String { "--" + name }

  /// The names of an option or a flag, with dashes, short first.
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + [longName] }

  /// The spelling in errors and usage lines: `--save <dir>`, `--json`, `<link>`.
  var label: String {
    switch kind {
    case .option: "--\(name) <\(valueName)>"
    case .flag: "--\(name)"
    case .positional: "<\(valueName)>"
    }
  }

  /// The completions that a shell offers for the value.
  var effectiveCompletion: CompletionKind {
    completion ?? (choices.isEmpty ? .none : .list(choices))
  }
}

/// The built-in options.
///
/// A command can declare an option with the same name instead.
enum BuiltIn: String, CaseIterable {
  case help
  case version
  case completionScript = "generate-completion-script"

  func isOffered(by path: [CommandNode]) -> Bool {
    switch self {
    case .help: true
    case .version: path.first?.version != nil
    case .completionScript: path.count == 1
    }
  }

  static func offered(by path: [CommandNode]) -> [BuiltIn] {
    allCases.filter { $0.isOffered(by: path) }
  }
}

extension BuiltIn {
  /// Returns the built-in options as definitions for help and completions, except those with a name that the path
  /// declares.
  static func definitions(for path: [CommandNode]) -> [Definition] {
    let declared = path.flatMap(\.options)
    return offered(by: path).filter { builtIn in !declared.contains { $0.name == builtIn.rawValue } }.map { builtIn in
      switch builtIn {
      case .help:
        Definition(
          kind: .flag, name: builtIn.rawValue,
          short: declared.contains { $0.short == "h" } ? nil : "h", valueName: "", help: "Show help information.")
      case .version:
        Definition(
          kind: .flag, name: builtIn.rawValue, valueName: "", help: "Show the version.")
      case .completionScript:
        Definition(
          kind: .option, name: builtIn.rawValue, valueName: "shell", help: "Print a completion script and exit.",
          choices: CompletionShell.allValueStrings)
      }
    }
  }
}

/// The words that one command of the path received, before conversion to types.
struct Matches: Sendable, Equatable {
  /// The words given for each option, by the option's name, in order.
  var options: [String: [String]] = [:]

  /// The names of the given flags.
  var flags: Set<String> = []

  /// The words given for each positional argument, by the argument's name, in order.
  var positionals: [String: [String]] = [:]

  /// The words that are neither options nor their values, in order.
  var operands: [String] = []

  /// The index of the named subcommand.
  var subcommand: Int?
}

extension Matches {
  /// Assigns the operands to `definitions`, in order, and returns the operands left over.
  mutating func assignOperands(to definitions: [Definition]) -> [String] {
    var rest = operands[...]
    for definition in definitions {
      let taken = definition.isRepeating ? rest : rest.prefix(1)
      if !taken.isEmpty { positionals[definition.name] = Array(taken) }
      rest = rest.dropFirst(taken.count)
    }
    return Array(rest)
  }
}
