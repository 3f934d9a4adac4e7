import Foundation

/// A failure to use a terminal.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// The reader of the output closed it, for example `head` behind a pipe.
    ///
    /// A command should exit without a message.
    case closed
    /// The descriptor is not a terminal, so raw mode is unavailable.
    case notATerminal
    /// `TERM` is absent, empty, `dumb` or `unknown`, so the terminal may not support control sequences.
    case cannotMoveCursor
    case busy
    case system
  }

  public let kind: Kind
  /// The failed operation, its descriptor, the system's message and the next step.
  public let description: String

  static func notATerminal(_ descriptor: Int32) -> TerminalError {
    TerminalError(
      kind: .notATerminal,
      description: """
        Cannot open a terminal session: \(name(of: descriptor)) is not a terminal. Run the command in a terminal, \
        without redirecting its input or output.
        """)
  }

  static func cannotMoveCursor(_ type: String) -> TerminalError {
    TerminalError(
      kind: .cannotMoveCursor,
      description: """
        Cannot open a terminal session: according to TERM, which is '\(type)', this terminal cannot move its cursor. Set \
        TERM to the type of the terminal, for example xterm-256color.
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
    TerminalError(
      kind: .system,
      description: """
        Cannot write to \(name(of: descriptor)): \(System.message(code)). Check the \
        destination, or redirect the output.
        """)
  }

  static func closed(descriptor: Int32) -> TerminalError {
    TerminalError(
      kind: .closed,
      description: "Cannot write to descriptor \(descriptor): its reader closed it. Exit without a message.")
  }

  private static func name(of descriptor: Int32) -> String {
    switch descriptor {
    case STDIN_FILENO: "standard input"
    case STDOUT_FILENO: "standard output"
    case STDERR_FILENO: "standard error"
    default: "descriptor \(descriptor)"
    }
  }
}
