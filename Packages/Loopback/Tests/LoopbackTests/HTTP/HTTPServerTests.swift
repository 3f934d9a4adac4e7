import Foundation
import Loopback
import LoopbackTesting
import Testing

@Suite struct HTTPServerTests {
  static let router = Router {
    Route(.get, "/hello") { _ in .text("Hello") }
    Route(.get, "/async/:word") { request in
      await Task.yield()
      return .text(request.parameters["word"] ?? "")
    }
    Route(.get, "/address") { request in .text(request.clientAddress ?? "") }
    Route(.put, "/echo") { request in .bytes(request.body) }
    Route(.get, "/large") { _ in .bytes([UInt8](repeating: 7, count: 5_000_000)) }
    Route(.get, "/nothing") { _ in HTTPResponse(.noContent) }
    Route(.get, "/last") { _ in HTTPResponse(.ok, headers: ["Connection": "close", "Content-Length": "99"]) }
  }

  func withServer(_ limits: LoopbackLimits = LoopbackLimits(), _ body: (HTTPServer) async throws -> Void) async throws {
    let server = try await HTTPServer.start(Self.router, limits: limits)
    try await body(server)
    await server.stop(grace: .zero)
  }

  @Test func `a connection serves several requests`() async throws {
    try await withServer { server in
      let client = try RawClient(port: server.port)
      for word in ["one", "two", "three"] {
        #expect(await client.exchange(get("/async/\(word)"))?.text == word)
        #expect(await client.exchange(get("/hello"))?.text == "Hello")
      }
    }
  }

  @Test func `a request has the address of its client`() async throws {
    try await withServer { server in
      let client = try RawClient(port: server.port)
      #expect(await client.exchange(get("/address"))?.text == "127.0.0.1")
    }
    #expect(HTTPRequest(.get, "/").clientAddress == nil)
  }

  @Test func `pipelined requests get responses in order, also after the client closed its side`() async throws {
    try await withServer { server in
      let client = try RawClient(port: server.port)
      await client.send(get("/hello") + put("/echo", "soap") + get("/missing") + get("/nothing") + get("/hello"))
      client.endOutput()
      var statuses: [Int?] = []
      for _ in 0..<5 { statuses.append(await client.readResponse()?.status) }
      #expect(statuses == [200, 200, 404, 204, 200])
      #expect(await client.readToEnd().end == .endOfFile)
    }
  }

  @Test func `a client that closed its side gets the reply of an asynchronous route`() async throws {
    try await withServer { server in
      let client = try RawClient(port: server.port)
      await client.send(get("/async/late"))
      client.endOutput()
      #expect(await client.readResponse()?.text == "late")
      #expect(await client.readToEnd().end == .endOfFile)
    }
  }

  @Test func `a request can arrive byte by byte`() async throws {
    // On a busy machine the request can take longer than the default limits.
    var limits = LoopbackLimits()
    limits.headerTimeout = .seconds(600)
    limits.bodyTimeout = .seconds(600)
    try await withServer(limits) { server in
      let client = try RawClient(port: server.port)
      for byte in put("/echo", "soap").utf8 { await client.send([byte]) }
      #expect(await client.readResponse()?.text == "soap")
    }
  }

  @Test func `a response to HEAD has the length of the body, and no body`() async throws {
    try await withServer { server in
      let client = try RawClient(port: server.port)
      await client.send("HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(await client.readResponse(hasBody: false)?.headers["Content-Length"] == "5")
      #expect(await client.exchange(get("/hello"))?.text == "Hello")
    }
  }

  @Test func `large bodies are received and sent`() async throws {
    try await withServer { server in
      let client = try RawClient(port: server.port)
      let text = String(repeating: "0123456789", count: 300_000)
      #expect(await client.exchange(put("/echo", text))?.text == text)
      #expect(await client.exchange(get("/large"))?.body.count == 5_000_000)
    }
  }

  @Test func `a client that expects 100-continue gets it`() async throws {
    try await withServer { server in
      let client = try RawClient(port: server.port)
      await client.send("PUT /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
      #expect(await client.readResponse()?.status == 100)
      #expect(await client.exchange("soap")?.text == "soap")
    }
  }

  @Test func `a connection closes if the request or the response requires it`() async throws {
    try await withServer { server in
      for path in ["/hello", "/last"] {
        let client = try RawClient(port: server.port)
        let response = await client.exchange(path == "/last" ? get(path) : get(path, "Connection: close"))
        #expect(response?.headers.values(for: "Connection") == ["close"])
        #expect(response?.headers.values(for: "Content-Length").count == 1)
        #expect(await client.readToEnd().end == .endOfFile)
      }
    }
  }

  @Test func `URLSession gets a response`() async throws {
    try await withServer { server in
      let (data, status) = try await fetch(server.url.appending(path: "hello"))
      #expect(data == Data("Hello".utf8))
      #expect(status == 200)
    }
  }

  @Test func `64 concurrent clients get their own responses`() async throws {
    try await withServer { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<64 {
          group.addTask {
            let client = try RawClient(port: server.port)
            for turn in 0..<20 {
              #expect(await client.exchange(get("/async/\(number)-\(turn)"))?.text == "\(number)-\(turn)")
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `random bytes of some clients do not affect others`() async throws {
    try await withServer { server in
      var random = Seeded(1)
      for _ in 0..<100 {
        var bytes = Array(put("/echo", "soap").utf8)
        for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
        let client = try RawClient(port: server.port)
        await client.send(bytes)
        client.endOutput()
        #expect(await client.readToEnd().end != .timedOut)
      }
      let client = try RawClient(port: server.port)
      #expect(await client.exchange(get("/hello"))?.status == 200)
    }
  }
}
