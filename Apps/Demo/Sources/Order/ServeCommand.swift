internal import Arguments
internal import Foundation
internal import Loopback
internal import OrderTaking
internal import OrderTakingServer

/// `demo order serve`: runs the server until a signal.
struct ServeCommand: DemoCommand {
  private let configuration: OrderServer.Configuration
  private let output: Output

  static let declaration = Command<any DemoCommand>(
    "serve", abstract: "Run an order server until Ctrl-C.",
    discussion: """
      Requests need the token of --token. The server listens on this machine only.
      """,
    examples: [
      CommandExample(
        "demo order serve --port 7000 --push-port 7001 --faults all",
        "Run a server with simulated faults on fixed ports."),
      CommandExample("demo order serve --tls-cert server.pem --tls-key key.pem", "Use TLS on both ports."),
    ],
    output: ServeCommand.init
  ) {
    Option<UInt16>("port", default: 0, valueName: "number", help: "Port of the HTTP API; 0 for any free port.")
    Option<UInt16>("push-port", default: 0, valueName: "number", help: "Port of the push channel; 0 for any free port.")
    Option<Int>("orders", default: 12, valueName: "count", help: "Number of orders.")
    Option<NonEmptyText?>("state", valueName: "file", help: "Store the orders in this file.", completion: .file)
    Option<NonEmptyText>(
      "token", default: EmbeddedServer.token, valueName: "token", help: "Bearer token of the driver.")
    Option<FaultText?>(
      "faults", valueName: "names",
      help: "Faults to simulate: all, or names such as lost-response,lost-push.")
    CommonOptions.seed
    Option<NonEmptyText?>(
      "tls-cert", valueName: "file",
      help: "Use TLS on both ports, with this PEM certificate for localhost or 127.0.0.1.", completion: .file)
    Option<NonEmptyText?>(
      "tls-key", valueName: "file", help: "The key of --tls-cert, in PEM, without a passphrase.", completion: .file)
    CommonOptions.json
    CommonOptions.quiet
  }

  private init(
    _ port: UInt16, _ pushPort: UInt16, _ orders: Int, _ state: NonEmptyText?,
    _ token: NonEmptyText, _ faults: FaultText?, _ seed: UInt64?, _ certificate: NonEmptyText?, _ key: NonEmptyText?,
    _ json: Bool, _ quiet: Bool
  ) throws(ValidationError) {
    try reject(!(1...1_000_000).contains(orders), "'--orders' must be a number from 1 to 1000000, not \(orders).")
    try reject(faults == nil && seed != nil, "'--seed' can only be used with '--faults'.")
    try reject((certificate == nil) != (key == nil), "'--tls-cert' and '--tls-key' must be used together.")
    var configuration = EmbeddedServer.configuration(
      token: token.text, orders: orders, faults: faults?.faults(seed: seed) ?? .none, file: state?.text)
    (configuration.port, configuration.pushPort) = (Int(port), Int(pushPort))
    if let certificate, let key {
      configuration.tls = TLSIdentity(certificateChainFile: certificate.text, keyFile: key.text)
    }
    self.configuration = configuration
    output = Output(json: json, quiet: quiet)
  }

  func run() async throws -> ExitCode {
    // A slow reader of the output never delays a request: the oldest events wait for it, and later ones are dropped.
    let (events, event) = AsyncStream.makeStream(
      of: TimelineEvent.self, bufferingPolicy: .bufferingOldest(1_000))
    let server = try await OrderServer.start(
      configuration,
      observer: Observer { observed in
        if let shown = TimelineEvent(observed) { event.yield(shown) }
      })
    return try await server.use { server in
      // Without the address, a client cannot connect.
      let address = TimelineEvent(
        .server,
        "listening: --server \(server.url.absoluteString) --push 127.0.0.1:\(server.pushPort); press Ctrl-C to stop")
      try output.result(address, address.text)
      let timeline = Timeline(output)
      for await event in events where !output.quiet || event.kind == .failure { timeline.show(event) }
      output.note("Stopping.")
      await uncancelled { await server.close(grace: .seconds(5)) }
      return .interrupted
    }
  }
}

/// The orders and the driver of the server that commands start.
enum EmbeddedServer {
  /// The default bearer token, not a secret because the server listens on this machine only.
  static let token = NonEmptyText(text: "driver-1")

  /// The driver of all tokens.
  static let driver: DriverID = "driver"

  static func configuration(
    token: String, orders: Int = 12, faults: ServerFaults, file: String?
  ) -> OrderServer.Configuration {
    var configuration = OrderServer.Configuration(
      orders: (1...orders).map(offer), tokens: [token: driver], faults: faults,
      storage: file.map { .file($0) } ?? .memory)
    // Short, so that the demo soon detects a lost push.
    configuration.heartbeat = .seconds(1)
    return configuration
  }

  /// Returns an order with an immediate, a delayed or a declined result.
  private static func offer(_ number: Int) -> OfferedOrder {
    let details = #"{"id":"tour-\#(number)","parcels":\#(number % 5 + 1),"from":"Depot \#(number % 3 + 1)"}"#
    var offer = OfferedOrder(OrderID(stringLiteral: "tour-\(number)"), details: details)
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
