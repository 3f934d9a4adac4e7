/// The completions of the last word of a command line.
struct Completion {
  /// Names and values, each with a description.
  private(set) var words: [(text: String, help: String)] = []
  /// The kind of paths that the shell adds.
  private(set) var paths = CompletionKind.none

  /// Completes the last word; errors in the words before it are ignored.
  init(of words: [String], root: CommandNode) {
    let current = words.last ?? ""
    var scanner = Scanner(root: root)
    let place = scanner.place(after: words.dropLast())
    let options = scanner.path.visibleOptions
    let value = { (name: String) in options.first { $0.names.contains(name) }?.effectiveCompletion }
    switch place {
    case .value(let option):
      add(value(option))
    case .word where current.hasPrefix("--") && current.contains("="):
      add(value(String(current.prefix { $0 != "=" })))
    case .word where current.hasPrefix("-"):
      self.words = options.flatMap { option in option.names.map { ($0, option.help) } }
    case .word, .operand:
      if scanner.acceptsSubcommand { addSubcommands(of: scanner.path) }
      add(scanner.nextPositional?.effectiveCompletion)
    case .topic:
      addSubcommands(of: scanner.path)
    }
  }

  private mutating func addSubcommands(of path: [CommandNode]) {
    guard let command = path.last, !command.subcommands.isEmpty else { return }
    words += command.subcommands.map { ($0.name, $0.abstract) }
    if command.isGroup, !words.contains(where: { $0.text == "help" }) {
      words.append(("help", "Show help for a subcommand."))
    }
  }

  private mutating func add(_ kind: CompletionKind?) {
    switch kind {
    case nil, CompletionKind.none?: break
    case .file?, .directory?: paths = kind ?? .none
    case .list(let texts)?: words += texts.map { ($0, "") }
    }
  }
}

extension [CommandNode] {
  /// The options that are accepted at the end of the path, innermost first, without hidden duplicates.
  fileprivate var visibleOptions: [Definition] {
    var visible: [Definition] = []
    for var option in understood.reversed().flatMap(\.options) + BuiltIn.definitions(for: self) {
      if visible.contains(where: { $0.name == option.name }) { continue }
      if visible.contains(where: { $0.short != nil && $0.short == option.short }) { option.short = nil }
      visible.append(option)
    }
    return visible
  }
}
