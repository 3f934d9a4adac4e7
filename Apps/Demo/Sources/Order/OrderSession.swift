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

/// The server, the clients and the journal of `take`, `list`, `resume` and `status`.
struct OrderSession: Sendable {
  let options: OrderOptions
  let base: URL
  let timeline: Timeline
  let journal: Journal<String>
  /// The report on a damaged journal.
  let recovery: JournalRecovery?
  /// The report on lost records that the user has not acknowledged.
  let loss: JournalRecovery?

  private let token: TokenSource
  private let channel: HostAndPort?
  private let server: OrderServer?
  private let file: SQLiteJournal<String>?
  private let worker: PostgresJournal?
  /// The taker of the session's worker, which another process can request to cancel an order.
  private let taker = Locked<OrderTaker<String, String>?>(nil)
  private let client: HTTPClient
  /// Whether an operation has begun, and does not wait for another owner of its order.
  private let hasBegun = Locked(false)
  /// The error of the last failed request of each order, by the UTF-8 bytes of the order's name.
  private let lastErrors = Locked<[[UInt8]: HTTPError]>([:])
  /// Serial, so that outcomes are delivered one after the other.
  private let deliveries = DispatchQueue(label: "demo.order.deliveries")

  /// Opens the session, runs `body`, and closes the session, also after an error.
  static func with<Value>(
    _ options: OrderOptions, _ timeline: Timeline, readsAllRecords: Bool,
    _ body: (OrderSession) async throws -> Value
  ) async throws -> Value {
    let session = try await OrderSession(options, timeline, readsAllRecords)
    do {
      let value = try await body(session)
      await session.close()
      return value
    } catch {
      await session.close()
      throw error
    }
  }

  private init(_ options: OrderOptions, _ timeline: Timeline, _ readsAllRecords: Bool) async throws {
    self.options = options
    self.timeline = timeline
    file = try await options.openJournal(readsAllRecords: readsAllRecords)
    let database = options.opensWorkers ? nil : options.database
    worker =
      if let database {
        try await PostgresJournal.open(
          database, cancel: { [taker] _, order in taker.withLock { $0 }?.cancel(order) }
        ).get()
      } else {
        nil
      }
    journal = worker?.journal(of: EmbeddedServer.driver) ?? file?.journal ?? .inMemory()
    recovery = file?.recovery
    loss = file?.unacknowledgedLoss

    client = .curl(options.tls.configuration(maxConcurrentRequests: 16))
    token = TokenSource(options.token) { Future(error: .status(401)) }
    if let address = options.server {
      server = nil
      base = address.url
      channel = options.push
    } else {
      let store = try await options.store()
      let server = try await OrderServer.start(
        EmbeddedServer.configuration(token: options.token, faults: options.faults, seed: options.seed),
        store: store,
        log: { event in TimelineEntry(event).map { timeline.show($0) } })
      timeline.show(
        TimelineEntry("server", "listening on \(server.url.absoluteString), push on port \(server.pushPort)"))
      self.server = server
      base = server.url
      channel = HostAndPort("127.0.0.1", server.pushPort)
    }
  }

  /// All records of the journal, the oldest operation first.
  func records() async throws(JournalError) -> [TakingRecord<String>] {
    guard let file else { return try await journal.openRecords().get() }
    return try await file.records().get()
  }

  /// Creates a taker for the server.
  ///
  /// The taker has the standard policy, which decides the age limit of an intent. Commands pass their time limit with each order.
  ///
  /// - Parameters:
  ///   - worker: Another worker than that of the session.
  ///   - log: Called with the progress of each order. By default, the timeline shows it.
  func makeTaker(
    worker: PostgresJournal? = nil, log: (@Sendable (TakingProgress<String>) -> Void)? = nil
  ) -> OrderTaker<String, String> {
    let (timeline, lastErrors, hasBegun) = (timeline, lastErrors, hasBegun)
    let worker = worker ?? self.worker
    let show = log ?? { timeline.show($0) }
    let push = channel.map { channel in
      let connect = { @Sendable [base, options, token] checkpoint in
        PushClient<String>.live(
          at: StreamAddress(host: channel.host, port: channel.port, usesTLS: base.scheme?.lowercased() == "https"),
          over: .curl(options.tls.configuration(maxConcurrentRequests: 1)), token: token, from: checkpoint,
          log: { timeline.show(TimelineEntry($0)) })
      }
      return worker?.pushClient(of: EmbeddedServer.driver, connect: connect) ?? connect(nil)
    }
    let taker = OrderTaker<String, String>(
      httpClient: .live(at: base, over: client, token: token) { String(decoding: $0, as: UTF8.self) },
      pushClient: push ?? .none, journal: worker?.journal(of: EmbeddedServer.driver) ?? journal,
      deliveringOn: deliveries.context,
      acknowledging: .explicit,
      log: { progress in
        hasBegun.withLock { $0 = true }
        switch progress.step {
        case .noticed(.failed(_, let error)): lastErrors.withLock { $0[Array(progress.order.utf8)] = error }
        case .noticed(.acknowledged): lastErrors.withLock { $0[Array(progress.order.utf8)] = nil }
        default: break
        }
        show(progress)
      })
    self.taker.withLock { $0 = taker }
    return taker
  }

