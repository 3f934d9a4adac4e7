import Foundation
import Futures
import FuturesNetworkingCurl
import Loopback
import OrderTaking
import Testing

@testable import OrderTakingClients

@Suite("The HTTP client over libcurl", .timeLimit(.minutes(2))) struct ResponseTests {
  let intent = TakingIntent(order: "tour 7, ü%", key: IdempotencyKey(high: 1, low: 2), body: Array("{}".utf8))

  func client(_ base: URL, token: TokenSource? = nil) -> OrderHTTPClient<String, String> {
    .live(at: base, over: .curl(), token: token) { String(decoding: $0, as: UTF8.self) }
  }

  func server(_ reply: @escaping @Sendable (HTTPRequest) -> HTTPReply) async throws -> HTTPServer {
    try await HTTPServer.start(
      Router {
        Route(.put, "/orders/:id/taking") { reply($0) }
        Route(.get, "/orders/:id/taking") { reply($0) }
        Route(.get, "/orders/:id") { reply($0) }
      })
  }

  @Test("requests have the method, path and headers of the protocol") func requests() async throws {
    let requests = Locked<[HTTPRequest]>([])
    let server = try await server { request in
      requests.withLock { $0.append(request) }
      return .response(.json(text: #"{"result": "processing"}"#))
    }
    let client = client(server.url, token: TokenSource("sec\r\nret: x") { Future() })
    #expect(try await client.take(intent).get() == .processing)
    #expect(try await client.takingOperationStatus(intent).get() == .processing)
    #expect(try await client.acceptedOrderDetails("tour 7, ü%").get() == #"{"result": "processing"}"#)
    let sent = requests.withLock { $0 }
    #expect(
      sent.map { "\($0.method) \($0.parameters["id"] ?? "")" } == [
        "PUT tour 7, ü%", "GET tour 7, ü%", "GET tour 7, ü%",
      ])
    #expect(sent.map { $0.headers["Idempotency-Key"] } == [intent.key.description, intent.key.description, nil])
    #expect(sent.allSatisfy { $0.headers["Authorization"] == "Bearer sec  ret: x" && $0.headers["ret"] == nil })
    #expect(sent[0].text == "{}" && sent[0].headers["Content-Digest"]?.hasPrefix("sha-256=:RBNvo1W") == true)
    await server.stop()
  }

  @Test("only complete responses are results") func answers() async throws {
    let replies = Locked<[HTTPReply]>([
      .response(HTTPResponse(429, headers: ["Retry-After": "7"], body: Array(#"{"error":"in_progress"}"#.utf8))),
      .dripped(.json(text: #"{"result":"accepted"}"#), every: .milliseconds(1)),
      .truncated(.json(text: #"{"result":"accepted"}"#), afterBodyBytes: 5),
      .raw(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .raw(Array("garbage".utf8)), .disconnected, .reset,
    ])
    let server = try await server { _ in replies.withLock { $0.removeFirst() } }
    let client = client(server.url)
    func next() async -> Result<TakingAnswer, HTTPError> { await client.take(intent).get() }
    #expect(await next() == .failure(.status(429, retryAfter: .seconds(7), problem: .inProgress)))
    #expect(await next() == .success(.accepted))
    for _ in 0..<5 {
      guard case .failure(let error) = await next() else {
        Issue.record("an incomplete response was a result")
        continue
      }
      #expect(error.kind == .transport(mayHaveReachedServer: true), "\(error)")
    }
    await server.stop()
    guard case .failure(let error) = await next() else { return }
    #expect(error.kind == .transport(mayHaveReachedServer: false), "\(error)")
  }

  @Test(
    "with an invalid URL nothing is sent, and the order expires at once, without a retry",
    arguments: ["http:///x", "ftp://127.0.0.1", "file:///etc/passwd"])
  func addresses(text: String) async throws {
    let client = client(try #require(URL(string: text)))
    let error = await #expect(throws: HTTPError.self) { try await client.take(intent).get() }
    #expect(error?.status == nil && error?.mayHaveReachedServer == false)
    #expect(error?.description.hasPrefix("invalid request, not sent, ") == true, "\(String(describing: error))")
    let failure = await #expect(throws: OrderTakingFailure.self) {
      try await OrderTaker(
        httpClient: client, pushClient: PushClient { _ in {} }, journal: .inMemory(),
        policy: TakingPolicy(attempts: 2, deadline: nil)
      ).acceptance(of: "7")
    }
    #expect(failure?.kind == .expired && failure?.status == nil)
    #expect(failure?.reason.contains("the address is invalid") == true)
  }
}
