internal import CLibevent
internal import Foundation

/// The reason why a server cannot start, or why a certificate cannot be created.
public struct LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The failed action with its values, for example `listen on 127.0.0.1:80`.
  public let attempt: String
  public let cause: String
  public let nextStep: String
  /// The system's error number, for example `EADDRINUSE`, or `nil` if the cause is another one.
  public let code: Int32?

  public var description: String { "Cannot \(attempt): \(cause). \(nextStep)" }

  init(_ attempt: String, cause: String, nextStep: String) {
    (self.attempt, self.cause, self.nextStep, code) = (attempt, cause, nextStep, nil)
  }

  init(_ attempt: String, code: Int32, nextStep: String) {
    (self.attempt, self.cause, self.code) = (attempt, String(cString: strerror(code)), code)
    self.nextStep = code == EMFILE ? "Raise the limit with 'ulimit -n'." : nextStep
  }

  /// The error of OpenSSL's last failed call on this thread.
  ///
  /// The first of its errors is the cause, and the others come from the callers of the failed function.
  init(
    openSSL attempt: String, nextStep: String = "Check the installation and the configuration of OpenSSL."
  ) {
    self.init(attempt, cause: tlsText(of: ERR_peek_error()), nextStep: nextStep)
    ERR_clear_error()
  }

  /// The error of a file that cannot be opened, read or written.
  init(file attempt: String, code: Int32) {
    self.init(
      attempt, code: code, nextStep: "Check the path and the permissions of the file, and the free space of the disk.")
  }
}
