/// Finds the commands that the words name, and the words that each command of the path receives.
///
/// Scanning is pure and takes time linear in the length of the words. After an error, ``path`` ends with the
/// command that was being parsed.
struct Scanner {
  enum Outcome: Equatable {
    case matched
    case help
    case version
    case completionScript(CompletionShell)
  }

  private(set) var path: [CommandNode]
  private(set) var matches: [Matches] = [Matches()]
  private var rest: ArraySlice<String> = []
  private var optionsEnded = false

  init(root: CommandNode) {
    path = [root]
  }

  mutating func scan(_ words: [String]) throws(UsageError.Reason) -> Outcome {
    rest = words[...]
    while let word = rest.popFirst() {
      do throws(UsageError.Reason) {
        if let outcome = try take(word) { return outcome }
      } catch {
        if asksForHelp() { return .help }
        throw error
      }
    }
    if path[path.count - 1].isGroup { return .help }
    let surplus = matches[matches.count - 1].assignOperands(to: path[path.count - 1].positionals)
    guard surplus.isEmpty else { throw .unexpectedArguments(surplus) }
    return .matched
  }

  /// The place of a word in a command line, for completions.
  enum Place {
    /// The value of the option with this name.
    case value(String)
    /// A command after `help`.
    case topic
    /// An option, a subcommand or a positional argument.
    case word
    /// A word after `--`, which is never an option.
    case operand
  }

  /// Scans words without stopping at errors, and returns the place of the next word.
  mutating func place(after words: [String]) -> Place {
    rest = words[...]
    while let word = rest.popFirst() {
      do throws(UsageError.Reason) {
        if try take(word) == .help, word == "help" { return .topic }
      } catch .missingValue where rest.isEmpty {
        return .value(word.hasPrefix("--") ? word : "-\(word.suffix(1))")
      } catch {}
    }
    return optionsEnded ? .operand : .word
  }

  /// The positional argument that receives the next word.
  var nextPositional: Definition? {
    guard let command = path.last, !command.isGroup else { return nil }
    let count = matches[path.count - 1].operands.count
    return command.positionals.enumerated().first { $0.offset == count || $0.element.isRepeating }?.element
  }

  private mutating func take(_ word: String) throws(UsageError.Reason) -> Outcome? {
    if optionsEnded { return try takeOperand(word) }
    switch Word(word) {
    case .terminator:
      optionsEnded = true
      return nil
    case .long(let name, let value):
      return try takeLong(name, value: value)
    case .short(let cluster):
      return try takeShort(cluster)
    case .negativeNumber(let number) where number.dropFirst().first.flatMap(find(short:)) != nil:
      return try takeShort(String(number.dropFirst()))
    case .negativeNumber(let operand), .operand(let operand):
      return try takeOperand(operand)
    }
  }
}

// MARK: - Operands and subcommands

extension Scanner {
  private mutating func takeOperand(_ word: String) throws(UsageError.Reason) -> Outcome? {
    let current = path[path.count - 1]
    guard current.isGroup else {
      matches[matches.count - 1].operands.append(word)
      return nil
    }
    if let index = current.subcommands.firstIndex(where: { $0.name == word }) {
      descend(to: index)
      return nil
    }
    guard word == "help" else { throw unknownSubcommand(word) }
    while let topic = rest.popFirst() {
      if topic.startsWithDash { continue }
      guard let index = path[path.count - 1].subcommands.firstIndex(where: { $0.name == topic }) else {
        if topic == "help", path[path.count - 1].isGroup { continue }
        throw unknownSubcommand(topic)
      }
      descend(to: index)
    }
    return .help
  }

  private mutating func descend(to index: Int) {
    matches[matches.count - 1].subcommand = index
    path.append(path[path.count - 1].subcommands[index])
    matches.append(Matches())
  }

  private func unknownSubcommand(_ word: String) -> UsageError.Reason {
    let current = path[path.count - 1]
    guard current.isGroup else { return .unexpectedArguments([word]) }
    let known = current.subcommands.map(\.name) + ["help"]
    return .unknownSubcommand(word, suggestion: Suggestion.closest(to: word, among: known))
  }
}

// MARK: - Options

extension Scanner {
  private typealias Found = (level: Int, definition: Definition)

  /// Returns the matching option of the innermost command that has one, so that a command can redefine an outer option.
  private func find(_ matching: (Definition) -> Bool) -> Found? {
    for level in path.indices.reversed() {
      if let definition = path[level].options.first(where: matching) { return (level, definition) }
    }
    return nil
  }

  private func find(short: Character) -> Found? { find { $0.short == short } }

  private mutating func takeLong(_ name: String, value: String?) throws(UsageError.Reason) -> Outcome? {
    if let found = find({ $0.name == name }) {
      if found.definition.takesValue {
        try record(found, value: value, spelled: "--" + name)
      } else if let value {
        throw .unexpectedValue(value, for: "--" + name)
      } else {
        matches[found.level].flags.insert(name)
      }
      return nil
    }
    guard let builtIn = BuiltIn(rawValue: name), builtIn.isOffered(by: path) else {
      throw unknownOption("--" + name)
    }
    switch builtIn {
    case .completionScript:
      let label = "--\(name) <shell>"
      guard let word = value ?? nextValue() else { throw .missingValue(label) }
      do throws(ValidationError) {
        return .completionScript(try CompletionShell(argument: word))
      } catch {
        throw .invalidValue(word, for: label, because: error.message)
      }
    case .help, .version:
      if let value { throw .unexpectedValue(value, for: "--" + name) }
      return builtIn == .help ? .help : .version
    }
  }

