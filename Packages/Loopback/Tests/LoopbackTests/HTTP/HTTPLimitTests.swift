import Loopback
import LoopbackTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPLimitTests {
  let router = Router {
    Route(.get, "/hello") { _ in .text("Hello") }
    Route(.put, "/echo") { request in .bytes(request.body) }
    Route(.get, "/never") { _ in HTTPReply.never }
    Route(.get, "/stuck") { _ -> HTTPResponse in
      try await Task.sleep(for: .seconds(3_600))
      return .text("late")
    }
  }

  func withServer(
    _ change: (inout LoopbackLimits) -> Void, _ body: (HTTPServer) async throws -> Void
  ) async throws {
    var limits = LoopbackLimits()
    change(&limits)
    let server = try await HTTPServer.start(router, limits: limits)
    try await body(server)
    await server.stop(grace: .zero)
  }

  /// Sends a request that is rejected, and checks that the response is complete before the connection ends.
  func expectRefusal(_ status: Int, of text: String, _ change: (inout LoopbackLimits) -> Void) async throws {
    try await withServer(change) { server in
      let client = try RawClient(port: server.port)
      let response = await client.exchange(text)
      #expect(response?.status == status)
      #expect(response?.headers["Connection"] == "close")
      client.endOutput()
      #expect(await client.readToEnd().end == .endOfFile)
    }
  }

  @Test func `a long header gets 431`() async throws {
    try await expectRefusal(431, of: get("/hello", "X: " + String(repeating: "x", count: 1_000))) {
      $0.headerBytes = 500
    }
  }

  @Test func `a long request line gets 414`() async throws {
    try await expectRefusal(414, of: get("/" + String(repeating: "x", count: 1_000))) { $0.headerBytes = 500 }
  }

  @Test func `a large body gets 413 while the client still sends it`() async throws {
    try await expectRefusal(413, of: put("/echo", String(repeating: "x", count: 2_000_000))) { $0.bodyBytes = 500 }
  }

  @Test func `an incomplete header gets 408`() async throws {
    try await expectRefusal(408, of: "GET / HTTP/1.1\r\nHost") { $0.headerTimeout = .milliseconds(20) }
  }

  @Test func `an incomplete body gets 408`() async throws {
    try await expectRefusal(408, of: "PUT /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nsoap") {
      $0.bodyTimeout = .milliseconds(20)
    }
  }

  @Test func `an idle connection closes without a response`() async throws {
    try await withServer({ $0.idleTimeout = .milliseconds(20) }) { server in
      let client = try RawClient(port: server.port)
      let (bytes, end) = await client.readToEnd()
      #expect(bytes.isEmpty)
      #expect(end == .endOfFile)
    }
  }

  @Test func `a client that does not read its response is reset`() async throws {
    var limits = LoopbackLimits()
    // The request must arrive in this time too, even on a busy machine.
    limits.idleTimeout = .seconds(3)
    let asked = Signal<Void>()
    let large = Router {
      Route(.get, "/") { _ in
        asked.send()
        return .bytes([UInt8](repeating: 7, count: 50_000_000))
      }
    }
    let server = try await HTTPServer.start(large, limits: limits)
    let slow = try RawClient(port: server.port, receiveBuffer: 4_096)
    await slow.send(get("/"))
    await asked.next()
    // The stop finishes the response. It would reset the client only after the grace period, which is longer than the test.
    await server.stop(grace: .seconds(600))
    let (bytes, end) = await slow.readToEnd()
    #expect(bytes.count < 50_000_000)
    #expect(end == .reset)
  }

  @Test func `a connection above the limit gets 503 while all others have a request in flight`() async throws {
    let asked = Signal<Void>()
    var limits = LoopbackLimits()
    limits.connections = 1
    let busy = Router {
      Route(.get, "/") { _ in
        asked.send()
        return HTTPReply.never
      }
      Route(.get, "/hello") { _ in .text("Hello") }
    }
    let server = try await HTTPServer.start(busy, limits: limits)
    let first = try RawClient(port: server.port)
    await first.send(get("/"))
    await asked.next()
    let second = try RawClient(port: server.port)
    let refusal = await second.readResponse()
    #expect(refusal?.status == 503)
    #expect(refusal?.headers["Retry-After"] == "1")
    second.endOutput()
    #expect(await second.readToEnd().end == .endOfFile)
    first.disconnect()
    _ = await first.readToEnd()
    var status = await (try RawClient(port: server.port)).exchange(get("/hello"))?.status
    for _ in 0..<10_000 where status == 503 {
      status = await (try RawClient(port: server.port)).exchange(get("/hello"))?.status
    }
    #expect(status == 200)
    await server.stop(grace: .zero)
  }

  @Test func `at the connection limit the connection that waits longest for a request closes`() async throws {
    try await withServer({ $0.connections = 2 }) { server in
      let idle = try RawClient(port: server.port)
      #expect(await idle.exchange(get("/hello"))?.status == 200)
      let slow = try RawClient(port: server.port)
      await slow.send("GET / HTTP/1.1\r\nHost")
      let third = try RawClient(port: server.port)
      #expect(await third.exchange(get("/hello"))?.status == 200)
      #expect(await idle.readToEnd().bytes.isEmpty)
      let fourth = try RawClient(port: server.port)
      #expect(await fourth.exchange(get("/hello"))?.status == 200)
      #expect(await slow.readToEnd().bytes.isEmpty)
      #expect(await third.exchange(get("/hello"))?.status == 200)
    }
  }

  @Test func `300 slow connections do not keep an honest client out`() async throws {
    try await withServer({ $0.connections = 16 }) { server in
      let slow = try (0..<300).map { _ in try RawClient(port: server.port) }
      for client in slow { await client.send("GET / HTTP/1.1\r\nHo") }
      let honest = try RawClient(port: server.port)
      #expect(await honest.exchange(get("/hello"))?.status == 200)
      withExtendedLifetime(slow) {}
    }
  }

  @Test func `a request above the limit gets 503, and its connection stays open`() async throws {
    try await withServer({ $0.requestsInFlight = 1 }) { server in
      let busy = try RawClient(port: server.port)
      await busy.send(get("/never"))
      let client = try RawClient(port: server.port)
      var refusal = await client.exchange(get("/hello"))
      for _ in 0..<10_000 where refusal?.status == 200 { refusal = await client.exchange(get("/hello")) }
      #expect(refusal?.status == 503)
      #expect(refusal?.headers["Retry-After"] == "1")
      busy.disconnect()
      for _ in 0..<10_000 where refusal?.status == 503 { refusal = await client.exchange(get("/hello")) }
      #expect(refusal?.status == 200)
    }
  }

  @Test func `a handler that exceeds its timeout is cancelled, and the client gets 503`() async throws {
    try await withServer({ $0.handlerTimeout = .milliseconds(20) }) { server in
      let client = try RawClient(port: server.port)
      #expect(await client.exchange(get("/stuck"))?.status == 503)
      // On a busy machine the next request can exceed the timeout too.
      var greeting = await client.exchange(get("/hello"))
      for _ in 0..<10_000 where greeting?.status == 503 { greeting = await client.exchange(get("/hello")) }
      #expect(greeting?.status == 200)
    }
  }
}
