import Foundation
import Futures
import Loopback
import OrderTaking
import Testing

@testable import OrderTakingClients

@Suite("The HTTP client over plain TCP", .timeLimit(.minutes(2))) struct TCPTransportTests {
  let intent = TakingIntent(order: "tour 7, ü%", key: IdempotencyKey(high: 1, low: 2), body: Array("{}".utf8))

  func client(_ base: URL, token: TokenSource? = nil, connections: Int = 64) -> HTTPClient<String, String> {
    .live(at: base, over: .tcp(maxConnections: connections), token: token) { String(decoding: $0, as: UTF8.self) }
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

  /// Returns the error of a request that must fail.
  func error(_ client: HTTPClient<String, String>) async -> HTTPError? {
    let result: Result<TakingAnswer, HTTPError> = await client.take(intent).get()
    guard case .failure(let error) = result else { return nil }
    return error
  }

  @Test(
    "a URL that is not plain HTTP fails before anything is sent",
    arguments: ["https://127.0.0.1", "http:///x", "ftp://127.0.0.1", "http://127.0.0.1:99999"])
  func addresses(text: String) async throws {
    guard let url = URL(string: text) else { return }
    #expect(await error(client(url))?.mayHaveReachedServer == false)
  }

  @Test("an https URL over plain TCP is rejected at once, without a retry") func https() async throws {
    let base = try #require(URL(string: "https://127.0.0.1"))
    let failure = await #expect(throws: OrderTakingFailure.self) {
      try await OrderTaker(
        httpClient: client(base), pushClient: PushClient { _ in {} }, journal: .inMemory(),
        policy: TakingPolicy(attempts: 2, deadline: nil)
      ).acceptance(of: "7")
    }
    #expect(failure?.kind == .rejected)
    let error = try #require(await error(client(base)))
    #expect(error.status == 400 && !error.mayHaveReachedServer)
    #expect(error.message.hasPrefix("cannot request https://127.0.0.1/orders/") && error.message.contains("urlSession"))
  }

  @Test("the addresses of a name are tried in order, and the error is that of the last one") func severalAddresses()
    async throws
  {
    let server = try await server { _ in .response(.json(text: #"{"result":"accepted"}"#)) }
    let port = server.port
    let name = try #require(URL(string: "http://two.localhost"))
    let client = HTTPClient<String, String>.live(
      at: name,
      over: .tcp(maxConnections: 1) { _, _ throws(SocketFailure) in
        try SocketAddress.resolve("127.0.0.1", port: 9) + SocketAddress.resolve("127.0.0.1", port: port)
      }, decodingDetails: { String(decoding: $0, as: UTF8.self) })
    for _ in 0..<3 { #expect(try await client.take(intent).get() == .accepted) }
    await server.stop()
    let error = try #require(await error(client))
    #expect(!error.mayHaveReachedServer && error.message.contains("refused"), "\(error)")
  }

  @Test("a cancelled request closes its connection, and the next request starts") func cancelled()
    async throws
  {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let isFirst = Locked(true)
    let count = Locked(0)
    let server = try await server { _ in
      count.withLock { $0 += 1 }
      arrival.yield()
      let first = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      return first ? .never : .response(.json(text: #"{"result":"accepted"}"#))
    }
    let client = client(server.url, connections: 1)
    let stuck = client.take(intent)
    let waiting = client.take(intent)
    let dropped = client.take(intent)
    dropped.cancel()
    for await _ in arrivals { break }
    // A further request of the first client would have arrived by now.
    #expect(try await self.client(server.url).acceptedOrderDetails("8").get() == #"{"result":"accepted"}"#)
    #expect(count.withLock { $0 } == 2 && waiting.result == nil)
    stuck.cancel()
    #expect(stuck.error?.mayHaveReachedServer == true)
    #expect(try await waiting.get() == .accepted)
    #expect(count.withLock { $0 } == 3)
    await server.stop(grace: .zero)
  }

  @Test("1,000 requests share four connections") func many() async throws {
    let server = try await server { _ in .response(.json(text: #"{"result":"accepted"}"#)) }
    let client = client(server.url, connections: 4)
    let futures = (0..<1_000).map { _ in client.take(intent) }
    for future in futures { #expect(try await future.get() == .accepted) }
    await server.stop()
  }

  @Test("without a free file descriptor, the error names this cause") func descriptors() async {
    await #expect(processExitsWith: .success) {
      #if canImport(Darwin)
        let descriptors = RLIMIT_NOFILE
      #else
        let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #endif
      var limit = rlimit()
      _ = getrlimit(descriptors, &limit)
      limit.rlim_cur = 256
      _ = setrlimit(descriptors, &limit)
      // Dispatch opens its descriptors now. Without them it stops the process.
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now() + 3_600)
      timer.activate()
      defer { timer.cancel() }
      for host in ["127.0.0.1", "birds.invalid"] {
        let client = HTTPClient<String, String>.live(
          at: try #require(URL(string: "http://\(host)")), over: .tcp()
        ) { String(decoding: $0, as: UTF8.self) }
        var errors: [HTTPError] = []
        // Another thread of this process can close a file during a request.
        while errors.last?.message.hasSuffix("Too many open files") != true, errors.count < 1_000 {
          while dup(2) != -1 {}
          let result: Result<String, HTTPError> = await client.acceptedOrderDetails("7").get()
          if case .failure(let error) = result { errors.append(error) }
        }
        #expect(
          errors.last?.message
            == "\(host):80: \(host == "127.0.0.1" ? "" : "cannot resolve \(host): ")Too many open files")
        #expect(errors.allSatisfy { $0.kind == .transport(mayHaveReachedServer: false) })
      }
    }
  }
}
