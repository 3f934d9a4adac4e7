import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import Loopback
import OrderTaking
import OrderTakingClients
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The HTTP clients that apps use.
enum Transport: CaseIterable {
  case curl
  case urlSession

  var client: HTTPClient {
    switch self {
    case .curl: .curl()
    case .urlSession: .urlSession(URLSession(configuration: .ephemeral))
    }
  }
}

/// A server that gives scripted replies, and records its requests.
final class ReplyingServer: Sendable {
  let server: HTTPServer
  private let log: Locked<[HTTPRequest]>

  var requests: [HTTPRequest] { log.withLock { $0 } }
  var url: URL { server.url }

  init(_ reply: @escaping @Sendable (HTTPRequest) -> HTTPReply) async throws {
    let log = Locked<[HTTPRequest]>([])
    let handler: @Sendable (HTTPRequest) -> HTTPReply = { request in
      log.withLock { $0.append(request) }
      return reply(request)
    }
    self.log = log
    server = try await HTTPServer.start(
      Router {
        Route(.put, "/orders/:id/taking") { handler($0) }
        Route(.get, "/orders/:id/taking") { handler($0) }
        Route(.get, "/orders/:id") { handler($0) }
        Route(.get, "/elsewhere") { handler($0) }
      })
  }

  convenience init(status: Int = 200, headers: HTTPHeaders = [:], body: String) async throws {
    try await self.init { _ in .response(HTTPResponse(HTTPStatus(status), headers: headers, body: Array(body.utf8))) }
  }

  func client(_ transport: Transport = .curl, token: TokenSource? = nil) -> OrderHTTPClient<String> {
    .live(at: server.url, over: transport.client, token: token) { String(decoding: $0, as: UTF8.self) }
  }

  func stop() async { await server.stop(grace: .zero) }
}

