/// The spelling and the description of one option, flag or positional argument, without its type.
struct Definition: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case option
    case flag(hasInversion: Bool)
    case positional
  }

  var kind: Kind
  var name: String
  var short: Character?
  var valueName: String
  var help: String
  var isRequired = false
  var isRepeating = false
  var choices: [String] = []
  var defaultDescription: String?
  var completion: CompletionKind?
  var section: String?

  var isPositional: Bool { kind == .positional }

  var hasInversion: Bool { kind == .flag(hasInversion: true) }

  var takesValue: Bool { kind == .option }

  /// The accepted long names, with dashes.
  var longNames: [String] {
    switch kind {
    case .positional: []
    case .option, .flag(hasInversion: false): ["--" + name]
    case .flag(hasInversion: true): ["--" + name, "--no-" + name]
    }
  }

  /// Every accepted name, with dashes, short first.
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + longNames }

  /// The spelling in errors and usage lines: `--save <dir>`, `--json`, `<link>`.
  var label: String {
    switch kind {
    case .option: "--\(name) <\(valueName)>"
    case .flag: "--\(name)"
    case .positional: "<\(valueName)>"
    }
  }

  /// The completions that a shell offers for the value.
  var effectiveCompletion: CompletionKind {
    completion ?? (choices.isEmpty ? .none : .list(choices))
  }
}
