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
final class OrderSession: Sendable {
  let options: OrderOptions
  let timeline: Timeline
  let file: SQLiteJournal<String>?

  private let base: URL
  private let push: HostAndPort?
  private let server: OrderServer?
  private let client: HTTPClient
  private let token: TokenSource
  private let workers = Locked<[PostgresJournal]>([])
  private let lastErrors = Locked<[OrderKey<String>: HTTPError]>([:])
  /// Serial, so that outcomes are delivered one after the other.
  private let deliveries = DispatchQueue(label: "demo.order.deliveries")

  /// Opens a session, runs `body`, and closes the session, also after an error and in a cancelled task.
  static func with<Value: Sendable>(
    _ options: OrderOptions, _ timeline: Timeline, _ body: (OrderSession) async throws -> Value
  ) async throws -> Value {
    let session = try await OrderSession(options, timeline)
    do {
      let value = try await body(session)
      await session.close()
      return value
    } catch {
      await session.close()
      throw error
    }
  }

  private init(_ options: OrderOptions, _ timeline: Timeline) async throws {
    (self.options, self.timeline) = (options, timeline)
    file = try await Self.openJournal(options)
    client = .curl(Self.configuration(options, connections: 16))
    token = TokenSource(options.token) { Future(error: .status(401)) }
    if let address = options.server {
      (server, base, push) = (nil, address.url, options.push)
      return
    }
    let store = try await OrderStore.open(file: options.journal.map { $0.text + ".server" }, options.database)
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
    guard let path = options.journal?.text else { return nil }
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
    configuration.certificateAuthorities = options.authorities?.text
    return configuration
  }

  /// Creates a taker for the server.
  ///
  /// - Parameter worker: The worker whose journal and push channel it uses instead of those of the session.
  func makeTaker(on worker: PostgresJournal? = nil) -> Taker {
    let (timeline, lastErrors) = (timeline, lastErrors)
    let driver = EmbeddedServer.driver
    return Taker(
      httpClient: .live(at: base, over: client, token: token) { String(decoding: $0, as: UTF8.self) },
      pushClient: worker?.pushClient(of: driver) { [self] in pushClient(from: $0) } ?? pushClient(from: nil),
      journal: worker?.journal(of: driver) ?? file?.journal ?? .inMemory(),
      deliveringOn: deliveries.context, acknowledging: .explicit,
      log: { progress in
        let key = OrderKey(progress.order)
        switch progress.step {
        case .noticed(.failed(_, let error)): lastErrors.withLock { $0[key] = error }
        case .noticed(.acknowledged): lastErrors.withLock { $0[key] = nil }
        default: break
        }
        timeline.show(progress)
      })
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

  /// Removes and returns the error of the last failed request of an order, or `nil` if the server has acknowledged one since.
  func takeLastError(of order: String) -> HTTPError? { lastErrors.withLock { $0.removeValue(forKey: OrderKey(order)) } }

  private func close() async {
    timeline.end()
    file?.close()
    let closed = workers.withLock { $0 }.map { $0.close() }
    await uncancelled { [server] in
      for future in closed { _ = await future.get() as Result<Void, JournalError> }
      await server?.stop(grace: .zero)
    }
  }

  // MARK: The list of open orders

  /// Returns the names of open orders, page by page, up to a count.
  ///
  /// - Parameter deadline: The time limit for all pages. By default, each page has a limit of ten seconds.
  func openOrders(upTo count: Int, by deadline: ContinuousClock.Instant? = nil) async throws -> [String] {
    struct Page: Decodable { let orders: [String], next: String? }
    var names: [String] = []
    var path = "orders"
    // A page usually has a hundred names, so a server with more pages repeats itself.
    for _ in 0..<1_000 where names.count < count {
      let (data, url) = try await get(path, by: deadline)
      guard let page = try? JSONDecoder().decode(Page.self, from: data) else {
        throw DemoError(
          "Cannot GET \(url.absoluteString): the response is not a list of orders.",
          next: "Check the address given with --server.")
      }
      names += page.orders.prefix(count - names.count)
      guard let next = page.next?.addingPercentEncoding(withAllowedCharacters: .alphanumerics), !next.isEmpty else {
        break
      }
      path = "orders?after=\(next)"
    }
    return names
  }

  /// Requests a path, and repeats the request after a fault.
  private func get(_ path: String, by deadline: ContinuousClock.Instant?) async throws -> (Data, URL) {
    guard let url = URL(string: path, relativeTo: base.appending(path: "/"))?.absoluteURL else {
      throw DemoError("Cannot form a URL for /\(path).", next: "Check --server.")
    }
    var request = URLRequest(url: url)
    request.setValue("Bearer \(options.token)", forHTTPHeaderField: "Authorization")
    var attempt = 1
    while true {
      let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) } ?? .seconds(10)
      let answer: Result<(Data, HTTPResponseHead), NetworkError> =
        await client.dataFuture(for: request, within: HTTPLimits(whole: left, bodyBytes: 4 << 20)).get()
      try Task.checkCancellation()
      switch answer {
      case .success((let data, let head)) where head.statusCode == 200: return (data, url)
      case .success((_, let head)):
        if attempt == 8 || head.statusCode < 500 && head.statusCode != 429 {
          throw DemoError(status: head.statusCode, at: url)
        }
      case .failure(let error):
        if attempt == 8 || error.kind != .connectionLost && error.kind != .notHTTP { throw error }
      }
      attempt += 1
    }
  }
}

extension DemoError {
  fileprivate init(status: Int, at url: URL) {
    let next =
      switch status {
      case 401: "Give its token with --token."
      case 429: "The server limits the requests of this client. Try again later."
      case 500...: "Look at the server's log, or try again."
      default: "Check the address given with --server."
      }
    self.init(
      "Cannot GET \(url.absoluteString): the server answered with status \(status) instead of 200.", next: next)
  }
}

/// Runs work that a cancellation of this task does not cancel.
func uncancelled<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
  await Task { await work() }.value
}
