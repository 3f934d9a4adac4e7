internal import Foundation
public import Loopback

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
/// The files are in a temporary folder, which is removed with the last reference to the authority and its certificates.
public final class TestCertificateAuthority: Sendable {
  /// The path of the authority's certificate in PEM, which clients or servers trust.
  public var certificateFile: String { certificate.certificateFile }

  private let certificate: TestCertificate

  /// Creates an authority with a new key; its name has at most 64 characters.
  public init(name: String = "Test CA") async throws(LoopbackError) {
    certificate = try TestCertificate(
      name, [("basicConstraints", "critical,CA:true"), ("keyUsage", "critical,keyCertSign,cRLSign")])
  }

  /// Issues the certificate of a server for host names and IP addresses; the first is the common name too.
  public func issue(
    for hosts: [String] = ["localhost", "127.0.0.1"], validity: TestCertificate.Validity = .now
  ) async throws(LoopbackError) -> TestCertificate {
    try TestCertificate(hosts.first ?? "", TestCertificate.server(hosts), validity, by: certificate)
  }

  /// Issues the certificate of a client, with `name` as its common name.
  public func issueClient(
    name: String, validity: TestCertificate.Validity = .now
  ) async throws(LoopbackError) -> TestCertificate {
    try TestCertificate(name, [("extendedKeyUsage", "clientAuth")], validity, by: certificate)
  }
}

/// A certificate with its key, in files of a temporary folder, which is removed with the last copy of this value.
public struct TestCertificate: Sendable {
  public enum Validity: Sendable, Hashable, CaseIterable {
    case now
    case expired
    case notYetValid

    fileprivate var seconds: Range<Int> {
      let day = 86_400
      return switch self {
      case .now: -60..<day
      case .expired: -2 * day ..< -day
      case .notYetValid: day..<2 * day
      }
    }
  }

  public var certificateFile: String { identity.certificateChainFile }
  /// The path of the key in PEM, without a passphrase.
  public var keyFile: String { identity.keyFile }

  private let identity: TLSIdentity
  /// The folders of the certificate and its issuer.
  private let folders: [Folder]

  /// Creates the certificate of a server that no authority has signed.
  ///
  /// - Parameter hosts: Host names and IP addresses. The first is the common name too.
  public static func selfSigned(
    for hosts: [String] = ["localhost", "127.0.0.1"]
  ) async throws(LoopbackError) -> TestCertificate {
    try TestCertificate(hosts.first ?? "", server(hosts))
  }

  /// Returns the SHA-256 hash of the public key in the form of curl's `CURLOPT_PINNEDPUBLICKEY`: `sha256//` and Base64.
  public func publicKeyPin() async throws(LoopbackError) -> String {
    "sha256//" + Data(try identity.publicKeyHash()).base64EncodedString()
  }

  fileprivate init(
    _ name: String, _ extensions: [(String, String)], _ validity: Validity = .now, by issuer: TestCertificate? = nil
  ) throws(LoopbackError) {
    let folder = Folder()
    identity = try TLSIdentity.issue(
      name, extensions, validity: validity.seconds, by: issuer?.identity, in: folder.path)
    folders = [folder] + (issuer?.folders ?? [])
  }

  fileprivate static func server(_ hosts: [String]) -> [(String, String)] {
    let names = hosts.map { host in
      host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." } ? "IP:\(host)" : "DNS:\(host)"
    }
    return [("extendedKeyUsage", "serverAuth"), ("subjectAltName", names.joined(separator: ","))]
  }
}

/// A temporary folder, which is removed with the last reference.
private final class Folder: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/certificate-\(UUID())"

  /// If the folder cannot be created, the error is that of its first file.
  init() { mkdir(path, 0o700) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
