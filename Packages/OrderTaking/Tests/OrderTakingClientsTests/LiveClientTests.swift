import Foundation
import Futures
import FuturesNetworking
import Loopback
import OrderTaking
import OrderTakingClients
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("The live HTTP client") struct LiveClientTests {
  let session = URLSession(configuration: .ephemeral)
  let intent = TakingIntent(order: "tour 7, ü%", key: IdempotencyKey(high: 1, low: 2), body: Array("{}".utf8))

  func server(
    _ reply: @escaping @Sendable (HTTPRequest) -> HTTPReply
  ) async throws -> (HTTPServer, Locked<[HTTPRequest]>) {
    let requests = Locked<[HTTPRequest]>([])
    let handler: @Sendable (HTTPRequest) -> HTTPReply = { request in
      requests.withLock { $0.append(request) }
      return reply(request)
    }
    let server = try await HTTPServer.start(
      Router {
        Route(.put, "/orders/:id/taking") { handler($0) }
        Route(.get, "/orders/:id/taking") { handler($0) }
        Route(.get, "/orders/:id") { handler($0) }
      })
    return (server, requests)
  }

  func client(_ server: HTTPServer, token: TokenSource? = nil) -> OrderHTTPClient<String, String> {
    .live(at: server.url, over: .urlSession(session), token: token) { data in String(decoding: data, as: UTF8.self) }
  }

  func error(_ future: Future<TakingAnswer, HTTPError>) async -> HTTPError? {
    do { _ = try await future.get() } catch { return error }
    return nil
  }

  @Test("requests have the method, path and headers of the protocol") func requests() async throws {
    let (server, requests) = try await server { _ in .response(.json(text: #"{"result": "processing"}"#)) }
    let client = client(server, token: TokenSource("secret") { Future() })
    #expect(try await client.take(intent).get() == .processing)
    #expect(try await client.takingOperationStatus(intent).get() == .processing)
    #expect(try await client.acceptedOrderDetails("tour 7, ü%").get() == #"{"result": "processing"}"#)
    let sent = requests.withLock { $0 }
    #expect(
      sent.map { "\($0.method) \($0.parameters["id"] ?? "")" } == [
        "PUT tour 7, ü%", "GET tour 7, ü%", "GET tour 7, ü%",
      ])
    #expect(sent.map { $0.headers["Idempotency-Key"] } == [intent.key.description, intent.key.description, nil])
    #expect(sent.allSatisfy { $0.headers["Authorization"] == "Bearer secret" })
    #expect(sent[0].text == "{}")
    // The digest of `{}`.
    #expect(sent[0].headers["Content-Digest"] == "sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:")
    await server.stop()
  }

  @Test(
    "every result of the protocol is read",
    arguments: [
      (#"{"result": "accepted"}"#, TakingAnswer.accepted), (#"{"result": "processing", "more": 1}"#, .processing),
      (#"{"result": "declined", "reason": "late"}"#, .declined("late")),
      (#"{"result": "declined"}"#, .declined("no reason given")),
    ])
  func answers(text: String, answer: TakingAnswer) async throws {
    let (server, _) = try await server { _ in .response(.json(text: text)) }
    #expect(try await client(server).take(intent).get() == answer)
    await server.stop()
  }

  @Test(
    "a success without a result leaves the outcome unknown",
    arguments: [
      "", "{}", "null", "[]", #"{"result": "perhaps"}"#, #"{"result": 1}"#, "\u{0}",
    ])
  func unreadable(text: String) async throws {
    let (server, _) = try await server { _ in .response(.json(text: text)) }
    let error = await error(client(server).take(intent))
    #expect(error?.mayHaveReachedServer == true)
    #expect(error?.message.hasPrefix("cannot read") == true)
    await server.stop()
  }

  @Test("an error contains the reason, the problem and the wait of the response") func errors() async throws {
    let (server, _) = try await server { _ in
      var response = HTTPResponse.json(text: #"{"decline_reason": "late", "error": "in_progress"}"#, status: 409)
      response.headers["Retry-After"] = "7"
      return .response(response)
    }
    #expect(
      await error(client(server).take(intent))
        == .status(409, declineReason: "late", retryAfter: .seconds(7), problem: .inProgress))
    await server.stop()
    // An invalid wait is ignored.
    for wait in ["soon", ""] {
      let (server, _) = try await self.server { _ in
        .response(HTTPResponse(503, headers: ["Retry-After": wait], body: Array("<html>".utf8)))
      }
      #expect(await error(client(server).take(intent)) == .status(503))
      await server.stop()
    }
  }

  @Test("the error of a refused connection differs from that of a lost one") func transport() async throws {
    let (server, _) = try await server { request in request.method == .put ? .reset : .disconnected }
    #expect(await error(client(server).take(intent))?.mayHaveReachedServer == true)
    #expect(await error(client(server).takingOperationStatus(intent))?.mayHaveReachedServer == true)
    await server.stop()
    #expect(await error(client(server).take(intent))?.mayHaveReachedServer == false)
  }

  @Test("no request is sent for an order name that is a URL path step", arguments: ["", ".", ".."])
  func unnameable(name: String) async throws {
    let (server, requests) = try await server { _ in .response(HTTPResponse(200)) }
    let intent = TakingIntent(order: name, key: IdempotencyKey(high: 1, low: 2))
    #expect(await error(client(server).take(intent))?.kind == .invalidRequest)
    #expect(await error(client(server).takingOperationStatus(intent))?.kind == .invalidRequest)
    #expect(client(server).acceptedOrderDetails(name).error?.message.contains("nothing was sent") == true)
    #expect(requests.withLock { $0 }.isEmpty)
    await server.stop()
  }

  @Test("no request is sent to a base URL with a query or a fragment", arguments: ["?x=1", "?", "#x", "/a?b=c#d"])
  func unusableBase(suffix: String) async throws {
    let (server, _) = try await server { _ in .response(HTTPResponse(200)) }
    let base = try #require(URL(string: server.url.absoluteString + suffix))
    let client = OrderHTTPClient<String, String>.live(at: base, over: .urlSession(session)) { _ in "" }
    let error = await error(client.take(intent))
    #expect(error?.kind == .invalidRequest && error?.message.contains("nothing was sent") == true)
    await server.stop()
  }

  @Test("an order is taken after a 503, a lost response, a refused token and a poll") func wholeWay()
    async throws
  {
    let count = Locked(0)
    let (server, requests) = try await server { request in
      let number = count.withLock { count in
        count += 1
        return count
      }
      switch (request.method, number) {
      case (_, 1): return .response(HTTPResponse(503))
      case (_, 2): return .disconnected
      case _ where request.headers["Authorization"] != "Bearer fresh": return .response(HTTPResponse(401))
      case (.put, _): return .response(.json(text: #"{"result": "processing"}"#))
      case _ where request.path.hasSuffix("taking"): return .response(.json(text: #"{"result": "accepted"}"#))
      default: return .response(.text("2 parcels"))
      }
    }
    let policy = TakingPolicy(delayBeforeFirstGet: .milliseconds(1), retries: .constant(.milliseconds(1)))
    let taker = OrderTaker(
      httpClient: client(server, token: TokenSource("stale") { Future(value: "fresh") }), journal: .inMemory(),
      policy: policy)
    let accepted = try await taker.acceptance(of: intent.order)
    #expect(accepted.details == "2 parcels")
    #expect(Set(requests.withLock { $0 }.compactMap { $0.headers["Idempotency-Key"] }).count == 1)
    await server.stop()
  }

  @Test("a cancelled request ends at once") func cancelled() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let (server, _) = try await server { _ in
      arrival.yield()
      return .never
    }
    let future = client(server).take(intent)
    for await _ in arrivals { break }
    future.cancel()
    #expect(future.error?.mayHaveReachedServer == true)
    await server.stop(grace: .zero)
  }
}
