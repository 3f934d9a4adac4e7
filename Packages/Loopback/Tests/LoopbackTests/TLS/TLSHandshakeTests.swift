import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct TLSHandshakeTests {
  let router = Router {
    Route(.get, "/hello") { request in .text("Hello, \(request.clientName ?? "nobody")") }
  }

  func server(
    _ identity: TLSIdentity, _ change: (inout LoopbackLimits) -> Void = { _ in }
  ) async throws -> HTTPServer {
    var limits = LoopbackLimits()
    change(&limits)
    return try await HTTPServer.start(
      router, limits: limits, tls: identity, onAcceptError: { Issue.record("\($0)") })
  }

  @Test func `plain HTTP on a TLS port is closed without a response, and others are served`() async throws {
    let certificates = try await Certificates.shared.value
    let server = try await server(certificates.identity)
    let plain = try RawClient(port: server.port)
    await plain.send(get("/hello"))
    #expect(await plain.readToEnd() == ([], .endOfFile))
    let client = try await TLSClient(port: server.port, trusting: certificates.authority)
    #expect(await client.body(of: get("/hello")) == "Hello, nobody")
    await server.stop(grace: .zero)
  }

  @Test(arguments: ["", "\u{16}\u{3}\u{1}"]) func `an incomplete handshake is closed`(start: String) async throws {
    let certificates = try await Certificates.shared.value
    let server = try await server(certificates.identity) { $0.idleTimeout = .milliseconds(20) }
    let client = try RawClient(port: server.port)
    await client.send(start)
    #expect(await client.readToEnd() == ([], .endOfFile))
    await server.stop(grace: .zero)
  }

  @Test func `300 incomplete handshakes do not keep an honest client out`() async throws {
    let certificates = try await Certificates.shared.value
    let server = try await server(certificates.identity) { $0.connections = 16 }
    let slow = try (0..<300).map { _ in try RawClient(port: server.port) }
    let honest = try await TLSClient(port: server.port, trusting: certificates.authority)
    #expect(await honest.body(of: get("/hello")) == "Hello, nobody")
    withExtendedLifetime(slow) {}
    await server.stop(grace: .zero)
  }

  @Test(arguments: [TLSVersion.v12, .v13])
  func `with mutual TLS the handler gets the name of the client's certificate`(version: TLSVersion) async throws {
    let certificates = try await Certificates.shared.value
    let server = try await server(certificates.mutual)
    let till = try await certificates.authority.issueClient(name: "till 7")
    let client = try await TLSClient(
      port: server.port, trusting: certificates.authority, certificate: till, version: version.number)
    #expect(await client.body(of: get("/hello")) == "Hello, till 7")
    await server.stop(grace: .zero)
  }

  @Test func `with mutual TLS a client without a valid certificate is refused`() async throws {
    let certificates = try await Certificates.shared.value
    let server = try await server(certificates.mutual)
    let stranger = try await TestCertificateAuthority().issueClient(name: "till 7")
    let expired = try await certificates.authority.issueClient(name: "till 7", validity: .expired)
    for certificate in [nil, stranger, expired, certificates.server] {
      await #expect(throws: TLSClient.Failure.self) {
        _ = try await TLSClient(
          port: server.port, trusting: certificates.authority, certificate: certificate,
          version: TLSVersion.v12.number)
      }
      let client = try await TLSClient(
        port: server.port, trusting: certificates.authority, certificate: certificate)
      #expect(await client.body(of: get("/hello")) == nil)
    }
    await server.stop(grace: .zero)
  }

  @Test func `200 failed handshakes leave no descriptor open`() async {
    await #expect(processExitsWith: .success) {
      let authority = try await TestCertificateAuthority()
      let certificate = try await authority.issue()
      let stranger = try await TestCertificateAuthority(name: "Another CA")
      let identity = TLSIdentity(certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile)
      // The process inherits descriptors of the other tests.
      let baseline = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
      for _ in 0..<2 {
        let server = try await HTTPServer.start(
          Router { Route(.get, "/") { _ in .text("served") } }, tls: identity, onAcceptError: { _ in exit(3) })
        for turn in 0..<100 {
          if turn.isMultiple(of: 2) {
            guard (try? await TLSClient(port: server.port, trusting: stranger)) == nil else { exit(4) }
          } else {
            let client = try RawClient(port: server.port)
            await client.send("nonsense\r\n\r\n")
            guard await client.readToEnd().end == .endOfFile else { exit(5) }
          }
        }
        do {
          let client = try await TLSClient(port: server.port, trusting: authority)
          guard await client.body(of: get("/")) == "served" else { exit(6) }
        }
        await server.stop(grace: .zero)
        // The thread of a client's last call can keep the client for a moment.
        var open = Int.max
        for _ in 0..<10_000 where open > baseline {
          open = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
        }
        guard open <= baseline else { exit(7) }
      }
    }
  }
}
