/// The reason why a test certificate cannot be created.
public struct TestCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The failed action, its cause and the next step.
  public let description: String

  init(_ attempt: String, _ cause: String, _ nextStep: String) {
    description = "Cannot \(attempt): \(cause). \(nextStep)"
  }
}
