import Foundation
import Futures
import OrderTaking
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("The time limit of a statement", .timeLimit(.minutes(1))) struct StatementTimeLimitTests {
  @Test("a statement that takes too long fails as unknown, and the pool stays usable") func unknown() async throws {
    let pool = try await Pool(size: 4)
    await #expect(throws: PostgresError(effect: .unknown, message: "the time limit of a statement has passed")) {
      try await pool.send("SELECT pg_sleep(60)").get()
    }
    #expect(try await pool.send("SELECT 1::bigint").get().first?.integer(0) == 1)
  }

  @Test("statements that take too long leave the queue of a lock, and their connections do not accumulate")
  func cancelled() async throws {
    let pool = try await Pool(size: 1)
    let blocker = Session(pool.scene.configuration)
    try await blocker.run("BEGIN")
    try await blocker.run("SELECT pg_advisory_xact_lock(hashtext($1))", [.text(pool.role)])
    for _ in 0..<6 {
      let result = await pool.send("SELECT pg_advisory_xact_lock(hashtext('\(pool.role)'))")
      #expect(throws: PostgresError(effect: .unknown, message: "the time limit of a statement has passed")) {
        try result.get()
      }
      // The pool has two connections, and a session can end a little later than its connection.
      #expect(try await pool.sessionCount() <= 3)
    }
    while try await pool.sessionCount() > 0 {}
    try await blocker.run("COMMIT")
  }

  @Test("a pool whose cancellations get no answer opens one additional connection") func unconfirmed() async throws {
    let pool = try await Pool(size: 1)
    // A server that ignores the cancellation.
    let stubborn = """
      DO $$ BEGIN
        LOOP
          BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END;
        END LOOP;
      END $$
      """
    for _ in 0..<2 { await #expect(throws: PostgresError.self) { try await pool.send(stubborn).get() } }
    let refused = await error(of: pool.pool.run(Statement(name: "", sql: "SELECT")))
    #expect(refused == PostgresError(effect: .notSent, message: "no connection was free in time"))
    #expect(try await pool.sessionCount() == 2)
    try await pool.scene.session.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [.text(pool.role)])
    await #expect(throws: Never.self) { try await pool.send("SELECT").get() }
  }
}

/// A pool with a short time limit, and a separate role for its sessions.
private final class Pool: Sendable {
  let scene: Scene
  let role = "limited_\(UUID().uuidString.prefix(8).lowercased())"
  let pool: PostgresPool

  init(size: Int) async throws {
    scene = try await Scene()
    try await scene.session.run("CREATE ROLE \(role) SUPERUSER LOGIN")
    var configuration = scene.configuration
    configuration.connection += " user=\(role)"
    configuration.statementTimeLimit = .milliseconds(200)
    configuration.poolSize = size
    pool = PostgresPool(configuration)
  }

  deinit { pool.close() }

  /// Runs a statement, and repeats it if it was not sent.
  ///
  /// Connecting can take longer than the time limit.
  func send(_ sql: String) async -> Result<[Row], PostgresError> {
    while true {
      let result: Result<[Row], PostgresError>
      do throws(PostgresError) { result = .success(try await pool.run(Statement(name: "", sql: sql)).get()) } catch {
        result = .failure(error)
      }
      if case .failure(let error) = result, error.effect == .notSent { continue }
      return result
    }
  }

  func sessionCount() async throws -> Int64 {
    try await scene.session.run(
      "SELECT count(*) FROM pg_stat_activity WHERE usename = $1", [.text(role)]
    ).first?.integer(0) ?? 0
  }
}
