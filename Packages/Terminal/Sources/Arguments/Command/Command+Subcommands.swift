extension Command {
  /// Returns a command that still runs by itself, and also has subcommands.
  ///
  /// ```swift
  /// let snapshot = Command("snapshot", output: Action.capture) { Argument<String>("page", help: "An address.") }
  ///   .subcommands { compare }  // snapshot compare OLD NEW
  /// ```
  ///
  /// The first word that is neither an option nor its value selects the subcommand of this name, if it exists. After `--`
  /// every word is an argument. `help` is an ordinary word. A subcommand does not accept the options of this command, and
  /// an option of this command before a subcommand's name is a usage error.
  ///
  /// Also adds subcommands to a group without options. Adding them to a group with options is a mistake, because they do not
  /// receive these options; ``declarationProblems`` reports it.
  ///
  /// - Parameter subcommands: The subcommands, with the same output type.
  public func subcommands(@SubcommandBuilder<Output> _ subcommands: () -> [Command]) -> Command {
    let (own, added) = (self, subcommands())
    var node = node
    node.subcommands += added.map(\.node)
    if node.isGroup, !node.options.isEmpty { node.unaware += added.map(\.name) }
    return Command(node: node) { matches throws(UsageError.Reason) in
      let index = (matches.first?.subcommand ?? -1) - own.node.subcommands.count
      guard added.indices.contains(index) else { return try own.read(matches) }
      return try added[index].read(matches.dropFirst())
    }
  }
}
