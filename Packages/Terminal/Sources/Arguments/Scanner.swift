/// Finds the commands that the words name, and the words that each command of the path receives.
///
/// Scanning is pure and takes time linear in the length of the words. After an error, ``path`` ends with the
/// command that was being parsed.
struct Scanner {
  /// A requested text.
  enum Outcome: Equatable {
    case help
    case version
    case completionScript(CompletionShell)
  }

  private(set) var path: [CommandNode]
  private(set) var matches: [Matches] = [Matches()]
  private var rest: ArraySlice<String> = []
  /// Whether `--` was among the words.
  private(set) var optionsEnded = false

  init(root: CommandNode) {
    path = [root]
  }

  /// Returns the text that the words request, or nil when they are matched to the commands of the path.
  mutating func scan(_ words: [String]) throws(UsageError.Reason) -> Outcome? {
    rest = words[...]
    while let word = rest.popFirst() {
      do throws(UsageError.Reason) {
        if let outcome = try take(word) { return outcome }
      } catch {
        // `--help` at the end takes precedence over an earlier error.
        if !optionsEnded, rest.prefix(while: { $0 != "--" }).contains(where: asksForHelp) { return .help }
        throw error
      }
    }
    if path[path.count - 1].isGroup { return .help }
    return nil
  }

  /// Scans words without stopping at errors, and returns the name of the option whose value is the next word, if any.
  mutating func optionWithoutValue(after words: some Sequence<String>) -> String? {
    rest = Array(words)[...]
    while let word = rest.popFirst() {
      do throws(UsageError.Reason) {
        _ = try take(word)
      } catch .missingValue where rest.isEmpty {
        return word.hasPrefix("--") ? word : "-\(word.suffix(1))"
      } catch {}
    }
    return nil
  }

  /// The positional argument that receives the next word.
  var nextPositional: Definition? {
    path[path.count - 1].positionals.first { $0.isRepeating || matches[path.count - 1].words[$0.label] == nil }
  }
}

// MARK: - Words

extension Scanner {
  /// The kind of one word of the command line.
  private enum Word {
    /// `--name` or `--name=value`, with the dashes; also `--`, after which every word is an operand.
    case long(name: String, value: String?)
    /// `-abc`, without the dash.
    case short(String)
    /// Any other word, including the empty word, `-`, and a negative number if its digit is no short name.
    case operand
  }

  private func kind(of word: String) -> Word {
    // Compares scalars, not characters: a combining mark would merge with the dash or the equals sign before it.
    let scalars = word.unicodeScalars
    guard scalars.first == "-", scalars.count > 1, !optionsEnded else { return .operand }
    let body = scalars.dropFirst()
    if body.first == "-" {
      guard let equals = scalars.firstIndex(of: "=") else { return .long(name: word, value: nil) }
      return .long(name: String(scalars[..<equals]), value: String(scalars[scalars.index(after: equals)...]))
    }
    let isNumber = body.first.map { ("0"..."9").contains($0) || $0 == "." } == true && Double(word) != nil
    return isNumber && option(named: String(word.prefix(2))) == nil ? .operand : .short(String(body))
  }

  private mutating func take(_ word: String) throws(UsageError.Reason) -> Outcome? {
    switch kind(of: word) {
    case .long("--", nil):
      optionsEnded = true
      return nil
    case .long(let name, let value):
      guard let option = option(named: name) else { throw unknownOption(name, in: name) }
      return try take(option, as: name, value: value)
    case .short(let cluster):
      return try takeShort(cluster)
    case .operand:
      return try takeOperand(word)
    }
  }

  private mutating func takeOperand(_ word: String) throws(UsageError.Reason) -> Outcome? {
    guard path[path.count - 1].isGroup else {
      guard let positional = nextPositional else { throw .unexpectedArgument(word) }
      matches[matches.count - 1].words[positional.label, default: []].append(word)
      return nil
    }
    guard word == "help", subcommand(named: word) == nil else {
      try descend(to: word)
      return nil
    }
    while let topic = rest.popFirst() {
      if case .operand = kind(of: topic), topic != "help" { try descend(to: topic) }
    }
    return .help
  }

  private func subcommand(named name: String) -> Int? {
    path[path.count - 1].subcommands.firstIndex { $0.name == name }
  }

  private mutating func descend(to name: String) throws(UsageError.Reason) {
    let current = path[path.count - 1]
    guard current.isGroup else { throw .unexpectedArgument(name) }
    guard let index = subcommand(named: name) else {
      let known = current.subcommands.map(\.name) + ["help"]
      throw .unknownSubcommand(name, suggestion: closest(to: name, among: known))
    }
    matches[matches.count - 1].subcommand = index
    path.append(current.subcommands[index])
    matches.append(Matches())
  }
}

// MARK: - Options

extension Scanner {
  private func option(named name: String) -> VisibleOption? {
    path.visibleOptions.first { $0.definition.names.contains(name) }
  }

  private func asksForHelp(_ word: String) -> Bool {
    guard let option = option(named: word), option.level == nil else { return false }
    return option.definition.name == Definition.showHelp.name
  }

  /// Takes the letters of `-abc` in order; a letter of an option takes the rest as its value.
  private mutating func takeShort(_ cluster: String) throws(UsageError.Reason) -> Outcome? {
    var remaining = cluster[...]
    while let letter = remaining.popFirst() {
      let name = "-\(letter)"
      guard let option = option(named: name) else { throw unknownOption(name, in: "-" + cluster) }
      if option.definition.kind == .option {
        let value = remaining.first == "=" ? remaining.dropFirst() : remaining
        return try take(option, as: name, value: remaining.isEmpty ? nil : String(value))
      }
      if let outcome = try take(option, as: name, value: nil) { return outcome }
    }
    return nil
  }

  private mutating func take(
    _ option: VisibleOption, as spelling: String, value: String?
  ) throws(UsageError.Reason) -> Outcome? {
    let definition = option.definition
    var words: [String] = []
    if definition.kind == .flag {
      if let value { throw .unexpectedValue(value, for: spelling) }
    } else {
      guard let value = value ?? nextValue() else { throw .missingValue("\(spelling) <\(definition.valueName)>") }
      words = [value]
    }
    guard let level = option.level else { return try outcome(of: definition, words) }
    let before = matches[level].words[definition.label]
    guard before == nil || definition.kind == .flag || definition.isRepeating else {
      throw .repeatedOption("--" + definition.name)
    }
    matches[level].words[definition.label] = (before ?? []) + words
    return nil
  }

  private func outcome(of builtIn: Definition, _ words: [String]) throws(UsageError.Reason) -> Outcome {
    guard let word = words.first else { return builtIn.name == Definition.showHelp.name ? .help : .version }
    guard let shell = CompletionShell(rawValue: word) else {
      throw .invalidValue(word, for: builtIn.label, because: "expected 'bash', 'zsh' or 'fish'")
    }
    return .completionScript(shell)
  }

  /// Returns and consumes the next word if it can be a value: not an option, not `--`.
  private mutating func nextValue() -> String? {
    guard let next = rest.first, case .operand = kind(of: next) else { return nil }
    return rest.popFirst()
  }

  /// Returns the error of an unknown option, which suggests `--name` also for `-name`.
  private func unknownOption(_ name: String, in word: String) -> UsageError.Reason {
    let long = word.hasPrefix("--") ? word : "-" + word
    let known = path.visibleOptions.map { "--\($0.definition.name)" }
    let suggestion = word.count > 2 ? closest(to: long, among: known) : nil
    return .unknownOption(suggestion == nil ? name : word, suggestion: suggestion)
  }
}
