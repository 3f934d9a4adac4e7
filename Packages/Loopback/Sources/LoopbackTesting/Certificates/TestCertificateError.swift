public struct TestCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ attempt: String, _ cause: String, _ nextStep: String) {
    description = "Cannot \(attempt): \(cause). \(nextStep)"
  }
}
