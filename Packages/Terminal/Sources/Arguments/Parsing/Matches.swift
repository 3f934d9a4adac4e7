/// What one command of the path was given, before any of it has a type.
struct Matches: Sendable, Equatable {
  /// Words by the name of the option they were given for, in order.
  var options: [String: [String]] = [:]

  /// The last state each flag was put in.
  var flags: [String: Bool] = [:]

  /// Words by the name of the positional argument they fill, in order.
  var positionals: [String: [String]] = [:]

  /// Words that are neither options nor their values, in order.
  var operands: [String] = []

  /// Which subcommand was named.
  var subcommand: Int?
}

extension Matches {
  /// Deals the operands out to `definitions`, in order; returns those left over.
  mutating func assignOperands(to definitions: [Definition]) -> [String] {
    var rest = operands[...]
    for definition in definitions {
      let taken = definition.isRepeating ? rest : rest.prefix(1)
      if !taken.isEmpty { positionals[definition.name] = Array(taken) }
      rest = rest.dropFirst(taken.count)
    }
    return Array(rest)
  }

  /// Spells these matches in the one canonical way: options by long name in the order declared, then operands.
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
