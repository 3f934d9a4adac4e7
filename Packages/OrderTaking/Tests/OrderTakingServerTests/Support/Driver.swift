import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import LoopbackTesting
import OrderTaking
import OrderTakingClients
import OrderTakingServer

/// A driver's app: a taker with both clients, and what its observer receives.
struct Driver {
  let taker: OrderTaker<String>
  let log = EventLog()

  init(
    _ server: OrderServer, token: String = "ann's", policy: TakingPolicy = .quick, journal: Journal = .inMemory(),
    curl: CurlConfiguration = CurlConfiguration(), configuration: PushConfiguration = .quick
  ) {
    let source = TokenSource(token) { Future(error: .status(401)) }
    taker = OrderTaker(
      httpClient: .live(at: server.url, over: .curl(curl), token: source) { String(decoding: $0, as: UTF8.self) },
      pushClient: .live(
        host: "127.0.0.1", port: server.pushPort, security: server.url.scheme == "https" ? .tls : .plaintext,
        over: .curl(curl), token: source, configuration: configuration, observer: log.observer),
      journal: journal, policy: policy, deliveringOn: immediateExecutionContext, observer: log.observer)
  }
}

final class EventLog: Sendable {
  private let events = Locked<[ObservedEvent]>([])
  private let arrivals: AsyncStream<ObservedEvent>
  private let arrival: AsyncStream<ObservedEvent>.Continuation

  init() { (arrivals, arrival) = AsyncStream.makeStream(of: ObservedEvent.self) }

  var observer: Observer {
    Observer { event in
      self.events.withLock { $0.append(event) }
      self.arrival.yield(event)
    }
  }

  var text: String { events.withLock { $0.map { String(reflecting: $0) }.joined(separator: "\n") } }

  var putCount: Int {
    events.withLock { events in
      events.count { if case .request(let request) = $0 { request.route == "PUT /orders/:id/taking" } else { false } }
    }
  }

  /// Waits for an event; one task may wait at a time.
  func sees(_ isIt: (ObservedEvent) -> Bool) async {
    for await event in arrivals where isIt(event) { return }
  }

  func seesConnection(_ change: ObservedConnection.Change) async {
    await sees { if case .connection(let connection) = $0 { connection.change == change } else { false } }
  }
}

extension TakingPolicy {
  static let quick: TakingPolicy = {
    var policy = TakingPolicy()
    (policy.delayBeforeFirstGet, policy.polls) = (.milliseconds(50), .constant(.milliseconds(50)))
    policy.retries = .exponential(from: .milliseconds(5), atMost: .milliseconds(50))
    (policy.attempts, policy.requestTimeout) = (nil, .seconds(20))
    return policy
  }()

  /// A policy without GETs, so that only a response to the PUT or a push brings the result.
  static let pushOnly: TakingPolicy = {
    var policy = TakingPolicy()
    (policy.delayBeforeFirstGet, policy.retries) = (.seconds(3_600), .constant(.milliseconds(5)))
    (policy.attempts, policy.deadline, policy.requestTimeout) = (nil, nil, nil)
    return policy
  }()
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
  static func test(
    _ orders: OfferedOrder..., faults: ServerFaults = .none, storage: OrderStorage = .memory
  ) -> Self {
    var configuration = Self(
      orders: orders, tokens: ["ann's": "ann", "bob's": "bob"], faults: faults, storage: storage)
    configuration.heartbeat = .milliseconds(50)
    return configuration
  }
}

extension RawClient {
  static func response(
    _ line: String, _ fields: String..., from server: OrderServer
  ) async throws -> String {
    try await response(line, fields: fields, from: server)
  }

  static func response(
    _ line: String, fields: [String], body: String = "", from server: OrderServer
  ) async throws -> String {
    let client = try RawClient(port: server.port)
    let head = ["\(line) HTTP/1.1", "Host: localhost", "Connection: close", "Content-Length: \(body.utf8.count)"]
    await client.send((head + fields).joined(separator: "\r\n") + "\r\n\r\n" + body)
    return await client.rest()
  }

  static func taking(_ order: String, token: String = "ann's", key: UInt64 = 7, from server: OrderServer) async throws
    -> String
  {
    try await response(
      "PUT /orders/\(order)/taking", "Authorization: Bearer \(token)",
      "Idempotency-Key: \(IdempotencyKey(high: 0, low: key))", from: server)
  }

  /// Subscribes to the pushes of a server in plain text, and returns the connection and its first line.
  static func subscription(_ token: String, to server: OrderServer) async throws -> (client: RawClient, line: String?) {
    let client = try RawClient(port: server.pushPort)
    await client.send(#"{"type":"subscribe","token":"\#(token)"}"# + "\n")
    return (client, await client.readLine())
  }

  func rest() async -> String { String(decoding: await readToEnd().bytes, as: UTF8.self) }
}
