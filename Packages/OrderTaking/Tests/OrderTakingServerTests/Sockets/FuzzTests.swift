import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import LoopbackTesting
import OrderTaking
import OrderTakingClients
import OrderTakingServer
import Testing

/// Sends random bytes on both protocols in both directions, and checks that no side traps, hangs or uses unbounded memory.
///
/// `FUZZ_COUNT` sets the number of cases and enables the memory check. `FUZZ_SEED` sets the first seed:
/// `FUZZ_COUNT=4000 swift test --filter FuzzTests`.
@Suite("Hostile bytes", .serialized, .timeLimit(.minutes(30))) struct FuzzTests {
  static let count = ProcessInfo.processInfo.environment["FUZZ_COUNT"].flatMap { Int($0) } ?? 150
  static let seed = ProcessInfo.processInfo.environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
  /// The maximum growth of the process, checked only if these tests run alone, because other tests use memory too.
  static let memory = ProcessInfo.processInfo.environment["FUZZ_COUNT"] == nil ? Int.max : 96 << 20

  static let requests = [
    "PUT /orders/7/taking HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann's\r\n"
      + "Idempotency-Key: 00000000000000010000000000000002\r\nContent-Length: 2\r\n\r\n{}",
    "GET /orders/7/taking HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann's\r\n\r\n",
    "GET /orders?after=7&limit=9999999999 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ann's\r\n\r\n",
    "PUT /orders/8/taking HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer bob's\r\nTransfer-Encoding: chunked\r\n"
      + "Idempotency-Key: 00000000000000010000000000000003\r\n"
      + "Content-Digest: sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
  ]
  static let clientLines = [
    #"{"type":"subscribe","token":"ann's","stream":"s","after":0}"# + "\n",
    #"{"type":"subscribe","token":"ann's"}"# + "\n" + #"{"type":"replay","after":0}"# + "\n" + #"{"type":"heartbeat"}"#
      + "\n",
  ]
  static let serverLines = [
    #"{"type":"welcome","stream":"s","after":0,"cursor":9}"# + "\n"
      + #"{"type":"push","cursor":1,"order":"7","key":"00000000000000010000000000000002","result":"accepted"}"# + "\n",
    #"{"type":"welcome","stream":"s","after":18446744073709551615,"cursor":18446744073709551615}"# + "\n"
      + #"{"type":"push","cursor":18446744073709551615,"order":"7","result":"declined","reason":"x"}"# + "\n",
    #"{"type":"welcome","stream":"s","after":0,"cursor":0}"# + "\n" + #"{"type":"heartbeat","cursor":3}"# + "\n"
      + #"{"type":"goodbye","reason":"unauthorized"}"# + "\n",
  ]

  @Test("random bytes do not stop the server's HTTP API") func httpServer() async throws {
    let server = try await OrderServer.start(.test((0..<20).map { OfferedOrder("\($0)") }))
    try await bombard(server.port, Self.requests)
    let socket = try RawClient(port: server.port)
    await socket.send(Self.requests[1])
    #expect(await socket.readLine()?.hasPrefix("HTTP/1.1 ") == true, "the server still responds")
    await server.stop(grace: .zero)
  }

  @Test("random bytes do not stop the server's push channel") func pushServer() async throws {
    let server = try await OrderServer.start(.test([OfferedOrder("7")]))
    try await bombard(server.pushPort, Self.clientLines)
    let socket = try RawClient(port: server.pushPort)
    await socket.send(Self.clientLines[0])
    #expect(await socket.readLine()?.contains("welcome") == true, "the server still sends a welcome")
    await server.stop(grace: .zero)
  }

  /// Sends many cases in pieces, each on a new connection.
  private func bombard(_ port: Int, _ samples: [String]) async throws {
    let before = residentMemory() ?? 0
    var mutation = Mutation(seed: Self.seed)
    for _ in 0..<Self.count {
      let socket = try RawClient(port: port)
      for piece in mutation.pieces(mutation.bytes(from: samples)).prefix(20) { await socket.send(piece) }
      // Half of the clients wait for a response, and the others disconnect.
      guard mutation.chance() < 0.5 else { continue }
      socket.endOutput()
      #expect(await socket.rest().end != .timedOut)
    }
    #expect((residentMemory() ?? 0) - before < Self.memory)
  }

  @Test("random bytes from a push server do not stop the push client") func pushClient()
    async throws
  {
    let before = residentMemory() ?? 0
    let state = Locked((mutation: Mutation(seed: Self.seed), left: Self.count))
    let server = try await LineServer.start(
      LineHandlers(onLine: { connection, line in
        guard line.text.contains("subscribe") else { return }
        let hostile = state.withLock { state -> [UInt8]? in
          guard state.left > 0 else { return nil }
          state.left -= 1
          return state.mutation.bytes(from: Self.serverLines)
        }
        guard let hostile else {
          connection.send(#"{"type":"welcome","stream":"the last one","after":0,"cursor":1}"#)
          connection.send(#"{"type":"push","cursor":1,"order":"the right one","result":"accepted"}"#)
          return
        }
        connection.send(hostile)
        connection.finish()
      }))
    var configuration = PushConfiguration()
    configuration.reconnect = .constant(.zero)
    configuration.lineBytes = 1_000
    let (pushes, push) = AsyncStream.makeStream(of: PushedResult<String>.self)
    let token = TokenSource("t") { Future(value: "t") }
    let client = PushClient<String>.live(
      at: StreamAddress(host: "127.0.0.1", port: server.port, usesTLS: false), over: .curl(), token: token,
      configuration: configuration)
    let end = client.subscribe { push.yield($0) }
    for await push in pushes where push.order == "the right one" { break }
    end()
    #expect(state.withLock { $0.left } == 0)
    #expect((residentMemory() ?? 0) - before < Self.memory)
    await server.stop(grace: .zero)
  }

  @Test("random HTTP responses never become an acceptance that was not sent")
  func httpClient() async throws {
    let responses = [
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 21\r\n\r\n" + #"{"result":"accepted"}"#,
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 422 Unprocessable Content\r\nTransfer-Encoding: chunked\r\n\r\n19\r\n" + #"{"decline_reason":"late"}"#
        + "\r\n0\r\n\r\n",
    ]
    let before = residentMemory() ?? 0
    let state = Locked((mutation: Mutation(seed: Self.seed), sent: [UInt8]()))
    let server = try await HTTPServer.start(
      Router {
        Route(.put, "/orders/:id/taking") { _ -> HTTPReply in
          state.withLock { state in
            state.sent = state.mutation.bytes(from: responses)
            return .raw(state.sent)
          }
        }
      })
    let client = OrderHTTPClient<String, String>.live(at: server.url, over: .curl()) {
      String(decoding: $0, as: UTF8.self)
    }
    for _ in 0..<Self.count {
      let answer: Result<TakingAnswer, HTTPError> = await client.take(
        TakingIntent(order: "7", key: IdempotencyKey(high: 1, low: 2))
      ).get()
      let said = state.withLock { String(decoding: $0.sent, as: UTF8.self) }
      if answer == .success(.accepted) { #expect(said.contains("accepted")) }
    }
    #expect((residentMemory() ?? 0) - before < Self.memory)
    await server.stop(grace: .zero)
  }
}
