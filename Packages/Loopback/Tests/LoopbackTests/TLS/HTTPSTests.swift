import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPSTests {
  let router = Router {
    Route(.get, "/hello") { _ in .text("Hello") }
    Route(.put, "/echo") { request in .bytes(request.body) }
    Route(.get, "/name") { request in .text(request.clientName ?? "nobody") }
    Route(.get, "/large/:count") { request in
      .bytes([UInt8](repeating: 7, count: request.parameters["count"].flatMap { Int($0) } ?? 0))
    }
    Route(.get, "/truncated") { _ in HTTPReply.truncated(.text("Hello"), afterBodyBytes: 2) }
    Route(.get, "/reset") { _ in HTTPReply.reset }
  }

  func withServer(
    _ change: (inout LoopbackLimits) -> Void = { _ in }, mutual: Bool = false,
    _ body: (HTTPServer, TestCertificateAuthority) async throws -> Void
  ) async throws {
    var limits = LoopbackLimits()
    change(&limits)
    let certificates = try await Certificates.shared.value
    let server = try await HTTPServer.start(
      router, limits: limits, tls: mutual ? certificates.mutual : certificates.identity,
      onAcceptError: { Issue.record("\($0)") })
    try await body(server, certificates.authority)
    await server.stop(grace: .zero)
  }

  @Test(arguments: [TLSVersion.v12, .v13]) func `requests share a connection with TLS`(version: TLSVersion) async throws
  {
    try await withServer { server, authority in
      #expect(server.url.absoluteString == "https://127.0.0.1:\(server.port)")
      let client = try await TLSClient(port: server.port, trusting: authority, version: version.number)
      #expect(await client.body(of: get("/hello")) == "Hello")
      #expect(await client.body(of: put("/echo", "soap")) == "soap")
      #expect(await client.body(of: get("/name", "Connection: close")) == "nobody")
      #expect(await client.read().end == .closeNotify)
    }
  }

  @Test(arguments: [("h2 http/1.1", "http/1.1"), ("h2", ""), ("", "")])
  func `the server selects http/1.1 if the client offers it`(offer: String, selection: String) async throws {
    try await withServer { server, authority in
      let client = try await TLSClient(port: server.port, trusting: authority, offering: offer)
      #expect(client.selectedProtocol == selection)
      #expect(await client.body(of: get("/hello")) == "Hello")
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
      #expect(await client.readBody()?.count == 5)
      #expect(await client.readBody()?.count == 200_000)
      #expect(await client.readBody()?.count == 5)
      #expect(await client.read().end == .closeNotify)
    }
  }

  @Test func `a rejected request gets its whole response`() async throws {
    try await withServer({ $0.bodyBytes = 500 }) { server, authority in
      let client = try await TLSClient(port: server.port, trusting: authority)
      await client.send(put("/echo", String(repeating: "x", count: 1_000)))
      let (bytes, end) = await client.read()
      #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 413 "))
      #expect(end == .closeNotify)
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

  @Test func `a client that ends its side during a large response gets all of it`() async throws {
    try await withServer { server, authority in
      let client = try await TLSClient(port: server.port, trusting: authority, receiveBuffer: 65_536)
      await client.send(get("/large/8000000"))
      _ = await client.read(1)
      client.endOutput()
      let (bytes, end) = await client.read()
      #expect(bytes.count > 8_000_000)
      #expect(end == .closeNotify)
    }
  }

  @Test(arguments: [69_900, 300_000])
  func `a request that fills the buffer during another one is read whole`(count: Int) async throws {
    let begun = Signal<Void>()
    let opened = Signal<Void>()
    let gate = Router {
      Route(.get, "/wait") { _ -> HTTPResponse in
        begun.send()
        await opened.next()
        return .text("done")
      }
      Route(.get, "/hello") { _ in .text("Hello") }
      Route(.put, "/echo") { request in .bytes(request.body) }
    }
    let certificates = try await Certificates.shared.value
    // On a busy machine the handler can wait longer than the default limit.
    var limits = LoopbackLimits()
    limits.handlerTimeout = .seconds(600)
    let server = try await HTTPServer.start(gate, limits: limits, tls: certificates.identity)
    let client = try await TLSClient(port: server.port, trusting: certificates.authority)
    let other = try await TLSClient(port: server.port, trusting: certificates.authority)
    await client.send(get("/wait"))
    await begun.next()
    // The last record is partly above the limit of the server's buffer.
    let request = put("/echo", String(repeating: "x", count: count))
    for start in stride(from: 0, to: request.utf8.count, by: 10_000) {
      await client.send(Array(request.utf8.dropFirst(start).prefix(10_000)))
    }
    // The server's thread has read the records before it answers.
    for _ in 0..<3 { #expect(await other.body(of: get("/hello")) == "Hello") }
    opened.send()
    #expect(await client.readBody() == Array("done".utf8))
    #expect(await client.readBody()?.count == count)
    await server.stop(grace: .zero)
  }

  @Test func `a large response ends with a close notify`() async throws {
    try await withServer { server, authority in
      for count in [1_000_000, 1_500_000, 2_500_000, 4_000_000] {
        let client = try await TLSClient(port: server.port, trusting: authority, receiveBuffer: 4_096)
        await client.send(
          "PUT /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n"
            + String(repeating: "x", count: count))
        let (bytes, end) = await client.read()
        #expect(bytes.count > count)
        #expect(end == .closeNotify)
      }
    }
  }

  @Test func `a stop closes idle connections and handshakes at once, and finishes the current request`() async throws {
    let begun = Signal<Void>()
    let opened = Signal<Void>()
    let gate = Router {
      Route(.get, "/") { _ -> HTTPResponse in
        begun.send()
        await opened.next()
        return .text("done")
      }
    }
    let certificates = try await Certificates.shared.value
    let server = try await HTTPServer.start(gate, tls: certificates.identity)
    let idle = try await TLSClient(port: server.port, trusting: certificates.authority)
    let busy = try await TLSClient(port: server.port, trusting: certificates.authority)
    let silent = try RawClient(port: server.port)
    await busy.send(get("/"))
    await begun.next()
    async let stop: Void = server.stop(grace: .seconds(3_600))
    #expect(await idle.read().end == .closeNotify)
    #expect(await silent.readToEnd().end == .endOfFile)
    opened.send()
    #expect(await busy.readBody() == Array("done".utf8))
    #expect(await busy.read().end == .closeNotify)
    await stop
  }
}

enum TLSVersion: Sendable {
  case v12, v13
  var number: Int32 { self == .v12 ? 0x0303 : 0x0304 }
}
