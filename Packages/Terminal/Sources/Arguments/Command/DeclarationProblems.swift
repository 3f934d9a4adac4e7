extension Command {
  /// The mistakes in the declarations of this command and its subcommands, or an empty array.
  ///
  /// These mistakes are programming errors, and no single command line reveals all of them. Check every command in a
  /// test:
  ///
  /// ```swift
  /// #expect(demo.declarationProblems.isEmpty)
  /// ```
  ///
  /// The following mistakes are reported:
  ///
  /// - a name that is empty, starts with a dash, or contains white space or `=`
  /// - a name declared twice in one command
  /// - a required positional argument after an optional one
  /// - a positional argument after a repeating one
  /// - a positional argument of a group, which can never receive a value
  /// - a subcommand added to a group with options, which it does not receive
  public var declarationProblems: [String] {
    node.problems(path: [])
  }
}

extension CommandNode {
  fileprivate func problems(path: [String]) -> [String] {
    let path = path + [name]
    let own =
      nameProblems + orderProblems
      + unaware.map { "the subcommand '\($0)' does not receive the options of this group" }
    return own.map { "\(path.joined(separator: " ")): \($0)" } + subcommands.flatMap { $0.problems(path: path) }
  }

  private var nameProblems: [String] {
    let names = [name] + definitions.map(\.name)
    let bad = names.filter { name in
      name.isEmpty || name.unicodeScalars.first == "-"
        || name.unicodeScalars.contains { $0 == "=" || $0.properties.isWhitespace }
    }
    let badShort = options.compactMap(\.short).filter { "-=".contains($0) || $0.isWhitespace }
    return bad.map { "the name '\($0)' is invalid" }
      + badShort.map { "the short name '\($0)' is invalid" }
      + options.flatMap(\.names).repeated.map { "'\($0)' is declared more than once" }
      + positionals.map(\.name).repeated.map { "'<\($0)>' is declared more than once" }
      + subcommands.map(\.name).repeated.map { "the subcommand '\($0)' is declared more than once" }
  }

  private var orderProblems: [String] {
    if isGroup { return positionals.map { "'\($0.label)' never gets a value, because this command is a group" } }
    return zip(positionals, positionals.dropFirst()).compactMap { before, after in
      if before.isRepeating { return "'\(after.label)' never gets a value, because '\(before.label)' takes all" }
      guard after.isRequired, !before.isRequired else { return nil }
      return "the required argument '\(after.label)' cannot follow the optional argument '\(before.label)'"
    }
  }
}

extension [String] {
  /// The elements that occur more than once, each once, in order.
  fileprivate var repeated: [String] {
    var seen: [String: Int] = [:]
    return filter { element in
      seen[element, default: 0] += 1
      return seen[element] == 2
    }
  }
}
