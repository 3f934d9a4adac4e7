internal import Arguments

/// The options that several commands have: one declaration each, so that they mean the same everywhere.
enum CommonOptions {
  static var json: Flag { Flag("json", help: "Print JSON lines.") }

  static var quiet: Flag { Flag("quiet", short: "q", help: "Print results and errors only: no progress.") }

  static var seed: Option<UInt64> {
    Option<UInt64>(
      "seed", default: 1, valueName: "number", help: "Where chance starts; the same seed, the same chances.")
  }

  static var server: Option<ServerAddress?> {
    Option<ServerAddress?>("server", valueName: "url", help: "Use this server instead of starting one.")
  }

  static var color: Option<ColorChoice> {
    Option<ColorChoice>("color", default: .auto, valueName: "when", help: "When to use colour.")
  }
}
