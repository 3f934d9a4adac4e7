extension Command {
  /// The same command, which does something by itself, with commands below it that it has besides.
  ///
  /// ```swift
  /// let snapshot = Command("snapshot", output: Action.capture) { Argument<String>("page", help: "An address.") }
  ///   .subcommands { compare }  // snapshot compare OLD NEW
  /// ```
  ///
  /// The first word that is neither an option nor its value names a subcommand, if there is one of this name; behind `--` it is an
  /// argument whatever it is, and so is `help`. Options of this command are its own: a subcommand does not understand them, and
  /// none may stand before its name.
  ///
  /// A group takes more subcommands too, unless it declares options: what is added would not get them, so that is a mistake,
  /// which ``declarationProblems`` reports.
  ///
  /// - Parameter subcommands: The commands below it, with the same output.
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
