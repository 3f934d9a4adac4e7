import Foundation
import LoopbackTesting
import OrderTaking
import OrderTakingServer
import OrderTakingTesting
import ParallelTesting
import Testing

/// Each refusal on both channels of a real server.
@Suite("Rights and rate limits", .timeLimit(.minutes(2))) struct AuthorizationTests {
  /// A server with a stopped clock, one order and tokens of all kinds.
  func withServer(
    _ change: (inout OrderServer.Configuration) -> Void = { _ in }, observer: Observer? = nil,
    audit: AuditLog? = nil, _ body: (OrderServer, ManualClock) async throws -> Void
  ) async throws {
    var configuration = OrderServer.Configuration(offers: [OfferedOrder("7")], credentials: ["full": "ann"])
    for scope in Authorization.Scope.allCases {
      configuration.credentials.add(scope.rawValue, for: Authorization(driver: "ann", scopes: [scope]))
    }
    configuration.credentials.add("short", for: Authorization(driver: "ann", expiresAt: .seconds(60)))
    change(&configuration)
    let clock = ManualClock()
    let server = try await OrderServer.start(
      configuration, timers: clock.timers, observer: observer, audit: audit, makeEpoch: { "e" })
    try await body(server, clock)
    await server.stop(grace: .zero)
  }

  func send(_ line: String, _ token: String?, _ field: String? = nil, to server: OrderServer) async throws -> String {
    let client = try RawClient(port: server.port)
    var lines = ["\(line) HTTP/1.1", "Host: localhost", "Connection: close"]
    lines.append("Idempotency-Key: \(IdempotencyKey(high: 0, low: 7))")
    if let token { lines.append("Authorization: Bearer \(token)") }
    if let field { lines.append(field) }
    await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    return await client.rest().text
  }

  func subscribe(_ token: String, to server: OrderServer) async throws -> (client: RawClient, line: String?) {
    let client = try RawClient(port: server.pushPort)
    await client.send(#"{"type":"subscribe","token":"\#(token)"}"# + "\n")
    return (client, await client.readLine())
  }

  static func goodbye(_ reason: String) -> String { #"{"reason":"\#(reason)","type":"goodbye"}"# }

  @Test("a token without a scope is refused on both channels") func scopes() async throws {
    try await withServer { (server, _) async throws in
      let put = try await send("PUT /orders/7/taking", "read_orders", to: server)
      #expect(put.hasPrefix("HTTP/1.1 403") && put.contains(#""error":"insufficient_scope""#))
      #expect(put.contains(#"WWW-Authenticate: Bearer error="insufficient_scope""#))
      #expect(server.orders["7"]?.taking == nil)
      #expect(try await send("GET /orders", "take_orders", to: server).hasPrefix("HTTP/1.1 403"))
      #expect(try await send("GET /orders", "read_orders", to: server).hasPrefix("HTTP/1.1 200"))
      #expect(try await subscribe("take_orders", to: server).line == Self.goodbye("forbidden"))
      #expect(try await subscribe("read_orders", to: server).line?.contains("welcome") == true)
      #expect(try await send("PUT /orders/7/taking", "take_orders", to: server).hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("an expired token is refused on both channels, and ends its push connection") func expiry() async throws {
    try await withServer { (server, clock) async throws in
      #expect(try await send("GET /orders", "short", to: server).hasPrefix("HTTP/1.1 200"))
      let (client, welcome) = try await subscribe("short", to: server)
      #expect(welcome?.contains("welcome") == true)
      clock.advance(by: .seconds(60))
      let refusal = try await send("PUT /orders/7/taking", "short", to: server)
      #expect(refusal.hasPrefix("HTTP/1.1 401") && refusal.contains(#""error":"token_expired""#))
      #expect(refusal.contains("WWW-Authenticate: Bearer"))
      #expect(server.orders["7"]?.taking == nil)
      #expect(try await subscribe("short", to: server).line == Self.goodbye("unauthorized"))
      var last: String?
      while let line = await client.readLine() { last = line }
      #expect(last == Self.goodbye("unauthorized") || last == Self.goodbye("silent"))
    }
  }

  @Test(
    "a request with two tokens, keys or digests is refused",
    arguments: [
      "Authorization: Bearer ann", "authorization: Bearer full", "Idempotency-Key: \(IdempotencyKey(high: 0, low: 8))",
      "Content-Digest: sha-256=:a:\r\nContent-Digest: sha-256=:a:",
    ])
  func repeatedFields(_ field: String) async throws {
    try await withServer { (server, _) async throws in
      let refusal = try await send("PUT /orders/7/taking", "full", field, to: server)
      #expect(refusal.hasPrefix("HTTP/1.1 400") && refusal.contains(#""error":"repeated_field""#), "\(refusal)")
      #expect(server.orders["7"]?.taking == nil)
    }
  }

  @Test("a token beyond its rate limit is refused on both channels, and others are served") func tokenLimit()
    async throws
  {
    try await withServer({ $0.tokenLimit = RateLimit(perSecond: 0.5, burst: 2) }) { (server, clock) async throws in
      for _ in 0..<2 { #expect(try await send("GET /orders", "full", to: server).hasPrefix("HTTP/1.1 200")) }
      let refusal = try await send("PUT /orders/7/taking", "full", to: server)
      #expect(refusal.hasPrefix("HTTP/1.1 429") && refusal.contains("Retry-After: 2\r\n"))
      #expect(refusal.contains(#""error":"rate_limited""#) && server.orders["7"]?.taking == nil)
      #expect(try await subscribe("full", to: server).line == Self.goodbye("rate_limited"))
      #expect(try await send("GET /orders", "read_orders", to: server).hasPrefix("HTTP/1.1 200"))
      #expect(try await subscribe("short", to: server).line?.contains("welcome") == true)
      clock.advance(by: .seconds(2))
      #expect(try await send("PUT /orders/7/taking", "full", to: server).hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("an address beyond its rate limit is refused on both channels, whatever its tokens are")
  func addressLimit() async throws {
    try await withServer({ $0.addressLimit = RateLimit(perSecond: 1, burst: 3) }) { (server, _) async throws in
      #expect(try await send("GET /orders", nil, to: server).hasPrefix("HTTP/1.1 401"))
      #expect(try await send("GET /orders", "guess", to: server).hasPrefix("HTTP/1.1 401"))
      #expect(try await subscribe("guess", to: server).line == Self.goodbye("unauthorized"))
      #expect(try await send("GET /orders", "full", to: server).hasPrefix("HTTP/1.1 429"))
      #expect(try await send("GET /nothing", "full", to: server).hasPrefix("HTTP/1.1 429"))
      #expect(try await subscribe("full", to: server).line == Self.goodbye("rate_limited"))
    }
  }

  @Test("a push connection that sends too many lines is closed") func lineLimit() async throws {
    try await withServer({ $0.tokenLimit = RateLimit(perSecond: 1, burst: 5) }) { (server, _) async throws in
      let (client, _) = try await subscribe("full", to: server)
      for _ in 0..<5 { await client.send(#"{"type":"replay","after":0}"# + "\n") }
      var lines: [String] = []
      while let line = await client.readLine() { lines.append(line) }
      #expect(lines.filter { $0.contains("welcome") }.count == 4 && lines.last == Self.goodbye("rate_limited"))
    }
  }

  @Test("GET /metrics needs the scope, and counts requests and connections") func metrics() async throws {
    try await withServer { (server, _) async throws in
      _ = try await send("PUT /orders/7/taking", "full", to: server)
      _ = try await send("GET /nothing", "full", to: server)
      let (client, welcome) = try await subscribe("full", to: server)
      #expect(welcome?.contains("welcome") == true)
      #expect(try await send("GET /metrics", "full", to: server).hasPrefix("HTTP/1.1 403"))
      #expect(try await send("GET /metrics", nil, to: server).hasPrefix("HTTP/1.1 401"))
      let text = try await send("GET /metrics", "read_metrics", to: server)
      #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("Content-Type: text/plain; version=0.0.4"))
      for line in [
        #"order_taking_requests_total{side="server",route="PUT /orders/:id/taking",status="200"} 1"#,
        #"order_taking_requests_total{side="server",route="other",status="404"} 1"#,
        #"order_taking_requests_total{side="server",route="GET /metrics",status="403"} 1"#,
        #"order_taking_request_seconds_count{side="server",route="PUT /orders/:id/taking"} 1"#,
        #"order_taking_push_connections_opened_total{side="server"} 1"#,
        "order_taking_open_orders 0", "order_taking_push_connections 1",
      ] {
        #expect(text.contains("\n\(line)\n"), "\(line) in \(text)")
      }
      #expect(!text.contains("full"))
      client.endOutput()
    }
  }

  @Test("the audit log has each request to take an order before its response") func audit() async throws {
    let entries = Locked<[AuditEntry]>([])
    let log = AuditLog { entry in entries.withLock { $0.append(entry) } }
    try await withServer({ $0.offers.append(OfferedOrder("8", decidedAfter: .seconds(3))) }, audit: log) {
      (server, clock) async throws in
      clock.advance(by: .seconds(1))
      for (order, token) in [("7", "eve"), ("7", "read_orders"), ("7", "full"), ("8", "full"), ("7", "short")] {
        _ = try await send("PUT /orders/\(order)/taking", token, to: server)
      }
      _ = try await send("GET /orders/7/taking", "full", to: server)
      let written = entries.withLock { $0 }
      #expect(
        written.map(\.result) == [
          "unauthorized", "insufficient_scope", "accepted", "idempotency_key_mismatch", "accepted",
        ])
      #expect(written.map(\.status) == [401, 403, 200, 422, 200])
      #expect(written.map(\.driver) == [nil, "ann", "ann", "ann", "ann"])
      #expect(Set(written.map(\.address)) == ["127.0.0.1"])
      #expect(
        written[2].json
          == #"{"address":"127.0.0.1","at":"1970-01-01T00:00:01.000Z","driver":"ann","key":"00000000000000000000000000000007","order":"7","result":"accepted","status":200,"token_hash":"a18b869b2e81"}"#
      )
    }
  }

  @Test("the audit log shortens the input of a client without a token") func auditLength() async throws {
    let entries = Locked<[AuditEntry]>([])
    try await withServer(audit: AuditLog { entry in entries.withLock { $0.append(entry) } }) {
      (server, clock) async throws in
      let client = try RawClient(port: server.port)
      await client.send(
        "PUT /orders/\(String(repeating: "o", count: 5_000))/taking HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Idempotency-Key: \(String(repeating: "\"", count: 8_000))\r\n\r\n")
      #expect(await client.rest().text.hasPrefix("HTTP/1.1 401"))
      clock.advance(by: .seconds(60))
      _ = try await send("PUT /orders/7/taking", "short", to: server)
      let written = entries.withLock { $0 }
      #expect(written.first.map { $0.key == nil && $0.json.utf8.count < 400 } == true)
      #expect(written.last.map { $0.result == "token_expired" && $0.driver == "ann" && $0.tokenID != nil } == true)
    }
  }

  @Test("a token beyond its limit does not use up the limit of its address") func noLockOut() async throws {
    try await withServer({
      $0.tokenLimit = RateLimit(perSecond: 1, burst: 1)
      $0.addressLimit = RateLimit(perSecond: 1, burst: 10)
    }) { (server, _) async throws in
      for _ in 0..<20 { _ = try await send("GET /orders", "full", to: server) }
      #expect(try await send("GET /orders", "read_orders", to: server).hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("a failure to write the audit log is reported, and changes no response") func auditFailure() async throws {
    let failure = OrderStoreError("Cannot write to the audit log.")
    let log = AuditLog { _ throws(OrderStoreError) in throw failure }
    let (events, event) = AsyncStream.makeStream(of: OrderServerEvent.self)
    let server = try await OrderServer.start(
      .test([OfferedOrder("7")]), log: { event.yield($0) }, audit: log)
    for _ in 0..<3 {
      #expect(try await send("PUT /orders/7/taking", "ann's", to: server).hasPrefix("HTTP/1.1 200"))
    }
    await server.stop()
    event.finish()
    var reports = 0
    for await seen in events where seen == .auditFailed(failure) { reports += 1 }
    #expect(reports == 1)
  }
}
