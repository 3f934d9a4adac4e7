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

  /// Sends something that is refused, and checks that the answer arrives whole before the connection ends.
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

  @Test func `a long header is answered with 431`() async throws {
    try await expectRefusal(431, of: get("/hello", "X: " + String(repeating: "x", count: 1_000))) {
      $0.headerBytes = 500
    }
  }

  @Test func `a long request line is answered with 414`() async throws {
    try await expectRefusal(414, of: get("/" + String(repeating: "x", count: 1_000))) { $0.headerBytes = 500 }
  }

  @Test func `a large body is answered with 413, though the client goes on sending it`() async throws {
    try await expectRefusal(413, of: put("/echo", String(repeating: "x", count: 2_000_000))) { $0.bodyBytes = 500 }
  }

  @Test func `a header that does not end is answered with 408`() async throws {
    try await expectRefusal(408, of: "GET / HTTP/1.1\r\nHost") { $0.headerTimeout = .milliseconds(20) }
  }

  @Test func `a body that does not end is answered with 408`() async throws {
    try await expectRefusal(408, of: "PUT /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nsoap") {
      $0.bodyTimeout = .milliseconds(20)
    }
  }

  @Test func `a connection that says nothing is closed without a word`() async throws {
    try await withServer({ $0.idleTimeout = .milliseconds(20) }) { server in
      let client = try RawClient(port: server.port)
      let (bytes, end) = await client.readToEnd()
      #expect(bytes.isEmpty)
      #expect(end == .endOfFile)
    }
  }

  @Test func `a client that does not read its answer is reset`() async throws {
    var limits = LoopbackLimits()
    // The request has to come in that time, too, however busy this machine is.
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
    // The stop lets the answer finish, and would reset the client only after the grace period, with the test's time over.
    await server.stop(grace: .seconds(600))
    let (bytes, end) = await slow.readToEnd()
    #expect(bytes.count < 50_000_000)
    #expect(end == .reset)
  }

  @Test func `a connection too many is answered with 503, and there is room again later`() async throws {
    try await withServer({ $0.connections = 1 }) { server in
      let first = try RawClient(port: server.port)
      #expect(await first.exchange(get("/hello"))?.status == 200)
      let second = try RawClient(port: server.port)
      let refusal = await second.readResponse()
      #expect(refusal?.status == 503)
      #expect(refusal?.headers["Retry-After"] == "1")
      second.endOutput()
      #expect(await second.readToEnd().end == .endOfFile)
      _ = await first.exchange(get("/hello", "Connection: close"))
      #expect(await first.readToEnd().end == .endOfFile)
      let third = try RawClient(port: server.port)
      #expect(await third.exchange(get("/hello"))?.status == 200)
    }
  }

  @Test func `a request too many is answered with 503, and its connection stays`() async throws {
    try await withServer({ $0.requestsInFlight = 1 }) { server in
      let busy = try RawClient(port: server.port)
      await busy.send(get("/never"))
      let client = try RawClient(port: server.port)
      var refusal = await client.exchange(get("/hello"))
      for _ in 0..<10_000 where refusal?.status == 200 { refusal = await client.exchange(get("/hello")) }
      #expect(refusal?.status == 503)
      #expect(refusal?.headers["Retry-After"] == "1")
      busy.vanish()
      for _ in 0..<10_000 where refusal?.status == 503 { refusal = await client.exchange(get("/hello")) }
      #expect(refusal?.status == 200)
    }
  }

  @Test func `a handler that takes too long is cancelled and answered for with 503`() async throws {
    try await withServer({ $0.handlerTimeout = .milliseconds(20) }) { server in
      let client = try RawClient(port: server.port)
      #expect(await client.exchange(get("/stuck"))?.status == 503)
      // On a machine that is busy a greeting may take too long as well.
      var greeting = await client.exchange(get("/hello"))
      for _ in 0..<10_000 where greeting?.status == 503 { greeting = await client.exchange(get("/hello")) }
      #expect(greeting?.status == 200)
    }
  }
}
