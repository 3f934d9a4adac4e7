import Foundation

/// The reason why a server cannot start or cannot accept connections.
public struct LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The failed action with its address or file, its cause and the next step.
  public let description: String

  init(_ attempt: String, cause: String, nextStep: String) {
    description = "Cannot \(attempt): \(cause). \(nextStep)"
  }

  /// Creates the error of a failed system call.
  init(_ attempt: String, code: Int32) {
    let nextStep =
      switch code {
      case EADDRINUSE:
        "Choose another port, or port 0 for any free port. 'ss -ltnp' or 'lsof -i' lists the ports in use."
      case EACCES, EPERM:
        "Choose a port above 1023, or port 0 for any free port. A sandbox can also forbid it."
      case EMFILE: "Raise the limit with 'ulimit -n', or stop servers of this process."
      case ENFILE: "Stop other programs, or raise the system's limit on open files."
      case ENOBUFS, ENOMEM: "Stop servers or programs that are no longer needed to free memory."
      default: "'man errno' explains the error number \(code)."
      }
    self.init(attempt, cause: String(cString: strerror(code)), nextStep: nextStep)
  }
}
