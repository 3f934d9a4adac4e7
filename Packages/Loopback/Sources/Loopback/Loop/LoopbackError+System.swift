import Foundation

extension LoopbackError {
  /// The error for a system call that left a code behind.
  static func systemCall(_ attempt: String, code: Int32) -> Self {
    let cause = String(cString: strerror(code))
    return switch code {
    case EADDRINUSE:
      Self(
        kind: .portInUse, attempt: attempt, cause: cause,
        nextStep: "Choose port 0 for a free one, or find who has it: ss -ltnp or lsof -i")
    case EACCES, EPERM:
      Self(
        kind: .permissionDenied, attempt: attempt, cause: cause,
        nextStep: "Choose a port above 1023, or port 0 for a free one")
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      Self(
        kind: .addressUnavailable, attempt: attempt, cause: cause,
        nextStep: "Use the other loopback address: .ipv4 instead of .ipv6")
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      Self(
        kind: .outOfResources, attempt: attempt, cause: cause,
        nextStep: "Stop servers that are no longer needed, or raise the limit: ulimit -n")
    default:
      Self(
        kind: .systemCallFailed, attempt: attempt, cause: "\(cause) (error \(code))",
        nextStep: "This is not expected on a loopback address; the error's number says what the system objects to")
    }
  }

  /// The error for a number that is no port.
  static func invalidPort(_ attempt: String) -> Self {
    Self(
      kind: .invalidPort, attempt: attempt, cause: "a port is a number from 0 to 65535",
      nextStep: "Choose port 0 for a free one")
  }
}
