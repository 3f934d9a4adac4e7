import Foundation

extension LoopbackError {
  /// The error for a system call that left a code behind.
  static func systemCall(_ attempt: String, code: Int32) -> Self {
    let cause = String(cString: strerror(code))
    return switch code {
    case EADDRINUSE:
      Self(
        kind: .portInUse, attempt: attempt, cause: cause,
        nextStep: "Choose another port, or port 0 for any free port. 'ss -ltnp' or 'lsof -i' lists the ports in use.")
    case EACCES, EPERM:
      Self(
        kind: .permissionDenied, attempt: attempt, cause: cause,
        nextStep: """
          Choose a port above 1023, or port 0 for any free port. If that fails too, check whether a sandbox forbids \
          listening.
          """)
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      Self(
        kind: .addressUnavailable, attempt: attempt, cause: cause,
        nextStep: "Use the address .ipv4 instead of .ipv6.")
    case EMFILE:
      Self(
        kind: .outOfResources, attempt: attempt, cause: cause,
        nextStep: "Raise the limit with 'ulimit -n', or stop servers of this process.")
    case ENFILE:
      Self(
        kind: .outOfResources, attempt: attempt, cause: cause,
        nextStep: "Stop other programs, or raise the system's limit on open files.")
    case ENOBUFS, ENOMEM:
      Self(
        kind: .outOfResources, attempt: attempt, cause: cause,
        nextStep: "Stop servers or programs that are no longer needed to free memory.")
    default:
      Self(
        kind: .systemCallFailed, attempt: attempt, cause: "\(cause) (error \(code))",
        nextStep: "'man errno' explains the error number.")
    }
  }

  /// The error for an invalid port.
  static func invalidPort(_ attempt: String) -> Self {
    Self(
      kind: .invalidPort, attempt: attempt, cause: "the port is not in the range 0 to 65535",
      nextStep: "Choose a port in this range, or port 0 for any free port.")
  }
}
