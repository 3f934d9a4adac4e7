/// The words that one command of the path received, before conversion to types.
struct Matches: Sendable, Equatable {
  /// The words given for each option, by the option's name, in order.
  var options: [String: [String]] = [:]

  /// The last state given for each flag, by the flag's name.
  var flags: [String: Bool] = [:]

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

  /// Returns the canonical spelling of these matches: options by long name in declaration order, then operands.
  func spelled(by node: CommandNode) -> [String] {
    var words: [String] = []
    for definition in node.options {
      switch definition.kind {
      case .option:
        for value in options[definition.name] ?? [] {
          words += value.startsWithDash ? ["--\(definition.name)=\(value)"] : ["--\(definition.name)", value]
        }
      case .flag:
        switch flags[definition.name] {
        case true?: words.append("--\(definition.name)")
        case false?: words.append("--no-\(definition.name)")
        case nil: break
        }
      case .positional: break
      }
    }
    let isNoName = node.subcommands.contains { $0.name == operands.first }
    if isNoName || operands.contains(where: \.startsWithDash) { words.append("--") }
    return words + operands
  }
}
