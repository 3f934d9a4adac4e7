import Foundation
import Futures
import FuturesNetworking
import LoopbackTesting
import ParallelTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests of a URL session", .timeLimit(.minutes(5))) struct URLSessionTests {
  /// On Linux, cancelling a request is safe only in a session without a cache.
  private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return URLSession(configuration: configuration)
  }()

  private static func reply(_ status: String, _ fields: String = "", _ body: String = "") -> String {
    "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
  }

  private func request(_ server: ScriptedServer, _ method: String = "GET") throws -> URLRequest {
    var request = URLRequest(url: try server.url)
    request.httpMethod = method
    request.setValue("Bearer puffin", forHTTPHeaderField: "Authorization")
    request.setValue("bird=puffin", forHTTPHeaderField: "Cookie")
    request.setValue("robin", forHTTPHeaderField: "X-Bird")
    if method == "POST" { request.httpBody = Data("password".utf8) }
    return request
  }

  @Test(
    "the future has the body and the response for every status", arguments: ["200 OK", "401 No", "404 No", "500 No"])
  func response(status: String) async throws {
    let server = try ScriptedServer(.reply(Self.reply(status, "X-Bird: robin\r\n", "puffin")))
    let (data, response) = try await session.dataFuture(for: request(server, "DELETE")).get()
    #expect(data == Data("puffin".utf8) && status.hasPrefix("\(response.statusCode)"))
    let head = await server.nextHead()
    #expect(head.hasPrefix("DELETE /birds HTTP/1.1") && head.contains("robin"))
    let client = HTTPClient.urlSession(session)
    let (body, head2) = try await client.dataFuture(for: request(server)).get()
    #expect(body == data && head2.value(forHTTPHeaderField: "x-bird") == "robin" && head2.url == response.url)
    let error = await client.dataFuture(for: try request(server), within: HTTPLimits(bodyBytes: 5)).get() as Result
    #expect(error.error?.kind == .tooLarge && error.error?.byteLimit == 5)
  }

  @Test("a refused and a lost connection are errors") func failures() async throws {
    let closed = try ScriptedServer(.close)
    closed.stop()
    let refused = await #expect(throws: NetworkError.self) { try await session.dataFuture(with: closed.url).get() }
    #expect(refused?.kind == .cannotConnect && refused?.mayHaveReachedServer == false)
    for action in [ScriptedServer.Action.close, .reply("HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\npuff")] {
      let server = try ScriptedServer(action)
      let error = await #expect(throws: NetworkError.self) { try await session.dataFuture(with: server.url).get() }
      #expect(error?.kind == .connectionLost && error?.mayHaveReachedServer == true)
    }
  }

  @Test("a request fails when its limit passes on the given clock, and closes the connection") func timedOut()
    async throws
  {
    let server = try ScriptedServer(.hold)
    let clock = ManualClock()
    let future = session.dataFuture(with: try server.url, within: .milliseconds(900), on: clock)
    _ = await server.nextHead()
    #expect(try await clock.nextSleep() == .init(offset: .milliseconds(900)))
    clock.advance(by: .milliseconds(900))
    let error = await #expect(throws: NetworkError.self) { try await future.get() }
    #expect(error?.kind == .timedOut && error?.limit == .milliseconds(900))
    #expect(error?.description.contains("no complete response within 0.9 seconds") == true)
    await server.clientHasClosed()
  }

  @Test(
    "cancelling the future or a derived one cancels the request", arguments: [false, true],
    [nil, .seconds(9)] as [Duration?])
  func cancelled(isDerived: Bool, limit: Duration?) async throws {
    let server = try ScriptedServer(.hold)
    let future = session.dataFuture(with: try server.url, within: limit, on: ManualClock())
    let body = future.map(immediateExecutionContext) { data, _ in data }
    _ = await server.nextHead()
    if isDerived { body.cancel() } else { future.cancel() }
    #expect(body.error?.kind == .cancelled)
    await server.clientHasClosed()
  }

  @Test("a response that requests a password is the response") func challenge() async throws {
    let server = try ScriptedServer(.reply(Self.reply("401 No", "WWW-Authenticate: Basic realm=\"x\"\r\n")))
    #expect(try await session.dataFuture(with: server.url).get().1.statusCode == 401)
  }

  @Test("an invalid request is not sent") func invalid() async throws {
    let server = try ScriptedServer(.reply(Self.reply("200 OK")))
    var post = try request(server, "POST")
    post.setValue("3", forHTTPHeaderField: "Content-Length")
    #expect(session.dataFuture(for: post).error?.kind == .invalidRequest)
    var file = post
    file.url = URL(filePath: "/etc/passwd")
    #expect(session.dataFuture(for: file).error?.kind == .badURL)
    #expect(server.connectionCount == 0)
  }

  @Test("with limits that follow no redirects, a redirect is the response") func notFollowed() async throws {
    let server = try ScriptedServer(.reply(Self.reply("302 Found", "Location: /nest\r\n")))
    let client = HTTPClient.urlSession(session)
    let response = try await client.dataFuture(for: request(server), within: HTTPLimits(followsRedirects: false)).get()
      .1
    #expect(response.statusCode == 302 && response.value(forHTTPHeaderField: "location") == "/nest")
  }

  @Test(
    "a redirect to another origin is followed without credentials and cookies", arguments: [301, 302, 303, 307, 308])
  func otherOrigin(status: Int) async throws {
    let other = try ScriptedServer(.reply(Self.reply("200 OK", "", "egg")))
    let location = "Location: http://127.0.0.1:\(other.port)/nest\r\n"
    let first = try ScriptedServer(.reply(Self.reply("\(status) Elsewhere", location)))
    let (data, response) = try await session.dataFuture(for: request(first)).get()
    #expect(response.statusCode == 200 && data == Data("egg".utf8))
    #expect(await first.nextHead().contains("Bearer puffin"))
    let followed = await other.nextHead()
    #expect(
      followed.hasPrefix("GET /nest") && followed.contains("robin") && !followed.contains("puffin"), "\(followed)")
    let post = try await session.dataFuture(for: request(first, "POST")).get().1
    #expect(post.statusCode == status)
  }

  @Test("JSON is decoded") func json() async throws {
    let server = try ScriptedServer(.reply(Self.reply("200 OK", "", "[1, 2]")))
    #expect(try await session.jsonFuture(of: [Int].self, with: server.url).get() == [1, 2])
    #expect(await (session.jsonFuture(of: Int.self, with: try server.url).get() as Result).error?.kind == .invalidJSON)
  }
}
