/// A certificate authority (CA) for tests.
///
/// ```swift
/// let authority = try await TestCertificateAuthority()
/// let certificate = try await authority.issue(for: ["localhost", "127.0.0.1"])
/// let client = try await authority.issueClient(name: "till 7")
/// let identity = TLSIdentity(
///   certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile,
///   clientCAFile: authority.certificateFile)
/// ```
///
/// It runs the command `openssl`. Keys are on the curve P-256. The files are in a temporary folder, which is removed with the last
/// reference to the authority and its certificates. Two authorities are unrelated, also with the same name.
public final class TestCertificateAuthority: Sendable {
  /// The path of the authority's certificate in PEM, which clients or servers trust.
  public var certificateFile: String { folder.file("certificate.pem") }

  private let folder: CertificateFolder

  /// Creates an authority with a new key.
  ///
  /// - Throws: ``TestCertificateError`` if `openssl` is missing or fails.
  public init(name: String = "Test CA") async throws(TestCertificateError) {
    folder = try CertificateFolder()
    try folder.configure(
      name: name, extensions: ["basicConstraints = critical, CA:true", "keyUsage = critical, keyCertSign, cRLSign"])
    try await folder.run(
      ["req", "-x509", "-days", "1", "-extensions", "extensions", "-out", "certificate.pem"] + newKey)
  }

  /// Issues the certificate of a server for host names and IP addresses; the first is the common name too.
  ///
  /// - Throws: ``TestCertificateError`` if `openssl` is missing or fails.
  public func issue(
    for hosts: [String] = ["localhost", "127.0.0.1"], validity: TestCertificate.Validity = .now
  ) async throws(TestCertificateError) -> TestCertificate {
    try await issue(name: hosts.first ?? "", TestCertificate.serverExtensions(hosts), validity)
  }

  /// Issues the certificate of a client, with `name` as its common name.
  ///
  /// - Throws: ``TestCertificateError`` if `openssl` is missing or fails.
  public func issueClient(
    name: String, validity: TestCertificate.Validity = .now
  ) async throws(TestCertificateError) -> TestCertificate {
    try await issue(name: name, ["extendedKeyUsage = clientAuth"], validity)
  }

  private func issue(
    name: String, _ extensions: [String], _ validity: TestCertificate.Validity
  ) async throws(TestCertificateError) -> TestCertificate {
    let own = try CertificateFolder()
    try own.configure(name: name, extensions: ["basicConstraints = critical, CA:false"] + extensions)
    try await own.run(["req", "-out", "request.pem"] + newKey)
    try await own.run(
      [
        "ca", "-batch", "-notext", "-in", "request.pem", "-out", "certificate.pem", "-config", "openssl.cnf",
        "-extensions", "extensions", "-cert", certificateFile, "-keyfile", folder.file("key.pem"),
      ] + validity.options)
    return TestCertificate(folder: own, issuer: self)
  }
}

let newKey = [
  "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem", "-config",
  "openssl.cnf",
]
