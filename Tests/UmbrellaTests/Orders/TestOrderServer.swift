import Boundaries
import Foundation
import FuturesNetworking
import FuturesNetworkingCurl
import OrderTakingClients
import OrderTakingServer
import OrderTakingTesting
import ParallelTesting
import TestSupport

/// A real order server whose clock the test advances.
struct TestOrderServer: Sendable {
  let server: OrderServer
  let clock: ManualClock
  /// Its requests, such as `PUT /orders/:id/taking`, and the events `push connected` and `push closed`.
  let requests: AsyncStream<String>

  init(_ offers: OfferedOrder...) async throws {
    let clock = ManualClock()
    let (requests, request) = AsyncStream.makeStream(of: String.self)
    self.clock = clock
    self.requests = requests
    server = try await OrderServer.start(
      .init(orders: offers, tokens: ["ann's": "ann"]), timers: clock.timers,
      observer: Observer { event in
        switch event {
        case .request(let ended): request.yield(ended.route)
        case .connection(let connection):
          request.yield(connection.change == .opened ? "push connected" : "push closed")
        default: break
        }
      })
  }

  /// Waits for a request or an event of the push channel.
  func waitForRequest(_ wanted: String) async {
    for await request in requests where request == wanted { return }
  }

  /// Returns an order taker that is connected to both channels.
  ///
  /// By default it receives decisions only by push.
  ///
  /// - Parameter url: The HTTP server, if it is another server.
  func driver(
    asking url: URL? = nil, journal: Journal = .inMemory(), timers: Timers = .dispatch(),
    policy: TakingPolicy = .pushOnly
  ) async -> OrderTaker<String> {
    let source = TokenSource("ann's") { Future(error: .status(401)) }
    let (connections, connection) = AsyncStream.makeStream(of: ObservedConnection.self)
    let taker = OrderTaker<String>(
      httpClient: .live(at: url ?? server.url, over: .curl(), token: source) { String(decoding: $0, as: UTF8.self) },
      pushClient: .live(
        host: "127.0.0.1", port: server.pushPort, security: .plaintext, over: .curl(), token: source, timers: timers,
        observer: Observer { event in
          if case .connection(let change) = event { connection.yield(change) }
        }),
      journal: journal, policy: policy, timers: timers, deliveringOn: immediateExecutionContext)
    for await connection in connections where connection.change == .opened { break }
    return taker
  }
}

extension TakingPolicy {
  /// Sends each request only once.
  static let pushOnly: TakingPolicy = {
    var policy = TakingPolicy()
    policy.delayBeforeFirstGet = .seconds(3_600)
    (policy.attempts, policy.requestTimeout, policy.deadline) = (nil, nil, nil)
    return policy
  }()
}

extension OrderTaker {
  /// Waits until the operation of an order has ended.
  func end(of order: OrderID) async throws {
    try await poll(while: ordersUnderWay.contains(order))
  }
}