@Suite("The HTTP client", .timeLimit(.minutes(5))) struct HTTPClientTests {
  let intent = TakingIntent(order: "tour 7, ü%", key: IdempotencyKey(high: 1, low: 2), body: Array("{}".utf8))

  @Test("requests have the method, path and headers of the protocol", arguments: Transport.allCases)
  func requests(transport: Transport) async throws {
    let server = try await ReplyingServer(body: #"{"result": "processing"}"#)
    let client = server.client(transport, token: TokenSource("sec\r\nret: x") { Future() })
    #expect(try await client.take(intent).get() == .processing)
    #expect(try await client.takingOperationStatus(intent).get() == .processing)
    #expect(try await client.acceptedOrderDetails(intent.order).get() == #"{"result": "processing"}"#)
    let sent = server.requests
    #expect(
      sent.map { "\($0.method) \($0.path)" } == [
        "PUT /orders/tour 7, ü%/taking", "GET /orders/tour 7, ü%/taking", "GET /orders/tour 7, ü%",
      ])
    #expect(sent.map { $0.headers["Idempotency-Key"] } == [intent.key.description, intent.key.description, nil])
    #expect(sent.allSatisfy { $0.headers["Authorization"] == "Bearer sec  ret: x" && $0.headers["ret"] == nil })
    #expect(sent.map(\.text) == ["{}", "", ""])
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
    let server = try await ReplyingServer(body: text)
    #expect(try await server.client().take(intent).get() == answer)
    await server.stop()
  }

  @Test(
    "a success without a result leaves the outcome unknown",
    arguments: ["", "{}", "null", "[]", #"{"result": "perhaps"}"#, #"{"result": 1}"#, #"{"problem": "x"}"#, "\u{0}"])
  func unreadable(text: String) async throws {
    let server = try await ReplyingServer(body: text)
    let error = await server.client().take(intent).get().error
    #expect(error?.mayHaveReachedServer == true && error?.message == "cannot read the answer")
    await server.stop()
  }

  static let place = "no answer of an order server at "

  /// The error of each status, with a body of an order server and with another body.
  @Test(
    "only a body with a problem is an answer of the order server, whatever the status is",
    arguments: [400, 401, 403, 404, 408, 409, 421, 422, 425, 429, 451, 500, 501, 502, 503, 504, 599])
  func statuses(status: Int) async throws {
    let ours = try await ReplyingServer(
      status: status, headers: ["Retry-After": "7"], body: #"{"problem": "some_code"}"#)
    #expect(
      await ours.client().take(intent).get().error
        == .status(status, retryAfter: .seconds(7), problem: HTTPError.Problem(rawValue: "some_code")))
    await ours.stop()
    for body in ["<html>nginx</html>", "", "{}", #"{"error": "no_such_taking"}"#, #"{"problem": 1}"#] {
      let proxy = try await ReplyingServer(status: status, body: body)
      let error = await proxy.client().take(intent).get().error
      #expect(error?.status == status && error?.problem == nil && error?.declineReason == nil)
      #expect(error?.message == Self.place + proxy.url.absoluteString + " (a proxy or a wrong address)")
      await proxy.stop()
    }
  }

  @Test("a decline is the server's answer with a reason, and only with a status from 400 to 499") func declined()
    async throws
  {
    for (status, reason) in [(422, "late"), (409, "late"), (500, nil)] as [(Int, String?)] {
      let server = try await ReplyingServer(status: status, body: #"{"problem": "declined", "reason": "late"}"#)
      #expect(await server.client().take(intent).get().error?.declineReason == reason)
      await server.stop()
    }
  }

  @Test(
    "a redirect is not followed, and its error has the location", arguments: Transport.allCases,
    [301, 302, 303, 307, 308])
  func redirects(transport: Transport, status: Int) async throws {
    let server = try await ReplyingServer { request in
      request.path == "/elsewhere"
        ? .response(.json(text: #"{"result": "accepted"}"#))
        : .response(HTTPResponse(HTTPStatus(status), headers: ["Location": "/elsewhere"]))
    }
    let client = server.client(transport, token: TokenSource("secret") { Future() })
    for error in [
      await client.take(intent).get().error, await client.takingOperationStatus(intent).get().error,
      await client.acceptedOrderDetails("7").get().error,
    ] {
      #expect(error?.status == status && error?.location == "/elsewhere")
      #expect(error?.message.contains("\(server.url.absoluteString) redirects to /elsewhere") == true)
    }
    #expect(server.requests.count == 3 && !server.requests.contains { $0.path == "/elsewhere" })
    await server.stop()
  }

  @Test(
    "an operation ends at once at a redirect, a wrong address or an unknown host name",
    arguments: [
      (301, OrderTakingFailure.Kind.redirected), (308, .redirected), (404, .rejected), (421, .rejected),
    ])
  func wrongAddress(status: Int, kind: OrderTakingFailure.Kind) async throws {
    let server = try await ReplyingServer(
      status: status, headers: ["Location": "https://orders.example/"], body: "<html>nginx</html>")
    let refreshes = Locked(0)
    let token = TokenSource("secret") {
      refreshes.withLock { $0 += 1 }
      return Future(error: .status(401))
    }
    let taker = OrderTaker(
      httpClient: server.client(token: token), journal: .inMemory(), policy: Self.twice,
      deliveringOn: immediateExecutionContext)
    let failure = await #expect(throws: OrderTakingFailure.self) { try await taker.acceptance(of: "7") }
    #expect(failure?.kind == kind, "\(String(describing: failure))")
    #expect(server.requests.count == 1 && refreshes.withLock { $0 } == 0)
    await server.stop()
  }

  private static let twice: TakingPolicy = {
    var policy = TakingPolicy()
    (policy.attempts, policy.deadline, policy.requestTimeout) = (2, nil, nil)
    return policy
  }()

  @Test("only complete responses are results") func incomplete() async throws {
    let replies = Locked<[HTTPReply]>([
      .dripped(.json(text: #"{"result":"accepted"}"#), every: .milliseconds(1)),
      .truncated(.json(text: #"{"result":"accepted"}"#), afterBodyBytes: 5),
      .raw(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .raw(Array("garbage".utf8)), .disconnected, .reset,
    ])
    let server = try await ReplyingServer { _ in replies.withLock { $0.removeFirst() } }
    let client = server.client()
    #expect(await client.take(intent).get() == .success(.accepted))
    for _ in 0..<5 {
      #expect(await client.take(intent).get().error?.kind == .transport(mayHaveReachedServer: true))
    }
    await server.stop()
    #expect(await client.take(intent).get().error?.kind == .transport(mayHaveReachedServer: false))
  }

  @Test(
    "nothing is sent to an invalid base URL, and its password does not appear in the error",
    arguments: [
      "http:///x", "ftp://127.0.0.1", "file:///etc/passwd", "http://a:hunter2@127.0.0.1?x=1", "http://127.0.0.1/a#b",
    ])
  func addresses(text: String) async throws {
    let client = OrderHTTPClient<Data>.live(at: try #require(URL(string: text)), over: .curl()) { $0 }
    let error = await client.take(intent).get().error
    #expect(error?.kind == .invalidRequest && error?.mayHaveReachedServer == false)
    #expect(!"\(String(describing: error))".contains("hunter2"))
    let taker = OrderTaker(httpClient: client, journal: .inMemory(), policy: Self.twice)
    let failure = await #expect(throws: OrderTakingFailure.self) { try await taker.acceptance(of: "7") }
    #expect(failure?.kind == .expired)
  }

  @Test("neither the token nor a password in the URL appears in an error") func secrets() async throws {
    let server = try await ReplyingServer(status: 404, body: "")
    var parts = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
    (parts.user, parts.password) = ("driver", "hunter2")
    let client = OrderHTTPClient<Data>.live(
      at: try #require(parts.url), over: .curl(), token: TokenSource("sesame") { Future(error: .status(401)) }
    ) { $0 }
    for isStopped in [false, true] {
      if isStopped { await server.stop() }
      let error = try #require(await client.take(intent).get().error)
      let text = "\(error)" + String(reflecting: error)
      #expect(text.contains("127.0.0.1:\(server.server.port)"))
      for secret in ["sesame", "hunter2", "driver"] { #expect(!text.contains(secret)) }
    }
  }

  @Test("a cancelled request ends at once", arguments: Transport.allCases) func cancelled(transport: Transport)
    async throws
  {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let server = try await ReplyingServer { _ in
      arrival.yield()
      return .never
    }
    let future = server.client(transport).take(intent)
    for await _ in arrivals { break }
    future.cancel()
    #expect(future.error?.mayHaveReachedServer == true)
    await server.stop()
  }
}
