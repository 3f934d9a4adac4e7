/// Why a command line leads to no output: the person asked for a text, or made a mistake.
public enum Interruption: Error, Sendable {
  /// Help was asked for, or a command that only groups others was called by itself.
  case help(HelpPage)
  /// `--version`: the version handed to the outermost command.
  case version(String)
  /// `--generate-completion-script`: the script.
  case completionScript(String)
  /// The command line is wrong.
  case usage(UsageError)

  /// What to print, ending in a line end.
  ///
  /// - Parameter width: The columns that help may take; the other texts do not wrap.
  public func text(width: Int = 80) -> String {
    switch self {
    case .help(let page): page.text(width: width)
    case .version(let version): version + "\n"
    case .completionScript(let script): script
    case .usage(let error): "\(error)\n"
    }
  }

  /// Success for a text that was asked for, 64 for a mistake.
  public var exitCode: ExitCode {
    switch self {
    case .help, .version, .completionScript: .success
    case .usage(let error): error.exitCode
    }
  }

  /// Whether the text belongs on standard error: true for a mistake.
  public var isError: Bool { exitCode != .success }
}