  /// The maximum time in which the owner of an order answers a request to cancel it.
  static let cancelTimeLimit = Duration.seconds(2)

  /// Requests the worker that owns an order to cancel it.
  ///
  /// - Returns: Whether another worker may own the order. Only a database has several workers.
  func requestCancel(_ order: String) -> Bool {
    guard let worker else { return false }
    _ = worker.requestCancel(order, of: EmbeddedServer.driver)
    return !hasBegun.withLock { $0 }
  }

  /// The error of the last failed request of an order, or `nil` if no request failed since the server acknowledged one.
  func lastError(of order: String) -> HTTPError? { lastErrors.withLock { $0[Array(order.utf8)] } }

  private func close() async {
    timeline.end()
    taker.withLock { $0 = nil }
    file?.close()
    try? await worker?.close().get()
    await server?.stop(grace: .zero)
  }

  /// Returns the names of open orders, page by page, up to a count.
  ///
  /// - Parameter deadline: The time limit for all pages. Each page also has a limit of ten seconds.
  func openOrders(upTo count: Int, by deadline: ContinuousClock.Instant? = nil) async throws -> [String] {
    struct Page: Decodable { let orders: [String], next: String? }
    var names: [String] = []
    var next: String?
    // Stop at a cursor that does not advance, and after a fixed number of pages. A page usually has a hundred names.
    for _ in 0..<Self.pages {
      let page: Page = try await ask("orders" + (next.map { "?after=\(escaped($0))" } ?? ""), by: deadline)
      names += page.orders.prefix(count - names.count)
      guard names.count < count, let last = page.next, !last.isEmpty,
        next.map({ $0.utf8.lexicographicallyPrecedes(last.utf8) }) ?? true
      else { break }
      next = last
    }
    return names
  }

  private static let pages = 1_000

  private func ask<Value: Decodable>(_ path: String, by deadline: ContinuousClock.Instant?) async throws -> Value {
    var start = base.absoluteString[...]
    while start.hasSuffix("/") { start = start.dropLast() }
    guard let url = URL(string: "\(start)/\(path)") else {
      throw OrderError(kind: .other, description: "Cannot form a URL for /\(path). Check --server.")
    }
    var request = URLRequest(url: url)
    request.setValue("Bearer \(options.token)", forHTTPHeaderField: "Authorization")
    // The server may simulate faults.
    for attempt in 1... {
      try Task.checkCancellation()
      let left = deadline.map { min(.seconds(10), max(.zero, ContinuousClock.now.duration(to: $0))) } ?? .seconds(10)
      let outcome: Result<(Data, HTTPResponseHead), NetworkError> =
        await client.dataFuture(for: request, within: HTTPLimits(whole: left, bodyBytes: 4 << 20)).get()
      switch outcome {
      case .success((let data, let response)):
        let status = response.statusCode
        if status == 200 {
          do { return try JSONDecoder().decode(Value.self, from: data) } catch {
            throw OrderError.malformedList(at: url)
          }
        }
        if attempt < 8, status >= 500 || status == 429 { continue }
        throw OrderError.status(status, at: url)
      case .failure(let error):
        if attempt < 8, error.kind == .connectionLost || error.kind == .notHTTP { continue }
        // What remained of the time limit after earlier steps explains nothing.
        throw OrderError(
          error.kind == .timedOut && left < .seconds(10)
            ? NetworkError(.timedOut, request: request, phase: error.phase) : error)
      }
    }
    throw OrderError(kind: .unreachable, description: "GET \(url.withoutSecrets): no response. Try again.")
  }

  private func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension OrderOptions {
  /// Opens the store of the embedded server.
  fileprivate func store() async throws -> OrderStore {
    if let database { return try await PostgresOrderStore.open(database).get() }
    return try state.map { try OrderStore.sqlite(at: $0) } ?? .inMemory()
  }
}
