internal import Dispatch
internal import Foundation
internal import Futures
internal import FuturesNetworking
internal import Loopback
internal import OrderTaking
internal import OrderTakingClients
internal import OrderTakingJournal
internal import OrderTakingServer

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// What `take`, `list`, `resume` and `status` have in common: a server, perhaps its own, the clients of it, and a journal.
struct OrderSession: Sendable {
  let options: OrderOptions
  let base: URL
  let timeline: Timeline
  let journal: Journal<String>
  /// What had to be salvaged of the journal, for commands whose time-line is silent.
  let recovery: JournalRecovery?

  private let token: TokenSource
  private let channel: HostAndPort?
  private let server: OrderServer?
  private let file: SQLiteJournal<String>?
  private let session: URLSession
  /// Where ends are told, one after the other.
  private let deliveries = DispatchQueue(label: "demo.order.deliveries")

  /// Opens what is needed, runs the body, and closes it again however that ends.
  static func with<Value>(
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
    self.options = options
    self.timeline = timeline
    file = try options.journal.map { file throws(JournalError) in try SQLiteJournal<String>(at: file.path) }
    journal = file?.journal ?? .inMemory()
    // A wish that another server has heard is no wish of this one, whatever its order is called.
    try file?.assign(toServer: Self.name(of: options.server))
    recovery = file?.recovery
    if let recovery { timeline.show(TimelineEntry("journal", "\(recovery)")) }

    token = TokenSource(options.token) { Future(error: .status(401)) }
    if let address = options.server {
      server = nil
      base = address.url
      channel = options.push
    } else {
      let store = try options.state.map { try OrderStore.sqlite(at: $0) } ?? .inMemory()
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

    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 16
    // So that a request that lost against a push is ended on the wire.
    configuration.urlCache = nil
    // Nothing here is told apart by cookies.
    configuration.httpCookieStorage = nil
    // More than any order has; the other transport has a limit of its own.
    session = URLSession(configuration: configuration, delegate: TransferGuard(mostBytes: 4 << 20), delegateQueue: nil)
  }

  /// On Linux a URL session ends the process when a connection ends inside the header of an answer.
  private var transport: HTTPTransport { base.scheme?.lowercased() == "http" ? .tcp() : .urlSession(session) }

  /// What names a server in a journal.
  private static func name(of server: ServerAddress?) -> String {
    server?.name ?? "the server that demo order starts itself"
  }

  /// Notes that the end of an order was told: called when it is written, so that what could not be written is told again.
  ///
  /// - Parameter failure: What was told; `nil` when the order is ours. An older end that the journal has was not told by that.
  func noteTold(_ order: String, failure: OrderTakingFailure.Kind?) {
    guard let record = try? journal.record(order), case .ended(let outcome) = record.change,
      OrderTakingFailure(outcome)?.kind == failure
    else { return }
    try? journal.noteDelivery(record)
  }

  /// The journal, as the taker has it: what was told only the command knows.
  private var journalOfTaker: Journal<String> {
    Journal(
      write: journal.write, record: journal.record, records: journal.records, noteDelivery: { _ in },
      forget: journal.forget)
  }

  /// A taker of orders from the server.
  ///
  /// By its policy, the standard one, is judged how old a wish is; how long to wait each command says of each order.
  ///
  /// - Parameter log: Called with what happens to orders; the time-line shows it when this is left out, and pushes too.
  func makeTaker(log: (@Sendable (TakingProgress<String>) -> Void)? = nil) -> OrderTaker<String, String> {
    let timeline = timeline
    let push = channel.map { channel in
      PushClient<String>.live(
        at: channel.host, port: channel.port, token: token, log: { timeline.show(TimelineEntry($0)) })
    }
    return OrderTaker(
      httpClient: .live(at: base, over: transport, token: token) { String(decoding: $0, as: UTF8.self) },
      pushClient: push ?? .none, journal: journalOfTaker, deliveringOn: deliveries.context,
      log: log ?? { timeline.show($0) })
  }

  private func close() async {
    timeline.end()
    session.finishTasksAndInvalidate()
    file?.close()
    await server?.stop(grace: .zero)
  }

  /// The names of the open orders: page after page, until there are as many as are wanted or no more.
  ///
  /// - Parameter deadline: When to have asked for all of them; each page has ten seconds at most.
  func openOrders(upTo count: Int, by deadline: ContinuousClock.Instant? = nil) async throws -> [String] {
    struct Page: Decodable { let orders: [String], next: String? }
    var names: [String] = []
    var next: String?
    // A server that says the same again, or nothing, would be asked for ever; a page has a hundred names as a rule.
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

  /// How many pages of a list are asked for.
  private static let pages = 1_000

  private func ask<Value: Decodable>(_ path: String, by deadline: ContinuousClock.Instant?) async throws -> Value {
    var start = base.absoluteString[...]
    while start.hasSuffix("/") { start = start.dropLast() }
    guard let url = URL(string: "\(start)/\(path)") else {
      throw OrderError(kind: .other, description: "/\(path) is no URL there. Check --server.")
    }
    let request = HTTPTransport.Request(
      method: "GET", url: url, headers: [("Authorization", "Bearer \(options.token)")])
    // Faults are what the demo is about: a list is asked for again, a few times.
    for attempt in 1... {
      try Task.checkCancellation()
      let left = deadline.map { min(.seconds(10), max(.zero, ContinuousClock.now.duration(to: $0))) } ?? .seconds(10)
      // Once the time is over nobody is asked any more.
      let outcome: Result<HTTPTransport.Response, HTTPError> =
        left > .zero
        ? await transport.send(request).timeout(after: left, failingWith: .timedOut).get() : .failure(.timedOut)
      switch outcome {
      case .success(let response):
        let (status, data) = (response.status, response.body)
        if status == 200 {
          do { return try JSONDecoder().decode(Value.self, from: data) } catch {
            throw OrderError.malformedList(at: url)
          }
        }
        if attempt < 8, status >= 500 || status == 429 { continue }
        throw OrderError.status(status, at: url)
      case .failure(let error):
        if attempt < 8, error.kind == .transport(mayHaveReachedServer: true) { continue }
        throw OrderError(error, at: url)
      }
    }
    throw OrderError(kind: .unreachable, description: "GET \(url.withoutSecrets): no answer. Try again.")
  }

  private func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
