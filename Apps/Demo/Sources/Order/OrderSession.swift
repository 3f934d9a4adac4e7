internal import Dispatch
internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import FuturesNetworkingCurl
internal import Loopback
internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingJournal
internal import OrderTakingPostgres
internal import OrderTakingServer

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

typealias Taker = OrderTaker<String>

/// The server, the clients and the journal of one command.
final class OrderSession: Resource {
  let options: OrderOptions
  let timeline: Timeline
  let storage: JournalStorage

  private let base: URL
  private let push: HostAndPort?
  private let server: OrderServer?
  private let client: HTTPClient
  private let token: TokenSource
  /// Serial, so that outcomes are delivered one after the other.
  private let deliveries = DispatchQueue(label: "demo.order.deliveries")

  /// - Parameters:
  ///   - isSilent: Whether no event is printed.
  ///   - limit: The maximum wait for an order that another process owns.
  init(_ options: OrderOptions, isSilent: Bool = false, within limit: Duration = .seconds(300)) async throws {
    (self.options, timeline) = (options, Timeline(isSilent || options.output.quiet ? nil : options.output))
    storage = try await Self.openStorage(options, within: limit)
    client = .curl(Self.configuration(options, connections: 16))
    token = TokenSource(options.token) { Future(error: .status(401)) }
    if let address = options.server {
      (server, base, push) = (nil, address.url, options.push)
      return
    }
    let server = try await OrderServer.start(
      EmbeddedServer.configuration(
        token: options.token, faults: options.faults, file: options.journal.map { $0 + ".server" }),
      observer: timeline.observer)
    timeline.show(
      TimelineEvent(.server, "listening on \(server.url.absoluteString), push on port \(server.pushPort)"))
    (self.server, base) = (server, server.url)
    push = HostAndPort(host: "127.0.0.1", port: server.pushPort)
  }

  static func openStorage(
    _ options: OrderOptions, within limit: Duration = .seconds(300)
  ) async throws -> JournalStorage {
    if var database = options.database {
      database.claimTimeLimit = limit
      return try await PostgresJournal.open(database).get().storage
    }
    guard let path = options.journal else { return .inMemory() }
    // The name stays the same for each embedded server, which has another port each time.
    let server = options.server?.name ?? "the server that demo order starts itself"
    return try SQLiteJournal(at: path, server: server).storage
  }

  private static func configuration(_ options: OrderOptions, connections: Int) -> CurlConfiguration {
    var configuration = CurlConfiguration()
    configuration.maxConcurrentRequests = connections
    configuration.certificateAuthorities = options.authorities
    return configuration
  }

  /// The connections of the driver.
  func clients(_ observer: Observer) -> OrderWorker<String>.Clients {
    let channel = push.map { push in
      PushClient.live(
        host: push.host, port: push.port, security: base.scheme?.lowercased() == "https" ? .tls : .plaintext,
        over: .curl(Self.configuration(options, connections: 1)), token: token, observer: observer)
    }
    return (
      .live(at: base, over: client, token: token) { String(decoding: $0, as: UTF8.self) }, channel ?? .none
    )
  }

  func makeTaker() -> Taker {
    let clients = clients(timeline.observer)
    return Taker(
      httpClient: clients.http, pushClient: clients.push,
      journal: storage.journal(EmbeddedServer.driver), deliveringOn: deliveries.context, acknowledging: .explicit,
      worker: storage.name, observer: timeline.observer)
  }

  func close() async {
    timeline.end()
    let closed = storage.close()
    await uncancelled { [server] in
      _ = await closed.get() as Result<Void, JournalError>
      await server?.close(grace: .zero)
    }
  }

  /// Returns the names of at most a hundred open orders.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of requests.
  ///   - deadline: The time limit of all requests.
  func openOrders(attempts: Int, by deadline: ContinuousClock.Instant) async throws -> [OrderID] {
    struct List: Decodable { let orders: [OrderID] }
    var request = URLRequest(url: base.appending(path: "orders"))
    request.setValue("Bearer \(options.token)", forHTTPHeaderField: "Authorization")
    let wait = Duration.milliseconds(250)
    let policy = RetryPolicy<NetworkError>(
      attempts: attempts, backoff: .exponential(from: .milliseconds(50), atMost: wait)
    ) { $0.isTransient && .now + wait < deadline }
    let list = retry(policy) { [client, request] _ in
      let left = max(.zero, ContinuousClock.now.duration(to: deadline))
      return client.jsonFuture(of: List.self, for: request, within: HTTPLimits(whole: left))
    }
    let answer: Result<List, NetworkError> = await list.get()
    try Task.checkCancellation()
    if case .failure(let error) = answer, error.isUnauthorized {
      throw DemoError("Cannot list the orders: the token is missing or wrong.", next: "Give it with --token.")
    }
    return try answer.get().orders
  }
}

/// Runs work that a cancellation of this task does not cancel.
func uncancelled<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
  await Task { await work() }.value
}
