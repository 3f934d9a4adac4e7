internal import Arguments

/// The options that several commands have: one declaration each, so that they mean the same everywhere.
enum CommonOptions {
  static var json: Flag { Flag("json", help: "Print JSON lines.") }

  static var quiet: Flag { Flag("quiet", short: "q", help: "Print results and errors only: no progress.") }

  /// `nil` when it is left out, which is as good as 1, so that a command can refuse it where there is no chance.
  static var seed: Option<UInt64?> {
    Option<UInt64?>("seed", valueName: "number", help: "Where chance starts; 1 when left out.")
  }

  static var server: Option<ServerAddress?> {
    Option<ServerAddress?>("server", valueName: "url", help: "Use this server instead of starting one.")
  }

  static var color: Option<ColorChoice> {
    Option<ColorChoice>("color", default: .auto, valueName: "when", help: "When to use colour.")
  }
}
