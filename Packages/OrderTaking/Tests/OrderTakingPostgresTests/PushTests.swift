import Futures
import FuturesNetworking
import FuturesNetworkingCurl
import OrderTaking
import OrderTakingClients
import OrderTakingServer
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Pushes to workers", .timeLimit(.minutes(2))) struct PushTests {
  private final class Channel: Sendable {
    struct Connection: Sendable {
      let worker: String
      let checkpoint: PushCheckpoint?
      let receive: @Sendable (PushedResult<String>) -> Void
      func push(_ order: String, _ result: TakingResult = .accepted, key: IdempotencyKey? = nil, cursor: UInt64) {
        receive(
          PushedResult(
            order: order, key: key, result: result, cursor: cursor,
            checkpoint: PushCheckpoint(epoch: "e", cursor: cursor)))
      }
    }
    let opened = Log<Connection>()
    let closed = Log<String>()

    func client(_ worker: String) -> @Sendable (PushCheckpoint?) -> PushClient<String> {
      { checkpoint in
        PushClient { receive in
          self.opened.append(Connection(worker: worker, checkpoint: checkpoint, receive: receive))
          return { self.closed.append(worker) }
        }
      }
    }
  }

  private struct Subscriber {
    let worker: PostgresJournal
    let pushes = Log<PushedResult<String>>()
    let unsubscribe: @Sendable () -> Void

    init(_ name: String, _ scene: Scene, _ channel: Channel, timers: Timers = .stopped) async throws {
      worker = try await scene.worker(timers: timers)
      unsubscribe = worker.pushClient(of: scene.driver, connect: channel.client(name)).subscribe { [pushes] in
        pushes.append($0)
      }
    }
  }

  /// A scene in a separate database, because a release notifies all workers.
  private func scene() async throws -> Scene {
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    return scene
  }

  private func endDriverLease(_ scene: Scene) async throws {
    try await scene.session.run(
      "UPDATE taking_drivers SET lease_until = now() - interval '1 second' WHERE driver = $1", [.text(scene.driver)])
  }

  private func cursor(_ scene: Scene) async throws -> Int64? {
    try await scene.session.run("SELECT cursor FROM taking_drivers WHERE driver = $1", [.text(scene.driver)]).first?
      .integer(0)
  }

  private func begin(_ order: String, _ worker: PostgresJournal, _ scene: Scene) async throws -> TakingRecord<String> {
    let (journal, record) = (worker.journal(of: scene.driver), record(order))
    _ = try await journal.record(order).get()
    try await journal.write(record).get()
    return record
  }

  @Test("one of two workers connects to the push channel of a driver, and the worker that owns the order gets the push")
  func oneConnection() async throws {
    let (scene, channel) = (try await scene(), Channel())
    let first = try await Subscriber("first", scene, channel)
    let connection = await channel.opened.first(1)[0]
    let second = try await Subscriber("second", scene, channel)
    let one = try await begin("1", first.worker, scene)
    let two = try await begin("2", second.worker, scene)
    connection.push("2", .declined("late"), key: two.intent.key, cursor: 1)
    connection.push("1", cursor: 2)
    #expect(
      await second.pushes.first(1) == [PushedResult(order: "2", key: two.intent.key, result: .declined("late"))])
    #expect(await first.pushes.first(1) == [PushedResult(order: "1", key: one.intent.key, result: .accepted)])
    #expect(channel.opened.all.map(\.worker) == ["first"])
    #expect(try await cursor(scene) == 2)
    for subscriber in [first, second] { try await subscriber.worker.close().get() }
  }

  @Test("a worker takes over the push channel of a worker that was killed, and continues from the stored checkpoint")
  func takeOver() async throws {
    let (scene, channel, clock) = (try await scene(), Channel(), ManualClock())
    let first = try await Subscriber("first", scene, channel)
    let connection = await channel.opened.first(1)[0]
    let second = try await Subscriber("second", scene, channel, timers: clock.timers)
    let order = try await begin("1", second.worker, scene)
    connection.push("1", key: order.intent.key, cursor: 7)
    _ = await second.pushes.first(1)
    first.worker.crash()
    connection.push("1", cursor: 8)
    try await endDriverLease(scene)
    clock.advance(by: scene.configuration.lease / 3)
    let next = await channel.opened.first(2)[1]
    #expect(next.worker == "second" && next.checkpoint == PushCheckpoint(epoch: "e", cursor: 7))
    #expect(await channel.closed.first(1) == ["first"])
    next.push("1", cursor: 8)
    while try await cursor(scene) != 8 {}
    try await second.worker.close().get()
  }

  @Test("a worker whose lease was taken over writes no checkpoint and no push, and disconnects") func oldFence()
    async throws
  {
    let (scene, channel, clock) = (try await scene(), Channel(), ManualClock())
    let first = try await Subscriber("first", scene, channel)
    let connection = await channel.opened.first(1)[0]
    let second = try await Subscriber("second", scene, channel, timers: clock.timers)
    _ = try await begin("1", second.worker, scene)
    try await endDriverLease(scene)
    clock.advance(by: scene.configuration.lease / 3)
    await channel.opened.first(2)[1].push("2", cursor: 3)
    while try await cursor(scene) != 3 {}
    connection.push("1", cursor: 9)
    #expect(await channel.closed.first(1) == ["first"])
    #expect(try await cursor(scene) == 3)
    #expect(try await scene.value("push_key", of: "1")?.text(0) == nil)
    for subscriber in [first, second] { try await subscriber.worker.close().get() }
  }

  @Test("a renewal that finds another owner disconnects") func lostLease() async throws {
    let (scene, channel, clock) = (try await scene(), Channel(), ManualClock())
    let first = try await Subscriber("first", scene, channel, timers: clock.timers)
    _ = await channel.opened.first(1)
    try await scene.session.run(
      "UPDATE taking_drivers SET owner = 'other', fence = nextval('takings_fence') WHERE driver = $1",
      [.text(scene.driver)])
    clock.advance(by: scene.configuration.lease / 3)
    #expect(await channel.closed.first(1) == ["first"])
    try await first.worker.close().get()
  }

  @Test("a push that is stored while no worker owns the order reaches the next owner") func laterOwner() async throws {
    let (scene, channel) = (try await scene(), Channel())
    let first = try await Subscriber("first", scene, channel)
    let connection = await channel.opened.first(1)[0]
    let order = try await begin("1", first.worker, scene)
    first.worker.journal(of: scene.driver).release("1")
    try await scene.wait(until: "owner IS NULL")
    connection.push("1", .declined("late"), cursor: 1)
    while try await cursor(scene) != 1 {}
    let second = try await Subscriber("second", scene, channel)
    #expect(try await second.worker.journal(of: scene.driver).openRecords().get() == [order])
    _ = try await second.worker.journal(of: scene.driver).record("1").get()
    #expect(
      await second.pushes.first(1) == [PushedResult(order: "1", key: order.intent.key, result: .declined("late"))])
    for subscriber in [first, second] { try await subscriber.worker.close().get() }
  }

  @Test("a push with another key, and one to an order without a record, are dropped, and the checkpoint moves on")
  func foreignPush() async throws {
    let (scene, channel) = (try await scene(), Channel())
    let first = try await Subscriber("first", scene, channel)
    let connection = await channel.opened.first(1)[0]
    _ = try await begin("1", first.worker, scene)
    connection.push("1", key: IdempotencyKey(high: 9, low: 9), cursor: 1)
    connection.push("unknown", cursor: 2)
    while try await cursor(scene) != 2 {}
    #expect(try await scene.value("push_key", of: "1")?.text(0) == nil)
    try await first.worker.close().get()
  }

  @Test("a push with a zero byte, which the database refuses, does not stop later pushes") func zeroByte() async throws
  {
    let (scene, channel) = (try await scene(), Channel())
    let first = try await Subscriber("first", scene, channel)
    let connection = await channel.opened.first(1)[0]
    let order = try await begin("1", first.worker, scene)
    connection.push("\0", cursor: 1)
    connection.push("1", .declined("a\0b"), cursor: 2)
    let declined = PushedResult(order: "1", key: order.intent.key, result: .declined("a\u{FFFD}b"))
    #expect(await first.pushes.first(1) == [declined])
    while try await cursor(scene) != 2 {}
    #expect(channel.closed.all.isEmpty)
    try await first.worker.close().get()
  }

  @Test("a closed worker, and one without subscribers, leave the push channel to another worker at once")
  func handOver() async throws {
    let (scene, channel) = (try await scene(), Channel())
    let first = try await Subscriber("first", scene, channel)
    _ = await channel.opened.first(1)
    let second = try await Subscriber("second", scene, channel)
    try await first.worker.close().get()
    #expect(await channel.opened.first(2).map(\.worker) == ["first", "second"])
    let third = try await Subscriber("third", scene, channel)
    second.unsubscribe()
    #expect(await channel.opened.first(3).map(\.worker) == ["first", "second", "third"])
    #expect(channel.closed.all == ["first", "second"])
    for subscriber in [second, third] { try await subscriber.worker.close().get() }
  }

  @Test("a push that is stored after the release of its driver changes nothing, so another worker can connect at once")
  func storedAfterRelease() async throws {
    let scene = try await scene()
    let pool = PostgresPool(scene.configuration)
    defer { pool.close() }
    let (owner, lease, driver) = (Parameter.text("first"), Parameter.integer(30_000_000), Parameter.text(scene.driver))
    let claimed = try await pool.run(.claimDrivers, [owner, lease, .texts([scene.driver]), .integers([nil])]).get()
    let fence = Parameter.integer(try #require(claimed.first?.integer(1)))
    #expect(try await pool.run(.releaseDriver, [owner, driver, fence]).get().count == 1)
    let stored = try await pool.run(
      .storePush,
      [
        owner, lease, driver, fence, .flag(true), .text("e"), .integer(1), .text("1"), .text(""), .flag(false),
        .text(""),
      ]
    ).get()
    #expect(stored.isEmpty)
    #expect(try await cursor(scene) == nil)
    let next = try await pool.run(.claimDrivers, [.text("second"), lease, .texts([scene.driver]), .integers([nil])])
      .get()
    #expect(next.count == 1)
  }

  @Test("an order server gets one push connection of two workers, and a killed worker's successor misses no push")
  func server() async throws {
    let (scene, clock, events) = (try await scene(), ManualClock(), Log<Int>())
    var configuration = OrderServer.Configuration(
      offers: ["1", "2"].map { OfferedOrder($0, decidedAfter: .milliseconds(1)) },
      credentials: ["token": scene.driver])
    configuration.heartbeat = .milliseconds(20)
    let server = try await OrderServer.start(configuration) {
      if case .pushConnected(let connection) = $0 { events.append(connection) }
    }
    let token = TokenSource("token") { Future(error: .status(401)) }
    let notices = Log<UInt64>()
    func taker(_ worker: PostgresJournal) -> OrderTaker<String, String> {
      let push = worker.pushClient(of: scene.driver) { checkpoint in
        .live(
          at: StreamAddress(host: "127.0.0.1", port: server.pushPort, usesTLS: false), over: .curl(), token: token,
          from: checkpoint, log: { if case .subscribed(let cursor) = $0 { notices.append(cursor) } })
      }
      return OrderTaker(
        httpClient: .live(at: server.url, over: .curl(), token: token) { String(decoding: $0, as: UTF8.self) },
        pushClient: push, journal: worker.journal(of: scene.driver),
        // Only a push brings the result.
        policy: TakingPolicy(delayBeforeFirstGet: .seconds(3_600), attempts: nil, deadline: nil),
        deliveringOn: immediateExecutionContext)
    }
    let (first, second) = (try await scene.worker(), try await scene.worker(timers: clock.timers))
    let old = taker(first)
    _ = await notices.first(1)
    let new = taker(second)
    #expect(try await new.take("1").get().order == "1")
    #expect(events.count == 1)
    first.crash()
    let result = new.take("2")
    try await endDriverLease(scene)
    clock.advance(by: scene.configuration.lease / 3)
    #expect(try await result.get().order == "2")
    #expect(events.count == 2)
    #expect(await notices.first(2) == [0, 1])
    withExtendedLifetime(old) {}
    try await second.close().get()
    await server.stop()
  }
}
