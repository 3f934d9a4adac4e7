import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("TLS of a libcurl client") struct TLSTests {
  private static func server(_ certificate: TestCertificate, clientsOf authority: String? = nil) async throws
    -> HTTPServer
  {
    let identity = TLSIdentity(
      certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile, clientCAFile: authority)
    return try await HTTPServer.start(
      Router {
        Route(.get, "/") { .text("egg for \($0.clientName ?? "anyone")") }
        Route(.get, "/plain") { _ in HTTPResponse(302, headers: ["Location": "http://127.0.0.1:9/"]) }
      }, tls: identity)
  }

  private static func client(trusting file: String, _ change: (inout CurlConfiguration) -> Void = { _ in })
    -> HTTPClient
  {
    var configuration = CurlConfiguration()
    configuration.certificateAuthorities = file
    change(&configuration)
    return .curl(configuration)
  }

  @Test("a server is trusted with its private authority, unless another key is pinned") func trusted() async throws {
    let authority = try await TestCertificateAuthority()
    let certificate = try await authority.issue()
    let server = try await Self.server(certificate)
    let client = Self.client(trusting: authority.certificateFile)
    #expect(try await text(client.dataFuture(with: server.url).get().0) == "egg for anyone")
    let pin = try await certificate.publicKeyPin()
    let pinning = Self.client(trusting: authority.certificateFile) { $0.pinnedPublicKeys = [pin] }
    #expect(try await pinning.dataFuture(with: server.url).get().1.statusCode == 200)
    let otherPin = try await authority.issue().publicKeyPin()
    let refusing = Self.client(trusting: authority.certificateFile) { $0.pinnedPublicKeys = [otherPin] }
    let error = try await error(of: URLRequest(url: server.url), by: refusing)
    #expect(error.kind == .secureConnectionFailed && !error.mayHaveReachedServer, "\(error)")
    await server.stop()
  }

  @Test("an invalid certificate is an error that names the problem and the next step, and nothing is sent")
  func invalid() async throws {
    let authority = try await TestCertificateAuthority()
    let other = try await TestCertificateAuthority()
    let cases: [(TestCertificate, String)] = [
      (try await authority.issue(validity: .expired), "certificate has expired"),
      (try await authority.issue(validity: .notYetValid), "certificate is not yet valid"),
      (try await authority.issue(for: ["puffin.example"]), "127.0.0.1"),
      (try await TestCertificate.selfSigned(), "self-signed certificate"),
      (try await other.issue(), "unable to get local issuer certificate"),
    ]
    for (certificate, problem) in cases {
      let server = try await Self.server(certificate)
      let client = Self.client(trusting: authority.certificateFile)
      let error = try await error(of: URLRequest(url: server.url), by: client)
      #expect(error.kind == .secureConnectionFailed && !error.mayHaveReachedServer, "\(error)")
      #expect(
        error.reason?.contains(problem) == true && error.description.contains("Check the certificates"), "\(error)")
      await server.stop()
    }
  }

  @Test("a client proves who it is with its certificate, and is refused without one") func mutual() async throws {
    let authority = try await TestCertificateAuthority()
    let server = try await Self.server(authority.issue(), clientsOf: authority.certificateFile)
    let driver = try await authority.issueClient(name: "driver 7")
    let client = Self.client(trusting: authority.certificateFile) {
      $0.identity = .init(certificate: driver.certificateFile, key: driver.keyFile)
    }
    #expect(try await text(client.dataFuture(with: server.url).get().0) == "egg for driver 7")
    let anonymous = Self.client(trusting: authority.certificateFile)
    let error = try await error(of: URLRequest(url: server.url), by: anonymous)
    #expect(error.kind == .secureConnectionFailed && !error.mayHaveReachedServer, "\(error)")
    await server.stop()
  }

  @Test("a missing file of the configuration is an error that names it") func files() async throws {
    let authority = try await TestCertificateAuthority()
    let server = try await Self.server(authority.issue())
    let missing = "/nowhere/ca.pem"
    let clients = [
      Self.client(trusting: missing),
      Self.client(trusting: authority.certificateFile) { $0.identity = .init(certificate: missing, key: missing) },
    ]
    for client in clients {
      let error = try await error(of: URLRequest(url: server.url), by: client)
      #expect(error.kind == .secureConnectionFailed && error.description.contains(missing), "\(error)")
    }
    await server.stop()
  }

  @Test("a server that does not speak TLS is an error, and nothing is sent") func plain() async throws {
    let server = try ScriptedServer(.reply("HTTP/1.1 400 Bad Request\r\n\r\n"))
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let error = try await error(of: URLRequest(url: url), by: .curl())
    #expect(error.kind == .secureConnectionFailed && !error.mayHaveReachedServer, "\(error)")
    #expect(error.description.contains("wrong version number"), "\(error)")
  }

  @Test(
    "a connection that closes within the handshake is lost, and nothing is sent", arguments: ["", "\u{16}\u{3}\u{3}"])
  func handshake(reply: String) async throws {
    let server = try ScriptedServer(.reply(reply))
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let error = try await error(of: URLRequest(url: url), by: .curl())
    #expect(error.kind == .connectionLost && error.phase == .connecting, "\(error)")
    #expect(error.description.contains("the connection closed before the request was sent ("), "\(error)")
  }

  @Test("a redirect to plain text is not followed") func downgrade() async throws {
    let authority = try await TestCertificateAuthority()
    let server = try await Self.server(authority.issue())
    let client = Self.client(trusting: authority.certificateFile)
    let response = try await client.dataFuture(with: server.url.appendingPathComponent("plain")).get().1
    #expect(response.statusCode == 302)
    await server.stop()
  }
}