  private mutating func takeShort(_ cluster: String) throws(UsageError.Reason) -> Outcome? {
    var remaining = cluster[...]
    while let short = remaining.popFirst() {
      guard let found = find(short: short) else {
        if short == "h" { return .help }
        throw unknownOption("-\(short)", writtenIn: "-" + cluster)
      }
      guard found.definition.takesValue else {
        matches[found.level].flags.insert(found.definition.name)
        continue
      }
      if remaining.first == "=" {
        try record(found, value: String(remaining.dropFirst()), spelled: "-\(short)")
      } else {
        try record(found, value: remaining.isEmpty ? nil : String(remaining), spelled: "-\(short)")
      }
      return nil
    }
    return nil
  }

  private mutating func record(
    _ found: Found, value: String?, spelled: String
  ) throws(UsageError.Reason) {
    let definition = found.definition
    guard let value = value ?? nextValue() else { throw .missingValue("\(spelled) <\(definition.valueName)>") }
    let isFirst = matches[found.level].options[definition.name] == nil
    guard isFirst || definition.isRepeating else { throw .repeatedOption("--" + definition.name) }
    matches[found.level].options[definition.name, default: []].append(value)
  }

  /// Returns and consumes the next word if it can be a value: not an option, not `--`.
  private mutating func nextValue() -> String? {
    guard let next = rest.first else { return nil }
    switch Word(next) {
    case .operand: return rest.popFirst()
    case .negativeNumber where next.dropFirst().first.flatMap(find(short:)) == nil: return rest.popFirst()
    case .negativeNumber, .terminator, .long, .short: return nil
    }
  }

  private func unknownOption(_ name: String, writtenIn word: String? = nil) -> UsageError.Reason {
    let known =
      path.flatMap { $0.options.map(\.longName) } + BuiltIn.offered(by: path).map { "--\($0.rawValue)" }
    // A long name after a single dash and a misspelled long name are both looked up as long names.
    let written = word ?? name
    let asLong = written.hasPrefix("--") ? written : "-" + written
    let suggestion = written.count > 2 ? Suggestion.closest(to: asLong, among: known) ?? below(asLong) : nil
    return .unknownOption(suggestion == nil ? name : written, suggestion: suggestion)
  }
}

extension Scanner {
  /// Returns an option of a subcommand together with the subcommand's name, as a suggestion for an option written before
  /// it.
  private func below(_ name: String) -> String? {
    let below = path[path.count - 1].subcommands.flatMap { subcommand in
      subcommand.options.map { (subcommand: subcommand.name, option: $0.longName) }
    }
    guard let option = Suggestion.closest(to: name, among: below.map(\.option)) else { return nil }
    return below.first { $0.option == option }.map { "\($0.subcommand) \($0.option)" }
  }
}

// MARK: - Help in spite of an error

extension Scanner {
  /// Returns whether a later word requests help, since `--help` at the end takes precedence over an earlier error.
  private func asksForHelp() -> Bool {
    let hasOwnHelp = find { $0.name == "help" } != nil
    let hasOwnShort = find(short: "h") != nil
    return !optionsEnded
      && rest.prefix { $0 != "--" }.contains { ($0 == "--help" && !hasOwnHelp) || ($0 == "-h" && !hasOwnShort) }
  }
}

/// The kind of one word of the command line, determined by its spelling alone.
enum Word: Equatable {
  /// `--`: every later word is an operand.
  case terminator
  /// `--name` or `--name=value`.
  case long(name: String, value: String?)
  /// `-abc`, without the dash.
  case short(String)
  /// `-5`: an operand, unless that digit is a declared short name.
  case negativeNumber(String)
  /// Any other word, including the empty word and `-`.
  case operand(String)

  // Compares scalars, not characters: a combining mark would merge with the dash or the equals sign before it.
  init(_ word: String) {
    let scalars = word.unicodeScalars
    guard scalars.first == "-", scalars.count > 1 else {
      self = .operand(word)
      return
    }
    let body = scalars.dropFirst()
    if body.first == "-" {
      let long = body.dropFirst()
      if long.isEmpty {
        self = .terminator
      } else if let equals = long.firstIndex(of: "=") {
        self = .long(name: String(long[..<equals]), value: String(long[long.index(after: equals)...]))
      } else {
        self = .long(name: String(long), value: nil)
      }
    } else if Self.looksNumeric(body), Double(word) != nil {
      self = .negativeNumber(word)
    } else {
      self = .short(String(body))
    }
  }

  private static func looksNumeric(_ body: Substring.UnicodeScalarView) -> Bool {
    let first = body.first == "." ? body.dropFirst().first : body.first
    return first.map { ("0"..."9").contains($0) } ?? false
  }
}

extension String {
  /// Whether a parser can read the word as an option.
  var startsWithDash: Bool {
    unicodeScalars.first == "-" && unicodeScalars.count > 1
  }
}
