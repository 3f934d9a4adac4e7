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
  /// Its requests, such as `PUT /orders/7/taking`, and the events `push connected` and `push closed`.
  let requests: AsyncStream<String>

  init(_ offers: OfferedOrder..., faults: ServerFaults = .none) async throws {
    let clock = ManualClock()
    let (requests, request) = AsyncStream.makeStream(of: String.self)
    self.clock = clock
    self.requests = requests
    server = try await OrderServer.start(
      .init(offers: offers, credentials: ["ann's": "ann", "bob's": "bob"], faults: faults), timers: clock.timers
    ) { event in
      switch event {
      case .request(let method, let path, _, _, _): request.yield("\(method) \(path)")
      case .pushConnected: request.yield("push connected")
      case .pushClosed: request.yield("push closed")
      default: break
      }
    }
  }

  /// Waits for a request or an event of the push channel.
  ///
  /// - Returns: The requests and events that came before it.
  @discardableResult
  func waitForRequest(_ wanted: String) async -> [String] {
    var others: [String] = []
    for await request in requests {
      if request == wanted { break }
      others.append(request)
    }
    return others
  }

  /// Returns an order taker that is connected to both channels.
  ///
  /// By default it receives decisions only by push.
  ///
  /// - Parameter url: The HTTP server, if it is another server.
  func driver(
    asking url: URL? = nil, token: String = "ann's", journal: Journal<String> = .inMemory(),
    timers: Timers = .dispatch(),
    policy: TakingPolicy = .pushOnly
  ) async -> OrderTaker<String, String> {
    let source = TokenSource(token) { Future(error: .status(401)) }
    let (notices, notice) = AsyncStream.makeStream(of: PushNotice.self)
    let taker = OrderTaker<String, String>(
      httpClient: .live(at: url ?? server.url, over: .curl(), token: source) { String(decoding: $0, as: UTF8.self) },
      pushClient: .live(
        at: StreamAddress(host: "127.0.0.1", port: server.pushPort, usesTLS: false), over: .curl(), token: source,
        timers: timers
      ) { notice.yield($0) },
      journal: journal, policy: policy, timers: timers, deliveringOn: immediateExecutionContext)
    for await notice in notices {
      if case .subscribed = notice { break }
    }
    return taker
  }
}

extension TakingPolicy {
  /// Sends each request only once.
  static let pushOnly = TakingPolicy(
    delayBeforeFirstGet: .seconds(3_600), attempts: nil, requestTimeout: nil, deadline: nil)
}
