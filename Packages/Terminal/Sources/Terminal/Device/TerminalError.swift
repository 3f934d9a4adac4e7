#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A failure to use a terminal.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure.
  public enum Kind: Hashable, Sendable {
    /// The reader of the output closed it, for example `head` behind a pipe.
    ///
    /// A command should exit without a message.
    case closed
    /// The descriptor is not a terminal, so raw mode is unavailable.
    case notATerminal
    /// Another session is open in this process.
    case busy
    /// A system call failed for another reason.
    case system
  }

  /// The kind of the failure.
  public let kind: Kind
  /// The failed operation, its descriptor, the system's message and the next step.
  public let description: String

  static func notATerminal(_ descriptor: Int32) -> TerminalError {
    TerminalError(
      kind: .notATerminal,
      description: """
        Cannot open a terminal session: descriptor \(descriptor) is not a terminal. Run the command in a terminal, \
        without redirecting its input or output.
        """)
  }

  static var busy: TerminalError {
    TerminalError(
      kind: .busy,
      description: """
        Cannot open a terminal session: another session is open in this process. Close that session first, or use it \
        instead.
        """)
  }

  static func system(_ attempt: String, descriptor: Int32, code: Int32) -> TerminalError {
    TerminalError(
      kind: .system,
      description:
        "Cannot \(attempt) on descriptor \(descriptor): \(System.message(code)). Run the command in another terminal.")
  }

  static func writing(descriptor: Int32, code: Int32) -> TerminalError {
    let names = [STDOUT_FILENO: "standard output", STDERR_FILENO: "standard error"]
    return TerminalError(
      kind: .system,
      description: """
        Cannot write to \(names[descriptor] ?? "descriptor \(descriptor)"): \(System.message(code)). Check the \
        destination, or redirect the output.
        """)
  }

  static func closed(descriptor: Int32) -> TerminalError {
    TerminalError(
      kind: .closed,
      description: "Cannot write to descriptor \(descriptor): its reader closed it. Exit without a message.")
  }
}
