/// The spelling and the description of one option, flag or positional argument, without its type.
struct Definition: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case option
    case flag
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

  var takesValue: Bool { kind == .option }

  /// The long name with dashes.
  var longName: String { "--" + name }

  /// The names of an option or a flag, with dashes, short first.
  var names: [String] { (short.map { ["-\($0)"] } ?? []) + [longName] }

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
