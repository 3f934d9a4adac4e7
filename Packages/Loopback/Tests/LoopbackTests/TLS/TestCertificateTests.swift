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

  @Test func `the pin of a key has 32 bytes, and differs between keys`() async throws {
    let authority = try await TestCertificateAuthority()
    let pins = [try await authority.issue(for: ["a.test"]), try await authority.issue(for: ["::1"])]
    let first = try await pins[0].publicKeyPin()
    let second = try await pins[1].publicKeyPin()
    #expect(first != second)
    #expect(first.hasPrefix("sha256//"))
    #expect(Data(base64Encoded: String(first.dropFirst(8)))?.count == 32)
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

  @Test(arguments: ["", "a\nb", "$HOME", "a#b"]) func `a name with a meaning for openssl is an error`(name: String)
    async throws
  {
    let error = await #expect(throws: TestCertificateError.self) { try await TestCertificateAuthority(name: name) }
    #expect(error?.description.hasPrefix("Cannot create a certificate for '\(name)': ") == true)
  }
}
