internal import Arguments

/// The options that several commands share, declared once.
enum CommonOptions {
  static var json: Flag { Flag("json", help: "Print JSON lines.") }

  static var quiet: Flag { Flag("quiet", short: "q", help: "Print only results and errors.") }

  /// The random seed.
  ///
  /// Optional, so that a command can detect and refuse `--seed`. Commands use 1 for `nil`.
  static var seed: Option<UInt64?> {
    Option<UInt64?>("seed", valueName: "number", help: "Random seed; default: 1.")
  }

  static var server: Option<ServerAddress?> {
    Option<ServerAddress?>("server", valueName: "url", help: "Use this server instead of the embedded server.")
  }
}

/// The name of a file or an order, or a token.
struct NonEmptyText: ExpressibleByArgument, Sendable, Equatable {
  let text: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a text that is not empty") }
    text = argument
  }

  var defaultValueDescription: String { text }
}
