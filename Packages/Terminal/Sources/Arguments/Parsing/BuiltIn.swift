/// The built-in options.
///
/// A command can declare an option with the same name instead.
enum BuiltIn: String, CaseIterable {
  case help
  case version
  case completionScript = "generate-completion-script"

  func isOffered(by path: [CommandNode]) -> Bool {
    switch self {
    case .help: true
    case .version: path.first?.version != nil
    case .completionScript: path.count == 1
    }
  }

  static func offered(by path: [CommandNode]) -> [BuiltIn] {
    allCases.filter { $0.isOffered(by: path) }
  }
}

extension BuiltIn {
  /// Returns the built-in options as definitions for help and completions, except those with a name that the path
  /// declares.
  static func definitions(for path: [CommandNode]) -> [Definition] {
    let declared = path.understood.flatMap(\.options)
    return offered(by: path).filter { builtIn in !declared.contains { $0.name == builtIn.rawValue } }.map { builtIn in
      switch builtIn {
      case .help:
        Definition(
          kind: .flag, name: builtIn.rawValue,
          short: declared.contains { $0.short == "h" } ? nil : "h", valueName: "", help: "Show help information.")
      case .version:
        Definition(
          kind: .flag, name: builtIn.rawValue, valueName: "", help: "Show the version.")
      case .completionScript:
        Definition(
          kind: .option, name: builtIn.rawValue, valueName: "shell", help: "Print a completion script and exit.",
          choices: CompletionShell.allValueStrings)
      }
    }
  }
}
