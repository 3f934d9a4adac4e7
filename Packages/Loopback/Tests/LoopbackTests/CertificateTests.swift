import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite struct TestCertificateTests {
  func refusal(of certificate: TestCertificate, _ authority: TestCertificateAuthority) async throws -> String? {
    let server = try await HTTPServer.start(
      Router {}, tls: TLSIdentity(certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile))
    defer { withExtendedLifetime(server) {} }
    do {
      _ = try await TLSClient(port: server.port, trusting: authority)
      return nil
    } catch let error as TLSClient.Failure {
      return error.description
    }
  }

  @Test func `a client accepts a valid certificate of its authority, and refuses all others`() async throws {
    let authority = try await TestCertificateAuthority()
    let valid = try await authority.issue()
    #expect(try await refusal(of: valid, authority) == nil)
    let stranger = try await TestCertificateAuthority()
    for certificate in [
      try await authority.issue(validity: .expired), try await authority.issue(validity: .notYetValid),
      try await stranger.issue(), try await TestCertificate.selfSigned(),
      try await authority.issueClient(name: "till 7"),
    ] { #expect(try await refusal(of: certificate, authority) == "certificate verify failed") }
  }

  @Test func `the files are removed with the last reference`() async throws {
    var authority: TestCertificateAuthority? = try await TestCertificateAuthority()
    let file = try #require(authority?.certificateFile)
    var certificate = try await authority?.issue()
    authority = nil
    #expect(FileManager.default.fileExists(atPath: file))
    certificate = nil
    #expect(certificate == nil)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func `an invalid name is an error that names it`() async throws {
    for name in ["", String(repeating: "x", count: 65)] {
      let error = await #expect(throws: LoopbackError.self) { try await TestCertificateAuthority(name: name) }
      #expect(
        error?.description.hasPrefix("Cannot create a certificate for '\(name)': ") == true,
        "\(String(describing: error))")
    }
  }
}

@Suite struct TLSIdentityTests {
  func error(_ identity: TLSIdentity) async -> String? {
    await #expect(throws: LoopbackError.self) { try await HTTPServer.start(Router {}, tls: identity) }?.description
  }

  @Test func `a file that is missing or not PEM is an error with its path, cause and next step`() async throws {
    let certificates = try await Certificates()
    let good = certificates.mutual
    for (file, causes) in [
      ("/missing.pem", Array(repeating: "No such file or directory", count: 3)),
      (#filePath, ["no start line", "unsupported", "no certificate or crl found"]),
    ] {
      var identity = good
      identity.certificateChainFile = file
      #expect(
        await error(identity)?.hasPrefix("Cannot load the certificate chain \(file): \(causes[0]). Give a") == true)
      identity = good
      identity.keyFile = file
      #expect(await error(identity)?.hasPrefix("Cannot load the key \(file) of ") == true)
      #expect(await error(identity)?.contains(": \(causes[1]). Give the private key") == true)
      identity = good
      identity.clientCAFile = file
      #expect(await error(identity)?.hasPrefix("Cannot load the client CA \(file): \(causes[2]). Give the") == true)
    }
    withExtendedLifetime(certificates) {}
  }

  @Test func `a key that does not match its certificate is an error`() async throws {
    let (own, other) = (try await TestCertificate.selfSigned(), try await TestCertificate.selfSigned())
    var identity = TLSIdentity(certificateChainFile: own.certificateFile, keyFile: own.keyFile)
    identity.keyFile = other.keyFile
    #expect(await error(identity)?.contains("\(identity.certificateChainFile): key values mismatch. Give the") == true)
    withExtendedLifetime((own, other)) {}
  }

  @Test func `a self-signed identity replaces the files of an earlier one, and only the owner can read its key`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let identity = try TLSIdentity.selfSigned(in: folder.path)
    let mode = try FileManager.default.attributesOfItem(atPath: identity.keyFile)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("egg") } }, tls: identity)
    #expect(server.url.scheme == "https")
    await server.stop()
    // A second identity replaces the first one.
    let first = try Data(contentsOf: URL(fileURLWithPath: identity.certificateChainFile))
    #expect(try TLSIdentity.selfSigned(in: folder.path) == identity)
    #expect(try Data(contentsOf: URL(fileURLWithPath: identity.certificateChainFile)) != first)
    let error = #expect(throws: LoopbackError.self) { try TLSIdentity.selfSigned(in: folder.path + "/missing") }
    #expect(error?.description.contains("key.pem: No such file or directory") == true, "\(String(describing: error))")
  }
}

/// The certificates of a test server and its authority, whose files are removed with the last copy.
struct Certificates: Sendable {
  let authority: TestCertificateAuthority
  let server: TestCertificate

  init() async throws {
    authority = try await TestCertificateAuthority()
    server = try await authority.issue()
  }

  var identity: TLSIdentity {
    TLSIdentity(certificateChainFile: server.certificateFile, keyFile: server.keyFile)
  }

  /// The identity of a server that requires certificates of its clients.
  var mutual: TLSIdentity {
    var identity = identity
    identity.clientCAFile = authority.certificateFile
    return identity
  }
}
