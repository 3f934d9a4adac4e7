import Foundation
import Loopback
import LoopbackTesting

/// The certificates that the tests share, because each takes some milliseconds.
struct Certificates: Sendable {
  let authority: TestCertificateAuthority
  let server: TestCertificate

  static let shared = Task { () async throws in
    let authority = try await TestCertificateAuthority()
    return Certificates(authority: authority, server: try await authority.issue())
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
