#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Command {
  /// Parses a command line, without the name of the program.
  ///
  /// Never traps for any words. The time is linear in their length.
  ///
  /// - Returns: The output of the command, or the reason why it has none: a text was requested, or the words are invalid.
  ///   `--help` takes precedence over an error anywhere before `--`.
  public func parse(_ words: some Sequence<String>) -> Result<Output, Interruption> {
    let words = Array(words)
    if words.first == CompletionShell.request {
      return .failure(.completionScript(CompletionShell.answer(words.dropFirst(), root: node)))
    }
    var scanner = Scanner(root: node)
    do throws(UsageError.Reason) {
      switch try scanner.scan(words) {
      case .help:
        return .failure(.help(HelpPage(path: scanner.path)))
      case .version:
        return .failure(.version(node.version ?? ""))
      case .completionScript(let shell):
        return .failure(.completionScript(shell.script(for: name)))
      case nil:
        return .success(try read(scanner.matches[...]))
      }
    } catch {
      return .failure(.usage(UsageError(reason: error, path: scanner.path)))
    }
  }

  /// The help of this command, as shown by `--help`.
  public var help: HelpPage { HelpPage(path: [node]) }
}

extension Command {
  /// Parses the process's own command line; on an interruption prints its text and exits.
  ///
  /// This is the only function of the module with side effects. Requested texts go to standard output and usage errors to
  /// standard error. The process exits with ``Interruption/exitCode``. Call the function from the entry point of a
  /// program:
  ///
  /// ```swift
  /// @main enum Main {
  ///   static func main() async throws {
  ///     try await run(demo.parseOrExit(width: 100))
  ///   }
  /// }
  /// ```
  ///
  /// `width` is the maximum number of columns for help and usage lines.
  public func parseOrExit(
    _ words: [String] = Array(CommandLine.arguments.dropFirst()), width: Int = 80
  ) -> Output {
    switch parse(words) {
    case .success(let output):
      return output
    case .failure(let interruption):
      let descriptor = interruption.exitCode == .success ? STDOUT_FILENO : STDERR_FILENO
      _ = Array(interruption.text(width: width).utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      exit(interruption.exitCode.rawValue)
    }
  }
}

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

  /// Success for a requested text, which belongs on standard output; 64 for a usage error.
  public var exitCode: ExitCode {
    if case .usage = self { .validationFailure } else { .success }
  }
}

/// The exit status of a process.
public struct ExitCode: Error, Sendable, Hashable {
  /// The exit status; shells keep only the lowest eight bits.
  public let rawValue: Int32

  public init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// 0: the command succeeded.
  public static let success = ExitCode(0)

  /// 1: the command failed.
  public static let failure = ExitCode(1)

  /// 64, `EX_USAGE`: the command line is invalid.
  public static let validationFailure = ExitCode(64)
}
