internal import TextLayout

/// A command line that a command cannot parse, with the reason and the usage line.
///
/// The printed form has three parts:
///
/// ```
/// Error: Unknown option '--sav'. Did you mean '--save'?
/// Usage: demo birds [--server <url>] [--json] [--save <dir>]
///   See 'demo birds --help' for more information.
/// ```
public struct UsageError: Error, Sendable, Hashable {
  /// The reason why a command line is invalid.
  ///
  /// New cases can be added: switch with a default.
  public enum Reason: Error, Sendable, Hashable {
    /// No command of the path has this option.
    case unknownOption(String, suggestion: String?)
    /// The command has subcommands, but none of this name.
    case unknownSubcommand(String, suggestion: String?)
    /// The option is the last word, or an option follows it.
    case missingValue(String)
    /// A flag was given a value: `--json=yes`.
    case unexpectedValue(String, for: String)
    /// An option that does not repeat was given more than once.
    case repeatedOption(String)
    /// The word is not a valid value; `because` describes the valid values.
    case invalidValue(String, for: String, because: String)
    /// A required value is missing.
    case missingArgument(String)
    /// The command line has more words than the command has arguments.
    case unexpectedArguments([String])
    /// Each value is valid, but the combination is not.
    case failedValidation(String)
  }

  /// The reason why the command line is invalid.
  public let reason: Reason

  /// The names of the commands on the path to the error, outermost first.
  public let commandPath: [String]

  /// The usage line of the innermost command in ``commandPath``.
  public var usage: String { usagePieces.joined(separator: " ") }
  private let usagePieces: [String]

  init(reason: Reason, path: [CommandNode]) {
    self.reason = reason
    commandPath = path.map(\.name)
    usagePieces = UsageLine(path: path).pieces
  }
}

extension UsageError: CustomStringConvertible {
  /// The message, the usage line and a reference to the help, without a newline at the end.
  public var description: String { text(width: .max) }

  /// Returns the description, with the usage line wrapped to at most `width` columns.
  func text(width: Int) -> String {
    """
    Error: \(reason)
    Usage: \(usagePieces.joined(toColumns: max(width, 20) - 7).joined(separator: "\n       "))
      See '\(commandPath.joined(separator: " ")) --help' for more information.
    """
  }
}

extension UsageError.Reason: CustomStringConvertible {
  /// The reason as a sentence.
  ///
  /// Words from the command line are quoted and shortened to 80 characters, and their control characters are escaped.
  public var description: String {
    switch self {
    case .unknownOption(let option, let suggestion):
      "Unknown option \(quoted(option))." + Self.question(suggestion)
    case .unknownSubcommand(let name, let suggestion):
      "Unknown subcommand \(quoted(name))." + Self.question(suggestion)
    case .missingValue(let label):
      "Missing value for '\(label)'."
    case .unexpectedValue(let value, let flag):
      "The flag '\(flag)' takes no value, but was given \(quoted(value))."
    case .repeatedOption(let option):
      "The option '\(option)' may be given only once."
    case .invalidValue(let value, let label, let expectation):
      "The value \(quoted(value.withoutCredentials)) is invalid for '\(label)': \(expectation.withoutFlood.withFullStop)"
    case .missingArgument(let label):
      "Missing expected argument '\(label)'."
    case .unexpectedArguments(let words):
      words.count == 1
        ? "Unexpected argument \(quoted(words[0]))."
        : "\(words.count) unexpected arguments: \(words.prefix(5).map(quoted).joined(separator: ", "))"
          + (words.count > 5 ? ", …" : ".")
    case .failedValidation(let message):
      message.withoutFlood.withFullStop
    }
  }

  private static func question(_ suggestion: String?) -> String {
    suggestion.map { " Did you mean '\($0)'?" } ?? ""
  }
}
