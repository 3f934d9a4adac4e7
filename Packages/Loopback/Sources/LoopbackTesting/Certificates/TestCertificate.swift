internal import Foundation

/// A certificate with its key, in files of a temporary folder.
///
/// ``TestCertificateAuthority`` issues it. The folder is removed with the last copy of this value.
public struct TestCertificate: Sendable {
  public enum Validity: Sendable, Hashable, CaseIterable {
    case now
    case expired
    case notYetValid
  }

  public var certificateFile: String { folder.file("certificate.pem") }
  /// The path of the key in PEM, without a passphrase.
  public var keyFile: String { folder.file("key.pem") }

  let folder: CertificateFolder
  /// Keeps the files of the issuer.
  let issuer: TestCertificateAuthority?

  /// Creates the certificate of a server that no authority has signed.
  ///
  /// - Parameter hosts: Host names and IPv4 or IPv6 addresses. The first is the common name too.
  /// - Throws: ``TestCertificateError`` if `openssl` is missing or fails.
  public static func selfSigned(
    for hosts: [String] = ["localhost", "127.0.0.1"]
  ) async throws(TestCertificateError) -> TestCertificate {
    let folder = try CertificateFolder()
    try folder.configure(name: hosts.first ?? "", extensions: serverExtensions(hosts))
    try await folder.run(
      ["req", "-x509", "-days", "1", "-extensions", "extensions", "-out", "certificate.pem"] + newKey)
    return TestCertificate(folder: folder, issuer: nil)
  }

  /// Returns the SHA-256 hash of the public key in the form of curl's `CURLOPT_PINNEDPUBLICKEY`: `sha256//` and Base64.
  ///
  /// - Throws: ``TestCertificateError`` if `openssl` is missing or fails.
  public func publicKeyPin() async throws(TestCertificateError) -> String {
    try await folder.run(["pkey", "-in", "key.pem", "-pubout", "-outform", "DER", "-out", "public.der"])
    try await folder.run(["dgst", "-sha256", "-binary", "-out", "public.sha256", "public.der"])
    guard let hash = FileManager.default.contents(atPath: folder.file("public.sha256")), hash.count == 32 else {
      throw TestCertificateError(
        "hash the public key", "openssl wrote no hash of 32 bytes", "Check the free disk space.")
    }
    return "sha256//" + hash.base64EncodedString()
  }

  static func serverExtensions(_ hosts: [String]) -> [String] {
    let names = hosts.map { host in
      host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." } ? "IP:\(host)" : "DNS:\(host)"
    }
    return ["extendedKeyUsage = serverAuth", "subjectAltName = " + names.joined(separator: ", ")]
  }
}

extension TestCertificate.Validity {
  var options: [String] {
    switch self {
    case .now: ["-days", "1"]
    case .expired: ["-startdate", "20000101000000Z", "-enddate", "20001231000000Z"]
    case .notYetValid: ["-startdate", "20990101000000Z", "-enddate", "20991231000000Z"]
    }
  }
}
