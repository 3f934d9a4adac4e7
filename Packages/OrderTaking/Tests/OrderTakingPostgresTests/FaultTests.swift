import Foundation
import Futures
import OrderTaking
import PostgresTesting
import Testing

@testable import OrderTakingPostgres

@Suite("Faults of the database") struct FaultTests {
  @Test("a write whose connection is lost has an unknown outcome, and the next read is final") func lostConnection()
    async throws
  {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    _ = try await journal.record("1").get()
    try await journal.write(record("1")).get()
    // A transaction of the test makes the write wait.
    let blocker = Session(scene.configuration)
    try await blocker.run("BEGIN")
    try await blocker.run("SELECT FROM takings WHERE driver = $1 FOR UPDATE", [.text(scene.driver)])
    let write = journal.write(record("1", .accepted))
    try await terminateStatement(blockedBy: blocker, scene)
    #expect(await error(of: write)?.kind == .unknownOutcome)
    try await blocker.run("COMMIT")
    #expect(try await journal.record("1").get() == record("1"))
    // The operation continues.
    try await journal.write(record("1", .acknowledged)).get()
    worker.close()
  }

  @Test("a write after an unknown outcome raises the fence first, so that the lost statement cannot undo it")
  func writeAfterUnknown() async throws {
    let scene = try await Scene()
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    _ = try await journal.record("1").get()
    try await journal.write(record("1")).get()
    let fence = try await scene.value("fence", of: "1")?.integer(0) ?? 0
    let blocker = Session(scene.configuration)
    try await blocker.run("BEGIN")
    try await blocker.run("SELECT FROM takings WHERE driver = $1 FOR UPDATE", [.text(scene.driver)])
    let write = journal.write(record("1", .acknowledged))
    try await terminateStatement(blockedBy: blocker, scene)
    #expect(await error(of: write)?.kind == .unknownOutcome)
    try await blocker.run("COMMIT")
    try await journal.write(record("1", .accepted)).get()
    #expect(try await scene.value("fence", of: "1")?.integer(0) ?? 0 > fence)
    worker.close()
  }

  @Test("a refused statement names its code and certainly has no effect") func refused() async throws {
    let scene = try await Scene()
    let pool = PostgresPool(scene.configuration)
    defer { pool.close() }
    let refused = await error(of: pool.run(Statement(name: "division", sql: "SELECT 1 / 0")))
    #expect(refused?.effect == .refused(sqlstate: "22012"))
    #expect(try await pool.run(Statement(name: "number", sql: "SELECT 2::bigint")).get().first?.integer(0) == 2)
  }

  @Test("a statement that the server has ended because of a deadlock runs again") func deadlock() async throws {
    let scene = Scene(try await Cluster.shared().createDatabase())
    for sql in [
      "CREATE SEQUENCE tries",
      """
      CREATE FUNCTION fail_twice() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') < 3 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF;
        RETURN 7;
      END $$
      """,
    ] { try await scene.session.run(sql) }
    #expect(try await scene.session.run("SELECT fail_twice()").first?.integer(0) == 7)
  }

  @Test("a server that cannot be reached fails a statement as not sent") func unreachable() async throws {
    var configuration = PostgresConfiguration("host=/nowhere dbname=postgres")
    configuration.statementTimeLimit = .milliseconds(50)
    let error = await error(of: PostgresJournal.open(configuration))
    #expect(error?.kind == .storage)
    #expect(error?.description.contains("that the PostgreSQL server runs.") == true)
  }

  @Test("a journal survives a crash of the server, and keeps every confirmed write") func crash() async throws {
    let server = try await PostgresCluster()
    try await crash(Cluster(server: server).configuration(), crash: server.crash, restart: server.start)
  }

  @Test("with synchronous replication, a journal survives a fail-over, and keeps every confirmed write")
  func failOver() async throws {
    let server = try await PostgresCluster()
    let replica = try await server.makeReplica()
    var configuration = PostgresConfiguration(server.connection(or: replica))
    // A write that waits for the replica gets no answer.
    configuration.statementTimeLimit = .seconds(5)
    try await crash(configuration, crash: server.crash, restart: replica.promote)
  }

  private func crash(
    _ configuration: PostgresConfiguration, crash: () throws -> Void, restart: () async throws -> Void
  ) async throws {
    _ = try await PostgresJournal.migrate(configuration).get()
    let scene = Scene(configuration)
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    let orders = (0..<50).map(String.init)
    for order in orders { _ = try await journal.record(order).get() }
    try await journal.write(record("0")).get()
    let writes = orders.dropFirst().map { ($0, journal.write(record($0))) }
    try crash()
    var confirmed: Set<String> = ["0"]
    var uncertain: Set<String> = []
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

  private func terminateStatement(blockedBy blocker: Session, _ scene: Scene) async throws {
    let process = try await blocker.run("SELECT pg_backend_pid()::bigint").first?.integer(0) ?? 0
    while try await scene.session.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pg_blocking_pids(pid) @> ARRAY[$1::integer]",
      [.integer(process)]
    ).isEmpty {}
  }
}
