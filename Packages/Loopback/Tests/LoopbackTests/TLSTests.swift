import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct TLSTests {
  let router = Router {
    Route(.get, "/hello") { request in .text("Hello, \(request.clientName ?? "nobody")") }
    Route(.put, "/echo") { request in .bytes(request.body) }
    Route(.get, "/large/:count") { request in
      .bytes([UInt8](repeating: 7, count: request.parameters["count"].flatMap { Int($0) } ?? 0))
    }
    Route(.get, "/truncated") { _ in HTTPReply.truncated(.text("Hello"), afterBodyBytes: 2) }
    Route(.get, "/reset") { _ in HTTPReply.reset }
  }

  func withServer(
    mutual: Bool = false, _ body: (HTTPServer, TestCertificateAuthority) async throws -> Void
  ) async throws {
    let certificates = try await Certificates()
    let server = try await HTTPServer.start(router, tls: mutual ? certificates.mutual : certificates.identity)
    try await body(server, certificates.authority)
    await server.stop(grace: .zero)
  }

  @Test(arguments: [TLSVersion.v12, .v13]) func `requests share a connection with TLS`(version: TLSVersion) async throws
  {
    try await withServer { server, authority in
      #expect(server.url.absoluteString == "https://127.0.0.1:\(server.port)")
      let client = try await TLSClient(port: server.port, trusting: authority, version: version)
      #expect(await client.body(of: get("/hello")) == "Hello, nobody")
      #expect(await client.body(of: put("/echo", "soap")) == "soap")
      #expect(await client.body(of: get("/hello", "Connection: close")) == "Hello, nobody")
      #expect(await client.read().end == .closeNotify)
    }
  }

  @Test(arguments: [1, 65_535, 65_536, 65_537, 5_000_000])
  func `bodies of any size are received and sent with TLS`(count: Int) async throws {
    try await withServer { server, authority in
      let client = try await TLSClient(port: server.port, trusting: authority)
      let text = String(repeating: "x", count: count)
      for _ in 0..<3 { #expect(await client.body(of: put("/echo", text)) == text) }
    }
  }

  @Test func `requests before a close notify are answered, also in one piece`() async throws {
    try await withServer { server, authority in
      let client = try await TLSClient(port: server.port, trusting: authority)
      await client.send(get("/hello") + put("/echo", String(repeating: "x", count: 200_000)) + get("/hello"))
      client.endOutput()
      for count in [13, 200_000, 13] { #expect(await client.readBody()?.count == count) }
      #expect(await client.read().end == .closeNotify)
    }
  }

  @Test func `faults are the same with TLS`() async throws {
    try await withServer { server, authority in
      let first = try await TLSClient(port: server.port, trusting: authority)
      await first.send(get("/truncated"))
      let (bytes, end) = await first.read()
      #expect(bytes.suffix(6) == Array("\r\n\r\nHe".utf8)[...])
      #expect(end == .closeNotify)
      let second = try await TLSClient(port: server.port, trusting: authority)
      await second.send(get("/reset"))
      #expect(await second.read().end == .failed)
    }
  }

  @Test func `a large response ends with a close notify`() async throws {
    try await withServer { server, authority in
      for count in [1_000_000, 1_500_000, 2_500_000, 4_000_000] {
        let client = try await TLSClient(port: server.port, trusting: authority, receiveBuffer: 4_096)
        await client.send(get("/large/\(count)", "Connection: close"))
        let (bytes, end) = await client.read()
        #expect(bytes.count > count)
        #expect(end == .closeNotify)
      }
    }
  }

  @Test func `a stop closes idle connections and handshakes at once, and finishes the current request`() async throws {
    let gate = Gate()
    let certificates = try await Certificates()
    let server = try await HTTPServer.start(gate.router, tls: certificates.identity)
    let idle = try await TLSClient(port: server.port, trusting: certificates.authority)
    let busy = try await TLSClient(port: server.port, trusting: certificates.authority)
    let silent = try RawClient(port: server.port)
    await busy.send(get("/"))
    await gate.begun.next()
    async let stop: Void = server.stop(grace: .seconds(3_600))
    #expect(await idle.read().end == .closeNotify)
    #expect(await silent.readToEnd().end == .endOfFile)
    gate.opened.send()
    #expect(await busy.readBody() == Array("done".utf8))
    #expect(await busy.read().end == .closeNotify)
    await stop
  }

  @Test func `plain HTTP on a TLS port is closed without a response, and others are served`() async throws {
    try await withServer { server, authority in
      let plain = try RawClient(port: server.port)
      await plain.send(get("/hello"))
      #expect(await plain.readToEnd() == ([], .endOfFile))
      let client = try await TLSClient(port: server.port, trusting: authority)
      #expect(await client.body(of: get("/hello")) == "Hello, nobody")
    }
  }

  @Test(arguments: [TLSVersion.v12, .v13])
  func `with mutual TLS the handler gets the name of the client's certificate`(version: TLSVersion) async throws {
    try await withServer(mutual: true) { server, authority in
      let till = try await authority.issueClient(name: "till 7")
      let client = try await TLSClient(port: server.port, trusting: authority, certificate: till, version: version)
      #expect(await client.body(of: get("/hello")) == "Hello, till 7")
    }
  }

  @Test func `with mutual TLS a client without a valid certificate is refused`() async throws {
    try await withServer(mutual: true) { server, authority in
      let stranger = try await TestCertificateAuthority().issueClient(name: "till 7")
      let expired = try await authority.issueClient(name: "till 7", validity: .expired)
      for certificate in [nil, stranger, expired, try await authority.issue()] {
        await #expect(throws: TLSClient.Failure.self) {
          _ = try await TLSClient(port: server.port, trusting: authority, certificate: certificate, version: .v12)
        }
        let client = try await TLSClient(port: server.port, trusting: authority, certificate: certificate)
        #expect(await client.body(of: get("/hello")) == nil)
      }
    }
  }

  @Test func `200 failed handshakes leave no descriptor open`() async {
    await #expect(processExitsWith: .success) {
      let authority = try await TestCertificateAuthority()
      let certificate = try await authority.issue()
      let stranger = try await TestCertificateAuthority(name: "Another CA")
      let identity = TLSIdentity(certificateChainFile: certificate.certificateFile, keyFile: certificate.keyFile)
      // The process inherits descriptors of the other tests. Dispatch opens descriptors that are no sockets at any time.
      let baseline = openSockets()
      let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in .text("served") } }, tls: identity)
      for turn in 0..<200 {
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
      let end = ContinuousClock.now + .seconds(30)
      while openSockets() > baseline, .now < end { await Task.yield() }
      guard openSockets() <= baseline else { exit(7) }
    }
  }

  func reasonOfLines(_ body: (TLSClient) async throws -> Void) async throws -> String? {
    let certificates = try await Certificates()
    let closed = Signal<String>()
    let server = try await LineServer.start(
      LineHandlers(
        onConnect: { $0.send("welcome \($0.clientName ?? "nobody")") }, onLine: { $0.send($1.bytes) },
        onClose: { closed.send($1) }),
      tls: certificates.mutual)
    let till = try await certificates.authority.issueClient(name: "till 7")
    try await body(try await TLSClient(port: server.port, trusting: certificates.authority, certificate: till))
    let reason = await closed.next()
    await server.stop(grace: .zero)
    return reason
  }

  @Test func `a client that closes its side with a close notify gets all lines`() async throws {
    let reason = try await reasonOfLines { client in
      await client.send("one\r\ntwo\nthr")
      await client.send("ee\nhalf")
      client.endOutput()
      let (bytes, end) = await client.read()
      #expect(String(decoding: bytes, as: UTF8.self) == "welcome till 7\none\ntwo\nthree\n")
      #expect(end == .closeNotify)
    }
    #expect(reason == "The client closed the connection")
  }

  @Test func `a TCP end without a close notify is a failure`() async throws {
    let reason = try await reasonOfLines { client in
      await client.send("one\n")
      #expect(await client.read(19).bytes == Array("welcome till 7\none\n".utf8))
      client.cut()
    }
    #expect(reason == "The connection failed: TLS: unexpected eof while reading")
  }
}

enum TLSVersion: Int, Sendable {
  case v12 = 0x0303
  case v13 = 0x0304
}

private func openSockets() -> Int {
  (0..<4_096).count {
    var file = stat()
    return fstat(Int32($0), &file) == 0 && file.st_mode & S_IFMT == S_IFSOCK
  }
}
