import Foundation

/// The reason why a server cannot start or cannot accept connections.
public struct LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ attempt: String, cause: String, nextStep: String) {
    description = "Cannot \(attempt): \(cause). \(nextStep)"
  }

  init(_ attempt: String, code: Int32) {
    let nextStep =
      switch code {
      case EADDRINUSE:
        "Choose another port, or port 0 for any free port. 'ss -ltnp' or 'lsof -i' lists the ports in use."
      case EACCES, EPERM:
        "Choose a port above 1023, or port 0 for any free port. A sandbox can also forbid it."
      default: Self.nextStep(code) ?? "Check the limits of this process with 'ulimit -a'."
      }
    self.init(attempt, cause: String(cString: strerror(code)), nextStep: nextStep)
  }

  init(_ attempt: String, fileCode code: Int32) {
    let nextStep =
      switch code {
      case ENOSPC, EDQUOT: "Free disk space, or use a folder on another disk."
      default: Self.nextStep(code) ?? "Check the path and the permissions of the file."
      }
    self.init(attempt, cause: String(cString: strerror(code)), nextStep: nextStep)
  }

  private static func nextStep(_ code: Int32) -> String? {
    switch code {
    case EMFILE: "Raise the limit with 'ulimit -n'."
    case ENFILE: "Stop other programs, or raise the system's limit on open files."
    case ENOBUFS, ENOMEM: "Stop other programs to free memory."
    default: nil
    }
  }
}
