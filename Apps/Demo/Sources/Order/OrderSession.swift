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
struct OrderSession {
  let options: OrderOptions
  let base: URL
  let timeline: Timeline
  let journal: Journal<String>

  private let token: TokenSource
  private let channel: HostAndPort?
  private let server: OrderServer?
  private let file: SQLiteJournal<String>?
  private let session: URLSession
  /// Where ends are told, one after the other: what is put here afterwards finds them noted in the journal.
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
    if let recovery = file?.recovery { timeline.show(TimelineEntry("journal", "\(recovery)")) }

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
    session = URLSession(configuration: configuration)
  }

  /// A taker of orders from the server.
  ///
  /// - Parameters:
  ///   - policy: Its rules.
  ///   - log: Called with what happens to orders; the time-line shows it when this is left out, and pushes too.
  func makeTaker(
    under policy: TakingPolicy = .standard, log: (@Sendable (TakingProgress<String>) -> Void)? = nil
  ) -> OrderTaker<String, String> {
    let timeline = timeline
    let transport: HTTPTransport = base.scheme?.lowercased() == "http" ? .tcp() : .urlSession(session)
    let push = channel.map { channel in
      PushClient<String>.live(
        at: channel.host, port: channel.port, token: token, log: { timeline.show(TimelineEntry($0)) })
    }
    return OrderTaker(
      httpClient: .live(at: base, over: transport, token: token) { String(decoding: $0, as: UTF8.self) },
      pushClient: push ?? .none, journal: journal, policy: policy, deliveringOn: deliveries.context,
      log: log ?? { timeline.show(TimelineEntry($0), order: $0.order) })
  }

  private func close() async {
    timeline.end()
    session.finishTasksAndInvalidate()
    // Whoever waited goes on before the journal has noted that it was told; a file closed by then would tell it again.
    await withCheckedContinuation { continuation in deliveries.async { continuation.resume() } }
    file?.close()
    await server?.stop(grace: .zero)
  }

  /// The names of the open orders: page after page, until there are as many as are wanted or no more.
  func openOrders(atLeast count: Int) async throws -> [String] {
    struct Page: Decodable { let orders: [String], next: String? }
    var names: [String] = []
    var next: String?
    repeat {
      let page: Page = try await ask("orders" + (next.map { "?after=\(escaped($0))" } ?? ""))
      names += page.orders
      // A server that says the same again would be asked for ever.
      guard let last = page.next, last > next ?? "" else { break }
      next = last
    } while names.count < count
    return names
  }

  private func ask<Value: Decodable>(_ path: String) async throws -> Value {
    var start = base.absoluteString[...]
    while start.hasSuffix("/") { start = start.dropLast() }
    guard let url = URL(string: "\(start)/\(path)") else {
      throw OrderError(kind: .other, description: "\(start)/\(path) is not a URL. Check --server.")
    }
    var request = URLRequest(url: url)
    request.setValue("Bearer \(options.token)", forHTTPHeaderField: "Authorization")
    // Faults are what the demo is about: a list is asked for again, a few times.
    for attempt in 1... {
      let outcome: Result<(Data, URLResponse), NetworkError> =
        await session.dataFuture(for: request, within: .seconds(10)).get()
      switch outcome {
      case .success(let (data, response)):
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status == 200 {
          do { return try JSONDecoder().decode(Value.self, from: data) } catch {
            throw OrderError.malformedList(at: url)
          }
        }
        if attempt < 8, status >= 500 || status == 429 { continue }
        throw OrderError.status(status, at: url)
      case .failure(let error):
        if attempt < 8, error.kind == .connectionLost { continue }
        throw OrderError(error)
      }
    }
    throw OrderError(kind: .unreachable, description: "GET \(url.absoluteString): no answer. Try again.")
  }

  private func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}
