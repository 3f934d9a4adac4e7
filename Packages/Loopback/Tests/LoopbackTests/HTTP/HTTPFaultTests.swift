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

  @Test func `a response can be delayed`() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let (text, end) = try await answer(.delayed(by: .milliseconds(30), .response(.text("late"))))
    #expect(text.hasSuffix("\r\n\r\nlate"))
    #expect(end == .endOfFile)
    // The coarse clock of the event loop can be a few milliseconds late.
    #expect(clock.now - start >= .milliseconds(20))
  }

  @Test func `a fault can be delayed`() async throws {
    let (text, end) = try await answer(.delayed(by: .milliseconds(1), .reset))
    #expect(text.isEmpty)
    #expect(end == .reset)
  }

  @Test func `a connection can end without a response`() async throws {
    let (text, end) = try await answer(.disconnected)
    #expect(text.isEmpty)
    #expect(end == .endOfFile)
  }

  @Test func `a connection can be reset`() async throws {
    let (text, end) = try await answer(.reset)
    #expect(text.isEmpty)
    #expect(end == .reset)
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
