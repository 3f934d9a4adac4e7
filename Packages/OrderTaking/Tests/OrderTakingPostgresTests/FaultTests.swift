import Foundation
import Futures
import OrderTaking
import PostgresTesting
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Faults between a worker and the database", .timeLimit(.minutes(5))) struct FaultTests {
  // MARK: Lost answers

  /// A worker whose write of an accepted record waits for a lock, and then loses its connection.
  private func lostWrite(_ scene: Scene, _ journal: Journal) async throws {
    try await journal.write(record("1")).get()
    let blocker = Session(scene.configuration)
    try await blocker.run("BEGIN")
    try await blocker.run("SELECT FROM takings WHERE driver = $1 FOR UPDATE", [scene.driver.text])
    let write = journal.write(record("1", .accepted))
    let process = try await blocker.process()
    while try await scene.session.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pg_blocking_pids(pid) @> ARRAY[$1::integer]",
      [process]
    ).isEmpty {}
    #expect(await error(of: write)?.kind == .unknownOutcome)
    try await blocker.run("COMMIT")
  }

  @Test("a write whose session is ended has an unknown outcome, and the next read is final") func lostConnection()
    async throws
  {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    try await lostWrite(scene, journal)
    #expect(try await journal.record("1").get() == record("1"))
    try await journal.write(record("1", .acknowledged)).get()
    worker.close()
  }

  @Test("a write after an unknown outcome raises the fence first, so that the lost statement cannot undo it")
  func writeAfterUnknown() async throws {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    try await lostWrite(scene, journal)
    let fence = Int(try await scene.value("fence") ?? "") ?? .max
    try await journal.write(record("1", .acknowledged)).get()
    #expect(Int(try await scene.value("fence") ?? "") ?? 0 > fence)
    worker.close()
  }

  @Test("an idle worker whose sessions were ended connects again, and its next write succeeds") func endedSessions()
    async throws
  {
    let scene = try await Scene()
    let (role, configuration) = try await scene.role()
    let worker = try await scene.worker(configuration)
    let journal = worker.journal(of: scene.driver)
    for order in 0..<20 {
      try await journal.write(record(Name(order))).get()
      try await scene.session.run(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = $1", [role])
    }
    #expect(try await worker.storage.list(RecordQuery(driver: scene.driver)).get().count == 20)
    worker.close()
  }

  @Test("a statement that the server has ended because of a deadlock runs again") func deadlock() async throws {
    let scene = try await Scene(newDatabaseOf: nil)
    try await scene.session.run("CREATE SEQUENCE tries")
    try await scene.session.run(
      """
      CREATE FUNCTION fail_twice() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') < 3 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF;
        RETURN 7;
      END $$
      """)
    #expect(try await scene.session.run("SELECT fail_twice()") == [["7"]])
  }

  // MARK: Time limits

  @Test("statements that take too long are cancelled, and their sessions do not accumulate") func timeLimit()
    async throws
  {
    let scene = try await Scene()
    var (role, configuration) = try await scene.role()
    configuration.statementTimeLimit = .seconds(1)
    configuration.poolSize = 1
    let pool = PostgresPool(configuration, completingOn: DispatchQueue(label: "test"))
    let blocker = Session(scene.configuration)
    try await blocker.run("BEGIN")
    try await blocker.run("SELECT pg_advisory_xact_lock(hashtext($1))", [role])
    for _ in 0..<3 {
      let failure = await error(of: pool.run(Statement("SELECT pg_advisory_xact_lock(hashtext('\(role)'))")))
      #expect(failure?.message == "the time limit of a statement has passed" || failure?.effect == .notSent)
      let sessions = try await scene.session.run("SELECT FROM pg_stat_activity WHERE usename = $1", [role])
      #expect(sessions.count <= 2)
    }
    while try await !scene.session.run("SELECT FROM pg_stat_activity WHERE usename = $1", [role]).isEmpty {}
    try await blocker.run("COMMIT")
    pool.close()
  }

  // MARK: The network

  private struct Wires {
    let scene: Scene
    let proxy: NetworkProxy
    let role: String
    let far: PostgresJournal
    let near: PostgresJournal

    init(within limit: Duration) async throws {
      scene = try await Scene()
      proxy = try NetworkProxy(to: scene.cluster.port)
      var configuration: PostgresConfiguration
      (role, configuration) = try await scene.role(port: proxy.port)
      configuration.statementTimeLimit = limit
      far = try await scene.worker(configuration)
      near = try await scene.worker()
    }

    func sessions() async throws -> Set<String?> {
      Set(try await scene.session.run("SELECT pid FROM pg_stat_activity WHERE usename = $1", [role]).map { $0[0] })
    }

    func end() async {
      for worker in [far, near] { worker.close() }
      await proxy.set(.ended)
    }
  }

  @Test("a write that stays in transit is unknown, and changes nothing when it arrives after another worker's claim")
  func lateArrival() async throws {
    let wires = try await Wires(within: .seconds(6))
    let (far, near) = (wires.far.journal(of: wires.scene.driver), wires.near.journal(of: wires.scene.driver))
    try await far.write(record("1")).get()
    let sessions = try await wires.sessions()
    await wires.proxy.set(.silent)
    #expect(await error(of: far.write(record("1", .acknowledged)))?.kind == .unknownOutcome)
    try await wires.scene.endLeases()
    #expect(try await near.record("1").get() == record("1"))
    try await near.write(record("1", .accepted)).get()
    await wires.proxy.set(.open)
    while try await sessions.isSubset(of: wires.sessions()) {}
    #expect(await error(of: far.write(record("1", .acknowledged)))?.kind == .fenced)
    #expect(try await near.record("1").get() == record("1", .accepted))
    await wires.end()
  }

  @Test(
    "a late answer to a claim of due orders does not replace a later claim of one of them, also if that one was released",
    arguments: [(false, false), (true, false), (true, true)])
  func lateClaim(isReleased: Bool, byAnotherWorker: Bool) async throws {
    let wires = try await Wires(within: .seconds(100))
    let (far, near) = (wires.far.journal(of: wires.scene.driver), wires.near.journal(of: wires.scene.driver))
    try await near.write(record("1")).get()
    near.release("1")
    try await wires.scene.wait(until: "owner IS NULL")
    // Only this answer has the column.
    await wires.proxy.set(.holding("order_id"))
    let due = far.dueRecords(1_000, [])
    try await wires.scene.wait(until: "owner = '\(wires.far.name)'")
    #expect(try await far.record("1").get() == record("1"))
    if isReleased {
      far.release("1")
      try await wires.scene.wait(until: "owner IS NULL")
      if byAnotherWorker { try await near.write(record("1")).get() }
    }
    await wires.proxy.set(.open)
    #expect(try await due.get().isEmpty == !isReleased)
    near.release("1")
    if isReleased {
      try await wires.scene.wait(until: "owner IS NULL")
      #expect(try await far.record("1").get() == record("1"))
    }
    try await far.write(record("1", .acknowledged)).get()
    await wires.end()
  }

  // MARK: Crashes and fail-over

  @Test("a journal survives a crash of the server, and keeps every confirmed write") func crash() async throws {
    let server = try await PostgresCluster()
    try await crash(Scene(server, server.connection()), crash: server.crash, restart: { try await server.start() })
  }

  @Test("with synchronous replication, a journal survives a fail-over, and keeps every confirmed write")
  func failOver() async throws {
    let server = try await PostgresCluster()
    let replica = try await server.makeReplica()
    try await crash(Scene(server, server.connection(or: replica)), crash: server.crash, restart: replica.promote)
  }

  private func crash(_ scene: Scene, crash: () throws -> Void, restart: () async throws -> Void) async throws {
    var scene = scene
    scene.configuration.statementTimeLimit = .seconds(4)
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    let orders = (0..<50).map { Name($0) }
    for order in orders { _ = try await journal.record(order).get() }
    try await journal.write(record("0")).get()
    let writes = orders.dropFirst().map { ($0, journal.write(record($0))) }
    try crash()
    var (confirmed, uncertain): (Set<OrderID>, Set<OrderID>) = (["0"], [])
    for (order, write) in writes {
      switch await error(of: write)?.kind {
      case nil: confirmed.insert(order)
      case .unknownOutcome?: uncertain.insert(order)
      case let kind: #expect(kind == .storage)
      }
    }
    try await restart()
    for order in orders {
      let stored = try await journal.record(order).get()
      if confirmed.contains(order) { #expect(stored == record(order)) }
      if !confirmed.contains(order), !uncertain.contains(order) { #expect(stored == nil) }
      try await journal.write(record(order, .accepted)).get()
    }
    try await worker.close().get()
  }
}
