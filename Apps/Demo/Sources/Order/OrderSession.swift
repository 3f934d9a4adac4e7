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
internal import OrderTakingServerPostgres

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

typealias Taker = OrderTaker<String, String>

/// The server, the clients and the journal file of one command.
final class OrderSession: Resource {
  let options: OrderOptions
  let timeline: Timeline
  let file: SQLiteJournal<String>?

  private let base: URL
  private let push: HostAndPort?
  private let server: OrderServer?
  private let client: HTTPClient
  private let token: TokenSource
  private let workers = Locked<[PostgresJournal]>([])
  /// Serial, so that outcomes are delivered one after the other.
  private let deliveries = DispatchQueue(label: "demo.order.deliveries")

  /// Opens a session.
  ///
  /// - Parameter isSilent: Whether no event is printed.
  init(_ options: OrderOptions, isSilent: Bool = false) async throws {
    let timeline = Timeline(isSilent || options.output.quiet ? nil : options.output)
    (self.options, self.timeline) = (options, timeline)
    file = try await Self.openJournal(options)
    client = .curl(Self.configuration(options, connections: 16))
    token = TokenSource(options.token) { Future(error: .status(401)) }
    if let address = options.server {
      (server, base, push) = (nil, address.url, options.push)
      return
    }
    let store = try await OrderStore.open(file: options.journal.map { $0 + ".server" }, options.database)
    let server = try await OrderServer.start(
      EmbeddedServer.configuration(token: options.token, faults: options.faults, seed: options.seed), store: store,
      log: {
        let event = TimelineEvent($0)
        if event.kind != .step { timeline.show(event) }
      })
    timeline.show(
      TimelineEvent(.server, "listening on \(server.url.absoluteString), push on port \(server.pushPort)"))
    (self.server, base) = (server, server.url)
    push = HostAndPort(host: "127.0.0.1", port: server.pushPort)
  }

  /// Opens the journal file, and reports once what a recovery has lost.
  private static func openJournal(_ options: OrderOptions) async throws -> SQLiteJournal<String>? {
    guard let path = options.journal else { return nil }
    // The name stays the same for each embedded server, which has another port each time.
    let name = options.server?.name ?? "the server that demo order starts itself"
    let file = try SQLiteJournal<String>(at: path, server: name)
    if let recovery = file.recovery {
      options.output.warn("Warning: \(recovery)")
      if file.unacknowledgedLoss != nil { try await file.acknowledgeLoss().get() }
    }
    return file
  }

  private static func configuration(_ options: OrderOptions, connections: Int) -> CurlConfiguration {
    var configuration = CurlConfiguration()
    configuration.maxConcurrentRequests = connections
    configuration.certificateAuthorities = options.authorities
    return configuration
  }

  /// Creates a taker for the server.
  ///
  /// - Parameter worker: The worker whose journal and push channel it uses instead of those of the session.
  func makeTaker(on worker: PostgresJournal? = nil) -> Taker {
    let driver = EmbeddedServer.driver
    return Taker(
      httpClient: .live(at: base, over: client, token: token) { String(decoding: $0, as: UTF8.self) },
      pushClient: worker?.pushClient(of: driver) { [self] in pushClient(from: $0) } ?? pushClient(from: nil),
      journal: worker?.journal(of: driver) ?? file?.journal ?? .inMemory(),
      deliveringOn: deliveries.context, acknowledging: .explicit,
      log: { [timeline] in timeline.show($0) })
  }

  private func pushClient(from checkpoint: PushCheckpoint?) -> PushClient<String> {
    guard let push else { return .none }
    let address = StreamAddress(
      host: push.host, port: push.port, usesTLS: base.scheme?.lowercased() == "https")
    return .live(
      at: address, over: .curl(Self.configuration(options, connections: 1)), token: token, from: checkpoint,
      log: { [timeline] in timeline.show(TimelineEvent($0)) })
  }

  /// Starts a worker on the database, which the session closes, and creates its taker.
  ///
  /// - Parameter wake: Called when orders may be due.
  func startWorker(
    on database: PostgresConfiguration, wake: (@Sendable () -> Void)? = nil
  ) async throws -> (PostgresJournal, Taker) {
    _ = try await PostgresJournal.migrate(database).get()
    let current = Locked<Taker?>(nil)
    let worker = try await PostgresJournal.open(
      database, cancel: { _, order in current.withLock { $0 }?.cancel(order) }, wake: wake
    ).get()
    workers.withLock { $0.append(worker) }
    let taker = makeTaker(on: worker)
    current.withLock { $0 = taker }
    return (worker, taker)
  }

  func close() async {
    timeline.end()
    file?.close()
    let closed = workers.withLock { $0 }.map { $0.close() }
    await uncancelled { [server] in
      for future in closed { _ = await future.get() as Result<Void, JournalError> }
      await server?.stop(grace: .zero)
    }
  }

  /// Returns the names of at most a hundred open orders.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of requests.
  ///   - deadline: The time limit of all requests.
  func openOrders(attempts: Int, by deadline: ContinuousClock.Instant) async throws -> [String] {
    struct List: Decodable { let orders: [String] }
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

extension NetworkError {
  /// Whether the next request may succeed.
  fileprivate var isTransient: Bool {
    switch kind {
    case .badStatus: statusCode == 429 || (500..<600).contains(statusCode ?? 0)
    case .cannotConnect, .connectionLost, .notHTTP, .timedOut: true
    default: false
    }
  }
}

/// Runs work that a cancellation of this task does not cancel.
func uncancelled<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
  await Task { await work() }.value
}
