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

struct FilePath: ExpressibleByArgument, Sendable, Equatable {
  let path: String

  init(argument: String) throws(ValidationError) {
    guard !argument.isEmpty else { throw ValidationError("expected a file name") }
    path = argument
  }

  var defaultValueDescription: String { path }
}

struct Port: ExpressibleByArgument, Sendable, Equatable {
  let number: Int

  static let anyFree = Port(number: 0)

  private init(number: Int) { self.number = number }

  init(argument: String) throws(ValidationError) {
    guard let number = Int(argument), (0...65_535).contains(number) else {
      throw ValidationError("it is not a port from 0 to 65535; 0 means any free port")
    }
    self.number = number
  }

  var defaultValueDescription: String { "\(number)" }
}
