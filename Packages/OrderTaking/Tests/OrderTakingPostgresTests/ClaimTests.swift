import Futures
import OrderTaking
import OrderTakingTesting
import ParallelTesting
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Claims of the PostgreSQL journal") struct ClaimTests {
  @Test("a record is read as it was written") func roundTrip() async throws {
    let scene = try await Scene()
    let (first, second) = (try await scene.worker(), try await scene.worker())
    let journal = first.journal(of: scene.driver)
    #expect(try await journal.record("e\u{301}").get() == nil)
    let written = record("e\u{301}", .ended(.declined(reason: "{\"late\", \\ NULL}")), body: [0, 255, 10])
    try await journal.write(written).get()
    #expect(try await journal.record("e\u{301}").get() == written)
    #expect(try await journal.record("\u{E9}").get() == nil, "texts are compared by their bytes")
    try await first.close().get()
    #expect(try await second.journal(of: scene.driver).record("e\u{301}").get() == written)
    second.close()
  }

  @Test("a worker takes an order over when its lease has ended, and the earlier owner's write changes nothing")
  func takeOver() async throws {
    let scene = try await Scene()
    let (first, second) = (try await scene.worker(), try await scene.worker())
    let (old, new) = (first.journal(of: scene.driver), second.journal(of: scene.driver))
    _ = try await old.record("1").get()
    try await old.write(record("1")).get()
    try await scene.endLeases()
    #expect(try await new.record("1").get() == record("1"))
    let written = record("1", .acknowledged)
    try await new.write(written).get()
    #expect(await error(of: old.write(record("1", .accepted)))?.kind == .fenced)
    #expect(await error(of: old.acknowledge(written))?.kind == .fenced)
    #expect(try await new.record("1").get() == written)
    for worker in [first, second] { worker.close() }
  }

  @Test("an operation that was taken over stays fenced after its worker claims the order again")
  func regained() async throws {
    let scene = try await Scene()
    let (first, second) = (try await scene.worker(), try await scene.worker())
    let (old, new) = (first.journal(of: scene.driver), second.journal(of: scene.driver))
    _ = try await old.record("1").get()
    try await old.write(record("1")).get()
    try await scene.endLeases()
    _ = try await new.record("1").get()
    try await new.write(record("1", key: 2)).get()
    try await scene.endLeases()
    #expect(try await old.record("1").get() == record("1", key: 2))
    #expect(await error(of: old.write(record("1", .accepted)))?.kind == .fenced)
    for worker in [first, second] { worker.close() }
  }

  /// A worker that owns an accepted order, and another one that waits for it.
  private struct Wait {
    let scene: Scene
    let clock = ManualClock()
    let workers: [PostgresJournal]
    let owner: Journal<String>
    let waiting: Future<TakingRecord<String>?, JournalError>

    init() async throws {
      scene = try await Scene()
      workers = [try await scene.worker(), try await scene.worker(timers: clock.timers)]
      owner = workers[0].journal(of: scene.driver)
      _ = try await owner.record("1").get()
      try await owner.write(record("1", .accepted)).get()
      waiting = workers[1].journal(of: scene.driver).record("1")
      // The timers of the lease and of the wait.
      _ = try await clock.sleeps(count: 2)
    }
  }

  @Test("a waiting call gets the record when the owner releases the order") func notified() async throws {
    let wait = try await Wait()
    #expect(!wait.waiting.isCompleted)
    wait.owner.release("1")
    #expect(try await wait.waiting.get() == record("1", .accepted))
    for worker in wait.workers { worker.close() }
  }

  @Test("a waiting call gets the record by polling when the notification is lost") func polled() async throws {
    let wait = try await Wait()
    try await wait.scene.endLeases()
    try await wait.scene.advance(wait.clock, until: wait.waiting)
    #expect(try await wait.waiting.get() == record("1", .accepted))
    for worker in wait.workers { worker.close() }
  }

  @Test("a wait for an order ends with an error at the time limit") func timeLimit() async throws {
    let scene = try await Scene()
    let clock = ManualClock()
    let (first, second) = (try await scene.worker(), try await scene.worker(timers: clock.timers))
    _ = try await first.journal(of: scene.driver).record("1").get()
    let waiting = second.journal(of: scene.driver).record("1")
    _ = try await clock.sleeps(count: 2)
    clock.advance(by: scene.configuration.claimTimeLimit)
    try await scene.advance(clock, until: waiting)
    #expect(await error(of: waiting)?.kind == .inUse)
    for worker in [first, second] { worker.close() }
  }

  @Test("a released placeholder is removed, and an acknowledged record is kept") func release() async throws {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    let ended = record("2", .ended(.cancelled))
    for order in ["1", "2"] { _ = try await journal.record(order).get() }
    try await journal.write(ended).get()
    try await journal.acknowledge(ended).get()
    journal.release("1")
    journal.release("2")
    try await worker.close().get()
    #expect(try await scene.value("1", of: "1") == nil)
    let row = try await scene.value("owner, delivered_at IS NOT NULL", of: "2")
    #expect(row?.text(0) == nil)
    #expect(row?.flag(1) == true)
  }

  @Test("open records are shared by the workers, the oldest first") func openRecords() async throws {
    let scene = try await Scene()
    let (first, second) = (try await scene.worker(), try await scene.worker())
    let journal = first.journal(of: scene.driver)
    for order in ["1", "2", "3"] {
      _ = try await journal.record(order).get()
      var written = record(order, order == "3" ? .ended(.cancelled) : .begun)
      written.begunAt = .seconds(10 - (Int(order) ?? 0))
      try await journal.write(written).get()
    }
    #expect(try await second.journal(of: scene.driver).openRecords().get().isEmpty)
    #expect(try await second.driversToResume().get().contains(scene.driver) == false)
    try await scene.endLeases()
    #expect(try await second.driversToResume().get().contains(scene.driver))
    let opened = try await second.journal(of: scene.driver).openRecords().get()
    #expect(opened.map(\.intent.order) == ["3", "2", "1"])
    #expect(try await first.journal(of: scene.driver).openRecords().get().isEmpty)
    for worker in [first, second] { worker.close() }
  }

  @Test("leases are renewed at a third of their time, and a worker that lost one is fenced") func renewal() async throws
  {
    let scene = try await Scene()
    let clock = ManualClock()
    let worker = try await scene.worker(timers: clock.timers)
    let journal = worker.journal(of: scene.driver)
    for order in ["1", "2"] {
      _ = try await journal.record(order).get()
      try await journal.write(record(order)).get()
    }
    try await scene.endLeases()
    try await scene.session.run(
      "UPDATE takings SET owner = 'other' WHERE driver = $1 AND order_id = '2'", [.text(scene.driver)])
    clock.advance(by: scene.configuration.lease / 3)
    // It is a batch like the renewal, so it runs after the renewal.
    #expect(await error(of: journal.write(record("2", .accepted)))?.kind == .fenced)
    #expect(try await scene.value("lease_until > now()", of: "1")?.flag(0) == true)
    #expect(try await scene.value("lease_until > now()", of: "2")?.flag(0) == false)
    worker.close()
  }

  @Test("the index of due orders changes at the first write after a claim, and not at the next renewal")
  func dueTimes() async throws {
    let scene = try await Scene()
    let clock = ManualClock()
    let (first, second) = (try await scene.worker(), try await scene.worker(timers: clock.timers))
    _ = try await first.journal(of: scene.driver).record("1").get()
    try await first.journal(of: scene.driver).write(record("1")).get()
    try await first.close().get()
    let journal = second.journal(of: scene.driver)
    #expect(try await journal.openRecords().get().count == 1)
    let times = "due_at > now(), due_at = lease_until"
    let claimed = try await scene.value(times, of: "1")
    #expect(claimed.map { [$0.flag(0), $0.flag(1)] } == [false, false])
    try await journal.write(record("1", .acknowledged)).get()
    let written = try await scene.value(times, of: "1")
    #expect(written.map { [$0.flag(0), $0.flag(1)] } == [true, true])
    clock.advance(by: scene.configuration.lease / 3)
    // It is a batch like the renewal, so it runs after the renewal.
    try await journal.write(record("1", .accepted)).get()
    let renewed = try await scene.value(times, of: "1")
    #expect(renewed.map { [$0.flag(0), $0.flag(1)] } == [true, false])
    second.close()
  }

  @Test("after a claim of many due orders, the index soon lists none of them as due") func claimOfMany() async throws {
    let scene = try await Scene()
    try await scene.session.run(
      """
      INSERT INTO takings (driver, order_id, key, change, fence, lease_until, due_at)
      SELECT $1, n, md5($1 || n), 'begun', 0, now(), now() FROM generate_series(1, 256) AS n
      """, [.text(scene.driver)])
    let worker = try await scene.worker()
    #expect(try await worker.journal(of: scene.driver).openRecords().get().count == 256)
    // Without any timer.
    try await scene.wait(until: "due_at > now()")
    worker.close()
  }

  @Test("a claim of due orders reads an index of due orders, and updates no index") func cheapClaim() async throws {
    // In a separate database, because rows of other tests would fill its pages.
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    try await scene.session.run(
      """
      INSERT INTO takings (driver, order_id, key, change, fence, lease_until, due_at)
      SELECT $1, n, n, 'begun', 0, time, time
      FROM generate_series(1, 5000) AS n, LATERAL (SELECT now() + n % 10 * interval '1 hour' AS time) AS times
      """, [.text(scene.driver)])
    try await scene.session.run("ANALYZE takings")
    let parameters: [Parameter] = [
      .text("worker"), .text(scene.driver), .integer(30_000_000), .integer(1_000), .texts([]),
    ]
    let plan = try await scene.session.run("EXPLAIN " + Statement.claimDue.sql, parameters).compactMap { $0.text(0) }
    #expect(plan.contains { $0.contains(/Index Scan (using|on) takings_due/) }, "\(plan)")
    try await scene.session.run("BEGIN")
    #expect(try await scene.session.run(Statement.claimDue.sql, parameters).count == 500)
    let updates = try await scene.session.run(
      "SELECT pg_stat_get_xact_tuples_updated(oid), pg_stat_get_xact_tuples_hot_updated(oid) FROM pg_class WHERE relname = 'takings'"
    ).first
    try await scene.session.run("COMMIT")
    #expect(updates.map { [$0.integer(0), $0.integer(1)] } == [500, 500])
  }

  @Test("a requested cancellation reaches the owner, once") func cancellation() async throws {
    let scene = try await Scene()
    let cancelled = Log<String>()
    let clock = ManualClock()
    let owner = try await scene.worker(timers: clock.timers, cancel: { cancelled.append("\($0) \($1)") })
    let other = try await scene.worker()
    let journal = owner.journal(of: scene.driver)
    _ = try await journal.record("1").get()
    try await journal.write(record("1")).get()
    #expect(try await other.requestCancel("1", of: scene.driver).get())
    #expect(try await other.requestCancel("2", of: scene.driver).get() == false)
    // The first renewal finds the request, unless a notification was faster.
    clock.advance(by: scene.configuration.lease / 3)
    #expect(await cancelled.first(1) == ["\(scene.driver) 1"])
    clock.advance(by: scene.configuration.lease)
    try await journal.write(record("1", .accepted)).get()
    #expect(cancelled.count == 1)
    for worker in [owner, other] { worker.close() }
  }

  @Test("a cancellation that an order has honoured does not cancel a later operation, and a later one is reported")
  func laterCancellation() async throws {
    let scene = try await Scene()
    let cancelled = Log<String>()
    let clock = ManualClock()
    let owner = try await scene.worker(timers: clock.timers, cancel: { cancelled.append("\($0) \($1)") })
    let journal = owner.journal(of: scene.driver)
    _ = try await journal.record("1").get()
    try await journal.write(record("1")).get()
    #expect(try await owner.requestCancel("1", of: scene.driver).get())
    _ = await cancelled.first(1)
    try await journal.write(record("1", .ended(.unknown(.cancelled)))).get()
    #expect(try await owner.requestCancel("1", of: scene.driver).get() == false, "it has ended")
    // The next operation has the same key.
    _ = try await journal.record("1").get()
    try await journal.write(record("1")).get()
    #expect(try await scene.value("cancel_requested", of: "1")?.flag(0) == false)
    #expect(try await owner.requestCancel("1", of: scene.driver).get())
    #expect(await cancelled.first(2).count == 2)
    owner.close()
  }

  @Test("a cancellation requested while no worker owned the order reaches the next owner") func cancelledBeforeClaim()
    async throws
  {
    let scene = try await Scene()
    let cancelled = Log<String>()
    let (first, second) = (
      try await scene.worker(), try await scene.worker(cancel: { cancelled.append("\($0) \($1)") })
    )
    let journal = first.journal(of: scene.driver)
    for order in ["1", "2"] {
      _ = try await journal.record(order).get()
      try await journal.write(record(order)).get()
    }
    try await first.close().get()
    for order in ["1", "2"] { #expect(try await second.requestCancel(order, of: scene.driver).get()) }
    _ = try await second.journal(of: scene.driver).record("1").get()
    #expect(await cancelled.first(1) == ["\(scene.driver) 1"])
    #expect(try await second.journal(of: scene.driver).openRecords().get().map(\.intent.order) == ["2"])
    #expect(await cancelled.first(2) == ["\(scene.driver) 1", "\(scene.driver) 2"])
    second.close()
  }

  @Test("a session that was started with an empty table does not read the whole table when it has grown")
  func growingTable() async throws {
    // In a separate database, which is empty.
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    var configuration = scene.configuration
    configuration.poolSize = 1
    let pool = PostgresPool(configuration)
    defer { pool.close() }
    let (worker, driver, lease) = (Parameter.text("w"), Parameter.text(scene.driver), Parameter.integer(30_000_000))
    let statements: [(Statement, [Parameter])] = [
      (.claimOwned, [worker, driver, .text("7"), lease]),
      (.renew, [worker, lease, .texts([scene.driver]), .texts(["7"]), .integers([0])]),
      (.claimDue, [worker, driver, lease, .integer(256), .texts([])]),
    ]
    // PostgreSQL can keep a plan after five executions.
    for _ in 0..<10 {
      for (statement, parameters) in statements { _ = try await pool.run(statement, parameters).get() }
    }
    func run(_ sql: String) async throws -> [Row] { try await pool.run(Statement(name: "", sql: sql)).get() }
    _ = try await run(
      """
      INSERT INTO takings (driver, order_id, key, change, owner, fence, lease_until, due_at)
      SELECT '\(scene.driver)', n, n, 'begun', 'other', 0, now() + interval '1 hour', now() + interval '1 hour'
      FROM generate_series(1, 5000) AS n
      """)
    _ = try await run("BEGIN")
    for (statement, parameters) in statements { _ = try await pool.run(statement, parameters).get() }
    let counts = try await run(
      """
      SELECT pg_stat_get_xact_tuples_returned('takings'::regclass), sum(pg_stat_get_xact_tuples_fetched('takings'::regclass))::bigint
      """
    ).first
    _ = try await run("ROLLBACK")
    #expect(counts?.integer(0) == 0, "rows read without an index")
    #expect(counts?.integer(1) ?? .max < 10, "rows read through an index")
  }

  @Test("a worker is woken at the start, and when another one releases an unfinished order") func wakeUp() async throws
  {
    // In a separate database, because a release notifies all workers.
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    let wakes = Log<Void>()
    let first = try await scene.worker()
    let second = try await scene.worker(wake: { wakes.append(()) })
    _ = await wakes.first(1)
    let journal = first.journal(of: scene.driver)
    let ended = record("2", .ended(.cancelled))
    for order in ["1", "2"] { _ = try await journal.record(order).get() }
    try await journal.write(record("1")).get()
    try await journal.write(ended).get()
    try await journal.acknowledge(ended).get()
    journal.release("2")
    // The next call of the order follows the release.
    _ = await error(of: journal.acknowledge(ended))
    #expect(wakes.count == 1, "the released order is finished")
    journal.release("1")
    _ = await wakes.first(2)
    for worker in [first, second] { worker.close() }
  }

  @Test("old delivered records of known outcome are removed, and no others") func retention() async throws {
    // In a separate database, because it removes the records of all drivers.
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    let records = [
      record("1", .ended(.cancelled)), record("2", .ended(.unknown(.expired))), record("3", .ended(.cancelled)),
    ]
    for written in records {
      _ = try await journal.record(written.intent.order).get()
      try await journal.write(written).get()
    }
    for written in records.dropLast() { try await journal.acknowledge(written).get() }
    try await worker.close().get()
    let pool = PostgresPool(scene.configuration)
    defer { pool.close() }
    _ = try await pool.run(.remove, [.integer(86_400_000_000_000), .integer(256)]).get()
    let kept = try await scene.session.run(
      "SELECT order_id FROM takings WHERE driver = $1 ORDER BY order_id", [.text(scene.driver)])
    #expect(kept.map { $0.text(0) } == ["2", "3"])
  }
}
