import Loopback
import LoopbackTesting
import Testing

@Suite struct HTTPFaultTests {
  func answer(_ reply: HTTPReply) async throws -> (text: String, end: RawClient.End) {
    let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in reply } })
    let client = try RawClient(port: server.port)
    await client.send(get("/", "Connection: close"))
    let (bytes, end) = await client.readToEnd()
    await server.stop(grace: .zero)
    return (String(decoding: bytes, as: UTF8.self), end)
  }

  @Test func `a response or a fault can be delayed`() async throws {
    #expect(try await answer(.delayed(by: .milliseconds(1), .response(.text("late")))).text.hasSuffix("\r\n\r\nlate"))
    #expect(try await answer(.delayed(by: .milliseconds(1), .reset)).end == .reset)
  }

  @Test(arguments: [(HTTPReply.disconnected, RawClient.End.endOfFile), (.reset, .reset)])
  func `a connection can end without a response`(reply: HTTPReply, expected: RawClient.End) async throws {
    let (text, end) = try await answer(reply)
    #expect(text.isEmpty)
    #expect(end == expected)
  }

  @Test(arguments: [(-1, ""), (0, ""), (3, "Hel"), (5, "Hello"), (9, "Hello")])
  func `a body can be shorter than its Content-Length`(count: Int, body: String) async throws {
    let (text, end) = try await answer(.truncated(.text("Hello"), afterBodyBytes: count))
    #expect(text.contains("Content-Length: 5\r\n"))
    #expect(text.hasSuffix("\r\n\r\n" + body))
    #expect(end == .endOfFile)
  }

  @Test func `a response can be sent byte by byte`() async throws {
    let (text, end) = try await answer(.dripped(.text("Hello"), every: .microseconds(100)))
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.hasSuffix("\r\n\r\nHello"))
    #expect(end == .endOfFile)
  }

  @Test func `a reply can have any bytes`() async throws {
    #expect(try await answer(.raw(Array("220 smtp ready\n".utf8))).text == "220 smtp ready\n")
    #expect(try await answer(.raw([])).end == .endOfFile)
  }

  @Test func `a connection can stay silent until the server stops`() async throws {
    let asked = Signal<Void>()
    let server = try await HTTPServer.start(
      Router {
        Route(.get, "/") { _ -> HTTPReply in
          asked.send()
          return .never
        }
      })
    let client = try RawClient(port: server.port)
    await client.send(get("/"))
    await asked.next()
    await server.stop(grace: .seconds(3_600))
    let (bytes, end) = await client.readToEnd()
    #expect(bytes.isEmpty)
    #expect(end == .endOfFile)
  }
}
