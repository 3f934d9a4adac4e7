import Foundation
import Futures
import OrderTaking
import OrderTakingClients
import OrderTakingServer

/// A driver's app: a taker over live clients of both channels.
struct Driver {
  let taker: OrderTaker<String, String>
  /// What happens on the push channel, kept until it is looked at.
  let notices: AsyncStream<PushNotice>

  init(
    _ server: OrderServer, token: String = "ann's", policy: TakingPolicy = .quick,
    journal: Journal<String> = .inMemory(),
    configuration: PushConfiguration = .quick
  ) {
    let source = TokenSource(token) { Future(error: .status(401)) }
    let (notices, notice) = AsyncStream.makeStream(of: PushNotice.self)
    self.notices = notices
    taker = OrderTaker(
      httpClient: .live(at: server.url, over: .tcp(), token: source) { String(decoding: $0, as: UTF8.self) },
      pushClient: .live(
        at: "127.0.0.1", port: server.pushPort, token: source, configuration: configuration,
        log: { notice.yield($0) }),
      journal: journal, policy: policy, deliveringOn: immediateExecutionContext)
  }

  /// Waits until something has happened on the push channel.
  func sees(_ isIt: (PushNotice) -> Bool) async {
    for await notice in notices where isIt(notice) { return }
  }
}

extension TakingPolicy {
  /// As the standard one, without the patience.
  static let quick = TakingPolicy(
    delayBeforeFirstGet: .milliseconds(50), retries: .exponential(from: .milliseconds(5), atMost: .milliseconds(50)),
    polls: .constant(.milliseconds(20)), attempts: nil, requestTimeout: .seconds(20), budget: .seconds(120))

  /// Only a push can bring a result that the answer to the PUT does not have.
  static let pushOnly = TakingPolicy(
    delayBeforeFirstGet: .seconds(3_600), retries: .constant(.milliseconds(5)), attempts: nil, budget: nil)
}

extension PushConfiguration {
  static let quick: PushConfiguration = {
    var configuration = PushConfiguration()
    configuration.reconnect = .exponential(from: .milliseconds(5), atMost: .milliseconds(50))
    return configuration
  }()
}

extension OrderServer.Configuration {
  /// Ann and Bob may ask; heartbeats are quick, so that what is lost is soon missed.
  static func test(_ offers: [OfferedOrder], faults: ServerFaults = .none, seed: UInt64 = 1) -> Self {
    var configuration = Self(offers: offers, credentials: ["ann's": "ann", "bob's": "bob"], faults: faults, seed: seed)
    configuration.heartbeat = .milliseconds(50)
    return configuration
  }
}
