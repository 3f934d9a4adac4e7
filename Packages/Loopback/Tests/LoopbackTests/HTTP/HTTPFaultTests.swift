import Loopback
import LoopbackTesting
import Testing

@Suite struct HTTPFaultTests {
  /// What a client sees of one reply.
  func answer(_ reply: HTTPReply) async throws -> (text: String, end: RawClient.End) {
    let server = try await HTTPServer.start(Router { Route(.get, "/") { _ in reply } })
    let client = try RawClient(port: server.port)
    await client.send(get("/", "Connection: close"))
    let (bytes, end) = await client.readToEnd()
    await server.stop(grace: .zero)
    return (String(decoding: bytes, as: UTF8.self), end)
  }

  @Test func `an answer can be late`() async throws {
    let clock = ContinuousClock()
    let start = clock.now
    let (text, end) = try await answer(.delayed(by: .milliseconds(30), .text("late")))
    #expect(text.hasSuffix("\r\n\r\nlate"))
    #expect(end == .endOfFile)
    // The system's coarse clock, by which it waits, may be some milliseconds behind.
    #expect(clock.now - start >= .milliseconds(20))
  }

  @Test func `a late fault is a fault`() async throws {
    let (text, end) = try await answer(.delayed(by: .milliseconds(1), .reset))
    #expect(text.isEmpty)
    #expect(end == .reset)
  }

  @Test func `a connection can end without an answer`() async throws {
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
  func `a body can be cut short of its promised length`(count: Int, body: String) async throws {
    let (text, end) = try await answer(.truncated(.text("Hello"), afterBodyBytes: count))
    #expect(text.contains("Content-Length: 5\r\n"))
    #expect(text.hasSuffix("\r\n\r\n" + body))
    #expect(end == .endOfFile)
  }

  @Test func `an answer can drip, and is whole in the end`() async throws {
    let (text, end) = try await answer(.dripped(.text("Hello"), every: .microseconds(100)))
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text.hasSuffix("\r\n\r\nHello"))
    #expect(end == .endOfFile)
  }

  @Test func `an answer can be no HTTP at all`() async throws {
    #expect(try await answer(.raw("220 smtp ready\n".utf8)).text == "220 smtp ready\n")
    #expect(try await answer(.raw([])).end == .endOfFile)
  }

  @Test func `an answer can never come, until the server stops`() async throws {
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
