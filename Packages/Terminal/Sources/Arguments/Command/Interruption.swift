/// The reason why parsing returned no output: a request for a text, or a mistake.
public enum Interruption: Error, Sendable {
  /// Help was requested, or a group was called without a subcommand.
  case help(HelpPage)
  /// `--version`: the version of the outermost command.
  case version(String)
  /// `--generate-completion-script`: the script. Also the completions that this script requests.
  case completionScript(String)
  /// The command line is invalid.
  case usage(UsageError)

  /// Returns the text to print, with a newline at the end.
  ///
  /// - Parameter width: The maximum number of columns for help and for the usage line of an error.
  public func text(width: Int = 80) -> String {
    switch self {
    case .help(let page): page.text(width: width)
    case .version(let version): version + "\n"
    case .completionScript(let script): script
    case .usage(let error): error.text(width: width) + "\n"
    }
  }

  /// Success for a requested text, 64 for a usage error.
  public var exitCode: ExitCode {
    switch self {
    case .help, .version, .completionScript: .success
    case .usage: .validationFailure
    }
  }

  /// Whether the text belongs on standard error: true for a usage error.
  public var isError: Bool { exitCode != .success }
}
