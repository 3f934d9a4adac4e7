import Foundation
import Futures
import OrderTaking
import Testing

@testable import OrderTakingPostgres

@Suite("Migrations of the PostgreSQL journal") struct MigrationTests {
  @Test("migrating twice performs each step once") func twice() async throws {
    let configuration = try await Cluster.shared().createDatabase()
    #expect(try await PostgresJournal.migrate(configuration).get() == 2)
    #expect(try await PostgresJournal.migrate(configuration).get() == 2)
    let numbers = try await Session(configuration).run("SELECT number FROM order_taking_migrations")
    #expect(numbers.map { $0.integer(0) } == [1, 2])
  }

  @Test("concurrent migrations wait for each other") func concurrent() async throws {
    let configuration = try await Cluster.shared().createDatabase()
    let migrations = (0..<4).map { _ in PostgresJournal.migrate(configuration) }
    for migration in migrations { #expect(try await migration.get() == 2) }
  }

  @Test("an old schema is migrated by the missing steps only") func fromAnOldNumber() async throws {
    let configuration = try await Cluster.shared().createDatabase()
    _ = try await PostgresJournal.migrate(configuration).get()
    let session = Session(configuration)
    try await session.run(
      "INSERT INTO takings (driver, order_id, fence, lease_until, due_at) VALUES ('a', '1', 1, now(), now())")
    let pool = PostgresPool(configuration)
    defer { pool.close() }
    var schema = Schema.journal
    schema.steps.append("ALTER TABLE takings ADD COLUMN note text;")
    let check = SchemaCheck(schema, pool: pool)
    #expect(await error(of: check.check())?.description.contains("schema is 2, and 3 is required") == true)
    #expect(try await check.migrate().get() == 3)
    #expect(try await session.run("SELECT order_id FROM takings WHERE note IS NULL").count == 1)
  }

  @Test("a database without a schema is refused, and the error names the function that creates it") func missing()
    async throws
  {
    let configuration = try await Cluster.shared().createDatabase()
    let error = await error(of: PostgresJournal.open(configuration))
    #expect(error?.kind == .notMigrated)
    #expect(error?.description.contains("PostgresJournal.migrate(_:)") == true)
  }

  @Test("a newer schema is refused by the migration and at the start") func newer() async throws {
    let configuration = try await Cluster.shared().createDatabase()
    _ = try await PostgresJournal.migrate(configuration).get()
    try await Session(configuration).run("INSERT INTO order_taking_migrations (number) VALUES (99)")
    #expect(await error(of: PostgresJournal.migrate(configuration))?.kind == .tooNew)
    #expect(await error(of: PostgresJournal.open(configuration))?.kind == .tooNew)
  }

  @Test("the error of a refused migration advises to correct the cause, and the next migration works") func refused()
    async throws
  {
    let configuration = try await Cluster.shared().createDatabase()
    let session = Session(configuration)
    try await session.run("CREATE TABLE takings ()")
    #expect(
      await error(of: PostgresJournal.migrate(configuration))?.description
        == "Cannot migrate the database to schema 1: the server refused a statement: relation \"takings\" already exists "
        + "(SQLSTATE 42P07). Correct the cause, for example a missing permission or another table of this name. Then run the "
        + "migration again.")
    try await session.run("DROP TABLE takings")
    #expect(try await PostgresJournal.migrate(configuration).get() == 2)
  }

  @Test("the error of a table that is missing after the start advises to migrate") func missingTable() async throws {
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    let worker = try await scene.worker()
    try await scene.session.run("DROP TABLE takings")
    let failure = await error(of: worker.journal(of: scene.driver).record("1"))
    #expect(failure?.description.contains("(SQLSTATE 42P01). Migrate the database, or check") == true)
    worker.close()
  }

  @Test("a role whose commits are not durable is refused") func asynchronousCommit() async throws {
    let configuration = try await Cluster.shared().createDatabase()
    _ = try await PostgresJournal.migrate(configuration).get()
    try await Session(configuration).run(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$")
    let error = await error(of: PostgresJournal.open(configuration))
    #expect(error?.description.contains("synchronous_commit is off") == true)
  }

  @Test(
    "a worker whose role cannot use the table of push channels is refused, and the error names the missing permissions")
  func missingPermission() async throws {
    let scene = Scene(try await Cluster.shared().createDatabase())
    _ = try await PostgresJournal.migrate(scene.configuration).get()
    let role = "worker_\(UUID().uuidString.prefix(8).lowercased())"
    try await scene.session.run("CREATE ROLE \(role) LOGIN")
    try await scene.session.run("GRANT SELECT, INSERT, UPDATE, DELETE ON takings TO \(role)")
    try await scene.session.run("GRANT SELECT ON order_taking_migrations TO \(role)")
    try await scene.session.run("GRANT USAGE ON takings_fence TO \(role)")
    var worker = scene.configuration
    worker.connection = worker.connection.replacingOccurrences(of: "user=postgres", with: "user=\(role)")
    let error = await error(of: PostgresJournal.open(worker))
    #expect(
      error?.description
        == "Cannot use the database: the role \(role) may not read and write taking_drivers, so no push would arrive. "
        + "Run GRANT SELECT, INSERT, UPDATE ON taking_drivers TO \(role).")
    try await scene.session.run("GRANT SELECT, INSERT, UPDATE ON taking_drivers TO \(role)")
    try await PostgresJournal.open(worker).get().close().get()
  }
}

func error<Value, Failure>(of future: Future<Value, Failure>) async -> Failure? {
  do throws(Failure) {
    _ = try await future.get()
    return nil
  } catch { return error }
}
