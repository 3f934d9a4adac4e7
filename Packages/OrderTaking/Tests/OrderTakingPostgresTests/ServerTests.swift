import Foundation
import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import OrderTaking
import OrderTakingClients
import OrderTakingPostgres
import OrderTakingServer
import OrderTakingServerPostgres
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Order servers behind one database", .timeLimit(.minutes(2))) struct ServerTests {
  @Test("a driver can use the HTTP API of one server and the push channel of another") func oneDriver() async throws {
    let database = try await database()
    let offers = [
      OfferedOrder("1", details: "{}"), OfferedOrder("2", decidedAfter: .milliseconds(1)),
      OfferedOrder("3", verdict: .decline(reason: "late"), decidedAfter: .milliseconds(1)),
    ]
    let (first, second) = (try await server(database, offers), try await server(database, offers))
    let driver = Client("ann's", http: first, push: second)
    await driver.notices { if case .subscribed = $0 { true } else { false } }
    #expect(try await driver.taker.take("1").get().details == "{}")
    // Only a push can bring these results.
    #expect(try await driver.taker.take("2").get().order == "2")
    #expect(await error(of: driver.taker.take("3"))?.reason == "late")
    // The other server knows that the driver has the order.
    let other = Client("ann's", http: second, push: first)
    #expect(try await other.taker.take("1").get().details == "{}")
    for server in [first, second] { await server.stop() }
  }

  @Test("a driver gets every result from two servers behind one address") func balancer() async throws {
    let database = try await database()
    let offers = (1...8).map { OfferedOrder("\($0)", decidedAfter: $0 % 2 == 0 ? .milliseconds(1) : .zero) }
    let requests = [Log<Void>(), Log<Void>()]
    var servers: [OrderServer] = []
    for log in requests {
      servers.append(try await server(database, offers) { if case .request = $0 { log.append(()) } })
    }
    let http = try NetworkProxy(to: try #require(servers[0].url.port), try #require(servers[1].url.port))
    let push = try NetworkProxy(to: servers[0].pushPort, servers[1].pushPort)
    let url = try #require(URL(string: "http://127.0.0.1:\(http.port)"))
    let drivers = (0..<2).map { _ in Client("ann's", http: url, push: push.port) }
    for (index, offer) in offers.enumerated() {
      #expect(try await drivers[index / 2 % 2].taker.take(offer.id).get().details == "{}")
    }
    for log in requests { #expect(log.count > 0) }
    for proxy in [http, push] { await proxy.set(.ended) }
    for server in servers { await server.stop() }
  }

  @Test("of two drivers that take one order at two servers, one gets it, and pushes are numbered without gaps")
  func twoDrivers() async throws {
    let database = try await database()
    let offers = (1...20).map { OfferedOrder("\($0)", decidedAfter: $0 % 2 == 0 ? .milliseconds(1) : .zero) }
    let (first, second) = (try await server(database, offers), try await server(database, offers))
    let drivers = [Client("ann's", http: first, push: second), Client("bob's", http: second, push: first)]
    let results = offers.map { offer in drivers.map { $0.taker.take(offer.id) } }
    for result in results {
      let failures = [await error(of: result[0]), await error(of: result[1])]
      #expect(failures.count { $0 == nil } == 1)
      #expect(failures.compactMap { $0?.reason } == ["already_taken"])
    }
    for driver in ["ann", "bob"] {
      let cursors = try await Session(database).run(
        "SELECT cursor FROM server_orders WHERE driver = $1 ORDER BY cursor", [.text(driver)])
      #expect(cursors.map { $0.integer(0) } == (0..<cursors.count).map { Int64($0 + 1) })
    }
    for server in [first, second] { await server.stop() }
  }

  @Test("a server makes the decisions of a server that has ended") func takeOver() async throws {
    let database = try await database()
    let offers = [OfferedOrder("1", decidedAfter: .seconds(3_600))]
    let (first, second) = (try await server(database, offers), try await server(database, offers))
    let driver = Client("ann's", http: first, push: second)
    let result = driver.taker.take("1")
    try await poll(while: await driver.journal.record("1").get()?.checkpoint != .acknowledged)
    await first.stop()
    // As if an hour had passed.
    try await Session(database).run("UPDATE server_orders SET begun_at = 0 WHERE id = '1' AND answer = 'processing'")
    driver.useServer(second)
    #expect(try await result.get().order == "1")
    await second.stop()
  }

  @Test("a heartbeat makes up for a lost notification") func lostNotification() async throws {
    let database = try await database()
    let server = try await server(database, [OfferedOrder("1")])
    let driver = Client("ann's", http: server, push: server)
    await driver.notices { if case .subscribed = $0 { true } else { false } }
    let session = Session(database)
    // Another server would write the same, and then send a notification.
    try await session.run(
      """
      UPDATE server_orders SET driver = 'ann', key = repeat('0', 31) || '1', body_hash = encode(sha256(''), 'hex'),
        begun_at = 1, answer = 'accepted', cursor = 1
      """)
    try await session.run("INSERT INTO server_cursors VALUES ('ann', 1)")
    await driver.notices { $0 == .received(cursor: 1) }
    await server.stop()
  }

  @Test("an undecodable order delays no push and no driver, and is reported once") func undecodable() async throws {
    let database = try await database()
    let events = Log<OrderServerEvent>()
    let server = try await server(database, (1...4).map { OfferedOrder("\($0)") }) { events.append($0) }
    let session = Session(database)
    try await session.run("INSERT INTO server_cursors VALUES ('ann', 3), ('bob', 1)")
    func decide(_ order: String, _ driver: String, cursor: Int64, answer: String = "accepted") async throws {
      try await session.run(
        """
        UPDATE server_orders SET driver = $2, key = repeat('0', 31) || id, body_hash = encode(sha256(''), 'hex'),
          begun_at = 1, answer = $4, cursor = $3 WHERE id = $1
        """, [.text(order), .text(driver), .integer(cursor), .text(answer)])
    }
    try await decide("1", "ann", cursor: 1)
    try await decide("2", "ann", cursor: 2, answer: "banana")
    let (ann, bob) = (Client("ann's", http: server, push: server), Client("bob's", http: server, push: server))
    var lossCount = 0
    func notices(_ client: Client, of cursor: UInt64) async {
      await client.notices { notice in
        if case .lost = notice { lossCount += 1 }
        return notice == .received(cursor: cursor)
      }
    }
    await notices(ann, of: 1)
    // Heartbeats read these.
    try await decide("3", "bob", cursor: 1)
    await notices(bob, of: 1)
    try await decide("4", "ann", cursor: 3)
    await notices(ann, of: 3)
    #expect(lossCount == 0)
    let failures = events.all.compactMap { if case .storingFailed(let error) = $0 { "\(error)" } else { nil } }
    #expect(failures == ["Cannot read order 2: it cannot be decoded. Use the release that wrote it."])
    await server.stop()
  }

  @Test("each server reports the open orders of all servers") func openOrders() async throws {
    let database = try await database()
    let offers = ["1", "2", "3"].map { OfferedOrder($0) }
    let (first, second) = (try await server(database, offers), try await server(database, offers))
    func openCount(_ server: OrderServer) async throws -> Substring? {
      var request = URLRequest(url: server.url.appendingPathComponent("metrics"))
      request.setValue("Bearer monitor's", forHTTPHeaderField: "Authorization")
      let text = try await HTTPClient.curl().dataFuture(for: request).get().0
      return String(decoding: text, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("order_taking_open_orders ") }
    }
    #expect(try await openCount(second) == "order_taking_open_orders 3")
    #expect(try await Client("ann's", http: first, push: first).taker.take("1").get().order == "1")
    #expect(try await openCount(second) == "order_taking_open_orders 2")
    for server in [first, second] { await server.stop() }
  }

  @Test("a role that can only read lists the open orders") func readOnly() async throws {
    let database = try await database()
    let server = try await server(database, ["b", "a", "c"].map { OfferedOrder($0) })
    #expect(try await Client("ann's", http: server, push: server).taker.take("b").get().order == "b")
    let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
    try await Session(database).run("CREATE ROLE \(role) LOGIN")
    try await Session(database).run("GRANT SELECT ON server_orders, order_server_migrations TO \(role)")
    var reader = database
    reader.connection = reader.connection.replacingOccurrences(of: "user=postgres", with: "user=\(role)")
    try #require(reader != database)
    #expect(try await PostgresOrderStore.openOrders(reader, upTo: 10).get() == ["a", "c"])
    #expect(try await PostgresOrderStore.openOrders(reader, upTo: 1).get() == ["a"])
    await server.stop()
  }

  @Test("a server starts with the stored epoch and orders") func restart() async throws {
    let database = try await database()
    let first = try await server(database, [OfferedOrder("1", details: "old")])
    let second = try await server(database, [OfferedOrder("1", details: "new"), OfferedOrder("2")])
    let session = Session(database)
    #expect(try await session.run("SELECT name FROM server_epoch").count == 1)
    let orders = try await session.run("SELECT id, details FROM server_orders ORDER BY id")
    #expect(orders.map { $0.text(1) } == ["old", "{}"])
    for server in [first, second] { await server.stop() }
  }

  @Test("a database without tables is refused, and the error names the function that creates them") func missing()
    async throws
  {
    let database = try await Cluster.shared().createDatabase()
    let error = await error(of: PostgresOrderStore.open(database))
    #expect(error?.kind == .notMigrated)
    #expect(error?.description.contains("PostgresOrderStore.migrate(_:)") == true)
  }

  // MARK: Support

  private func database() async throws -> PostgresConfiguration {
    let database = try await Cluster.shared().createDatabase()
    _ = try await PostgresOrderStore.migrate(database).get()
    return database
  }

  private func server(
    _ database: PostgresConfiguration, _ offers: [OfferedOrder], log: (@Sendable (OrderServerEvent) -> Void)? = nil
  ) async throws -> OrderServer {
    var configuration = OrderServer.Configuration(offers: offers, credentials: ["ann's": "ann", "bob's": "bob"])
    configuration.credentials.add("monitor's", for: Authorization(driver: "monitor", scopes: [.readMetrics]))
    configuration.heartbeat = .milliseconds(20)
    return try await OrderServer.start(configuration, store: PostgresOrderStore.open(database).get(), log: log)
  }
}

/// A driver's app with the HTTP API of one server and the push channel of another.
private struct Client {
  let taker: OrderTaker<String, String>
  let journal = Journal<String>.inMemory()
  private let stream: AsyncStream<PushNotice>
  private let url: Locked<URL>

  init(_ token: String, http: OrderServer, push: OrderServer) {
    self.init(token, http: http.url, push: push.pushPort)
  }

  init(_ token: String, http: URL, push: Int) {
    let source = TokenSource(token) { Future(error: .status(401)) }
    let (stream, notice) = AsyncStream.makeStream(of: PushNotice.self)
    self.stream = stream
    let url = Locked(http)
    self.url = url
    let client = { @Sendable in
      OrderHTTPClient<String, String>.live(at: url.withLock { $0 }, over: .curl(), token: source) {
        String(decoding: $0, as: UTF8.self)
      }
    }
    taker = OrderTaker(
      httpClient: OrderHTTPClient(
        take: { client().take($0) }, takingOperationStatus: { client().takingOperationStatus($0) },
        acceptedOrderDetails: { client().acceptedOrderDetails($0) }),
      pushClient: .live(
        at: StreamAddress(host: "127.0.0.1", port: push, usesTLS: false), over: .curl(), token: source,
        log: { notice.yield($0) }),
      journal: journal,
      // Without GETs, so that only the response to the PUT or a push brings the result.
      policy: TakingPolicy(delayBeforeFirstGet: .seconds(3_600), attempts: nil, deadline: nil),
      deliveringOn: immediateExecutionContext)
  }

  func useServer(_ server: OrderServer) { url.withLock { $0 = server.url } }

  func notices(_ isExpected: (PushNotice) -> Bool) async {
    for await notice in stream where isExpected(notice) { return }
  }
}
