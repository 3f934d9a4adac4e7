import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import OrderTaking
import OrderTakingClients
import OrderTakingServer

struct Driver {
  let taker: OrderTaker<String, String>
  let notices: AsyncStream<PushNotice>
  let steps = StepLog()

  init(
    _ server: OrderServer, token: String = "ann's", policy: TakingPolicy = .quick,
    journal: Journal<String> = .inMemory(),
    configuration: PushConfiguration = .quick
  ) {
    let source = TokenSource(token) { Future(error: .status(401)) }
    let (notices, notice) = AsyncStream.makeStream(of: PushNotice.self)
    self.notices = notices
    taker = OrderTaker(
      httpClient: .live(at: server.url, over: .curl(), token: source) { String(decoding: $0, as: UTF8.self) },
      pushClient: .live(
        at: StreamAddress(host: "127.0.0.1", port: server.pushPort, usesTLS: false), over: .curl(), token: source,
        configuration: configuration,
        log: { notice.yield($0) }),
      journal: journal, policy: policy, deliveringOn: immediateExecutionContext, log: steps.add)
  }

  func sees(_ isIt: (PushNotice) -> Bool) async {
    for await notice in notices where isIt(notice) { return }
  }
}

final class StepLog: Sendable {
  private let steps = Locked<[TakingProgress<String>.Step]>([])

  var putCount: Int {
    steps.withLock { steps in
      steps.count { if case .sent(let request) = $0 { request.kind == .put } else { false } }
    }
  }

  /// The number of results that arrived first as a push.
  var pushedResultCount: Int {
    steps.withLock { steps in steps.count { if case .noticed(.won(_, by: .push)) = $0 { true } else { false } } }
  }

  func count(of outcome: TakingOutcome) -> Int { steps.withLock { steps in steps.count { $0 == .ended(outcome) } } }

  var hasContradiction: Bool {
    steps.withLock { steps in
      steps.contains { if case .noticed(.contradiction) = $0 { true } else { false } }
    }
  }

  @Sendable func add(_ progress: TakingProgress<String>) { steps.withLock { $0.append(progress.step) } }
}

extension TakingPolicy {
  static let quick = TakingPolicy(
    delayBeforeFirstGet: .milliseconds(50), retries: .exponential(from: .milliseconds(5), atMost: .milliseconds(50)),
    polls: .constant(.milliseconds(20)), attempts: nil, requestTimeout: .seconds(20), deadline: .seconds(120))

  /// A policy without GETs, so that only a response to the PUT or a push brings the result.
  static let pushOnly = TakingPolicy(
    delayBeforeFirstGet: .seconds(3_600), retries: .constant(.milliseconds(5)), attempts: nil, deadline: nil)
}

extension PushConfiguration {
  static let quick: PushConfiguration = {
    var configuration = PushConfiguration()
    configuration.reconnect = .exponential(from: .milliseconds(5), atMost: .milliseconds(50))
    return configuration
  }()
}

extension OrderServer.Configuration {
  /// Creates a configuration with the drivers Ann and Bob, and short heartbeats, so that lost pushes are soon detected.
  static func test(_ offers: [OfferedOrder], faults: ServerFaults = .none, seed: UInt64 = 1) -> Self {
    var configuration = Self(offers: offers, credentials: ["ann's": "ann", "bob's": "bob"], faults: faults, seed: seed)
    configuration.heartbeat = .milliseconds(50)
    return configuration
  }
}
