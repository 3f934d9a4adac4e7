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
    Route(.put, "/echo") { request in .bytes(request.body) }
    Route(.get, "/large") { _ in .bytes([UInt8](repeating: 7, count: 5_000_000)) }
    Route(.get, "/nothing") { _ in HTTPResponse(.noContent) }
    Route(.get, "/last") { _ in HTTPResponse(.ok, headers: ["Connection": "close", "Content-Length": "99"]) }
  }

  func withServer(_ body: (HTTPServer) async throws -> Void) async throws {
    let server = try await HTTPServer.start(Self.router)
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

  @Test func `a rejected request gets its whole response while the client still sends`() async throws {
    try await withServer { server in
      for (text, status) in [
        (get("/hello", "Content-Length: 99999999999") + String(repeating: "x", count: 2_000_000), 413),
        (get("/hello", "X: " + String(repeating: "x", count: 200_000)), 431), ("GET\r\n\r\n", 400),
      ] {
        let client = try RawClient(port: server.port)
        let response = await client.exchange(text)
        #expect(response?.status == status)
        #expect(response?.headers["Connection"] == "close")
        client.endOutput()
        #expect(await client.readToEnd().end == .endOfFile)
      }
    }
  }
}
