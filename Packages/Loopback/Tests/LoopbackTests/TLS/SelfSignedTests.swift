import Foundation
import Loopback
import Testing

@Suite("Self-signed identities") struct SelfSignedTests {
  @Test("a server uses a new identity, whose certificate clients can trust, and whose key only the owner can read")
  func server() async throws {
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

  @Test("a key that cannot be written is an error with the system's cause") func fullDisk() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      #if canImport(Darwin)
        let fileSize = RLIMIT_FSIZE
      #else
        let fileSize = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      #endif
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      _ = getrlimit(fileSize, &limit)
      limit.rlim_cur = 8
      guard setrlimit(fileSize, &limit) == 0 else { exit(2) }
      let error = #expect(throws: LoopbackError.self) { try TLSIdentity.selfSigned(in: folder.path) }
      guard error?.description.hasPrefix("Cannot write \(folder.path)/key.pem: File too large. ") == true else {
        exit(3)
      }
    }
  }
}
