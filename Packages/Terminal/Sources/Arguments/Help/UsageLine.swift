/// The usage line of a command: `demo birds [--json] <id> [<files> ...]`.
struct UsageLine {
  let path: [CommandNode]

  /// The parts of the line that are not broken across lines.
  var pieces: [String] {
    guard let command = path.last else { return [] }
    var pieces = path.map(\.name)
    pieces += command.options.map(Self.piece)
    pieces += command.positionals.map(Self.piece)
    if command.isGroup { pieces.append("<subcommand>") }
    return pieces
  }

  private static func piece(_ definition: Definition) -> String {
    let repeated = definition.isRepeating ? definition.label + " ..." : definition.label
    return definition.isRequired ? repeated : "[\(repeated)]"
  }
}
