internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTakingPostgres
internal import OrderTakingServer
internal import OrderTakingServerPostgres

/// `demo order serve`: runs the server until a signal.
struct ServeCommand: Sendable {
  let options: ServeOptions

  func run() async throws -> ExitCode {
    var configuration = EmbeddedServer.configuration(
      token: options.token, orders: options.orders, faults: options.faults, seed: options.seed)
    (configuration.port, configuration.pushPort) = (Int(options.port), Int(options.pushPort))
    configuration.tls = options.tls
    configuration.tokenLimit = RateLimit(perSecond: 500, burst: 1_000)
    configuration.addressLimit = RateLimit(perSecond: 1_000, burst: 2_000)
    // A slow reader of the output never delays a request: the oldest events wait for it, and later ones are dropped.
    let (events, event) = AsyncStream.makeStream(
      of: TimelineEvent.self, bufferingPolicy: .bufferingOldest(1_000))
    let server = try await OrderServer.start(
      configuration, store: .open(file: options.state?.text, options.database),
      log: { event.yield(TimelineEvent($0)) })
    do {
      // Without the address, a client cannot connect.
      let address = TimelineEvent(
        .server,
        "listening: --server \(server.url.absoluteString) --push 127.0.0.1:\(server.pushPort); press Ctrl-C to stop")
      try options.output.result(address, address.text)
      let timeline = Timeline(options.output)
      for await event in events where !options.output.quiet || event.kind == .failure { timeline.show(event) }
    } catch {
      await server.stop(grace: .zero)
      throw error
    }
    options.output.note("Stopping.")
    await uncancelled { await server.stop() }
    return .interrupted
  }
}

/// The orders and the driver of the server that commands start.
enum EmbeddedServer {
  /// The default bearer token, not a secret because the server listens on this machine only.
  static let token = "driver-1"

  /// The driver of all tokens.
  static let driver = "driver"

  static func configuration(
    token: String, orders: Int = 12, faults: ServerFaults, seed: UInt64
  ) -> OrderServer.Configuration {
    var configuration = OrderServer.Configuration(offers: (1...orders).map(offer), faults: faults, seed: seed)
    configuration.credentials.add(
      token, for: Authorization(driver: driver, scopes: Set(Authorization.Scope.allCases)))
    // Short, so that the demo soon detects a lost push.
    configuration.heartbeat = .seconds(1)
    return configuration
  }

  /// Returns an order with an immediate, a delayed or a declined result.
  private static func offer(_ number: Int) -> OfferedOrder {
    let details = #"{"id":"tour-\#(number)","parcels":\#(number % 5 + 1),"from":"Depot \#(number % 3 + 1)"}"#
    var offer = OfferedOrder("tour-\(number)", details: details)
    switch number % 4 {
    case 1: break
    case 2: offer.decidedAfter = .milliseconds(1_500)
    case 3:
      offer.decidedAfter = .milliseconds(700)
      offer.verdict = .decline(reason: "order_cancelled")
    default: offer.decidedAfter = .milliseconds(300)
    }
    return offer
  }
}

extension OrderStore {
  /// Opens the storage of a server: a database, whose tables are created on first use, a file, or memory.
  static func open(file: String?, _ database: PostgresConfiguration?) async throws -> OrderStore {
    guard let database else { return try file.map { try .sqlite(at: $0) } ?? .inMemory() }
    _ = try await PostgresOrderStore.migrate(database).get()
    return try await PostgresOrderStore.open(database).get()
  }
}
