import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite struct TLSIdentityTests {
  func error(_ identity: TLSIdentity) async -> String? {
    await #expect(throws: LoopbackError.self) { try await HTTPServer.start(Router {}, tls: identity) }?.description
  }

  @Test func `a missing file is an error with its path`() async throws {
    let good = try await Certificates.shared.value.mutual
    for path in [\TLSIdentity.certificateChainFile, \.keyFile] {
      var identity = good
      identity[keyPath: path] = "/missing.pem"
      let text = await error(identity)
      #expect(text?.contains("/missing.pem: No such file or directory. Check the path") == true)
    }
    var identity = good
    identity.clientCAFile = "/missing.pem"
    #expect(await error(identity)?.hasPrefix("Cannot load the client CA /missing.pem: No such file") == true)
  }

  @Test func `a file that is not PEM is an error with its path`() async throws {
    let certificates = try await Certificates.shared.value
    let good = certificates.mutual
    for file in [#filePath, "/"] {
      var identity = good
      identity.certificateChainFile = file
      #expect(
        await error(identity)?.hasPrefix("Cannot load the certificate chain \(file): it contains no usable") == true)
      identity = good
      identity.keyFile = file
      #expect(await error(identity)?.hasPrefix("Cannot load the key \(file): it contains no usable key") == true)
      identity = good
      identity.clientCAFile = file
      #expect(await error(identity)?.hasPrefix("Cannot load the client CA \(file): it contains no usable") == true)
    }
  }

  @Test func `a key that does not match its certificate is an error`() async throws {
    let certificates = try await Certificates.shared.value
    var identity = certificates.identity
    let other = try await TestCertificate.selfSigned()
    identity.keyFile = other.keyFile
    let text = await error(identity)
    #expect(text?.contains("\(other.keyFile): it does not match the certificate in ") == true)
    #expect(text?.contains(certificates.server.certificateFile) == true)
    withExtendedLifetime(other) {}
  }
}
