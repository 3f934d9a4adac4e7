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
  /// Never traps for any words, including empty words and text repaired from invalid UTF-8. The time is linear in the
  /// length of the words.
  ///
  /// - Returns: The output of the command, or the reason why it has none: a text was requested, or the words are invalid.
  ///   `--help` takes precedence over an error anywhere before `--`.
  public func parse(_ words: some Sequence<String>) -> Result<Invocation<Output>, Interruption> {
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
      case .matched:
        let output = try read(scanner.matches[...])
        return .success(Invocation(output: output, commandPath: scanner.path.map(\.name)))
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
  ///     try await run(demo.parseOrExit(width: 100).output)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - words: The command line, without the name of the program.
  ///   - width: The maximum number of columns for help and usage lines.
  public func parseOrExit(
    _ words: [String] = Array(CommandLine.arguments.dropFirst()), width: Int = 80
  ) -> Invocation<Output> {
    switch parse(words) {
    case .success(let invocation):
      return invocation
    case .failure(let interruption):
      write(interruption.text(width: width), to: interruption.isError ? STDERR_FILENO : STDOUT_FILENO)
      exit(interruption.exitCode.rawValue)
    }
  }
}

/// Writes all of the text, or as much as `descriptor` accepts before an error.
private func write(_ text: String, to descriptor: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count == 0 || errno != EINTR {
      return
    }
  }
}

/// A successfully parsed command line.
public struct Invocation<Output> {
  /// The output of the command.
  public var output: Output

  /// The names of the commands, outermost first: `["demo", "order", "take"]`.
  public let commandPath: [String]
}

extension Invocation: Sendable where Output: Sendable {}
extension Invocation: Equatable where Output: Equatable {}

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

/// The exit status of a process.
public struct ExitCode: RawRepresentable, Error, Sendable, Hashable {
  /// The exit status; shells keep only the lowest eight bits.
  public let rawValue: Int32

  /// Creates an exit code from a number.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Creates an exit code from a number.
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
