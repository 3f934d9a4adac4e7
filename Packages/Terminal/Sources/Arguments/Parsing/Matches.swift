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
