import Foundation
import Futures
import OrderTaking
import PostgresTesting
import Testing

@testable import OrderTakingPostgres

@Suite("The tables of a journal", .timeLimit(.minutes(5))) struct SchemaTests {
  @Test("the page for administrators contains the statements") func page() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/OrderTakingPostgres")
    let page = try String(contentsOf: sources.appending(path: "OrderTakingPostgres.docc/Running.md"), encoding: .utf8)
    #expect(page.contains(Schema.statements))
  }

  @Test("workers that open an empty database at the same time create the tables once") func concurrent() async throws {
    let scene = try await Scene(newDatabaseOf: nil)
    let openings = (0..<4).map { _ in PostgresJournal.open(scene.configuration) }
    for opening in openings { try await opening.get().close().get() }
    #expect(try await scene.session.run("SELECT FROM takings").isEmpty)
  }

  @Test(
    "a table takings with other columns is foreign, and stays as it is",
    arguments: [
      "CREATE TABLE takings (number integer)", "ALTER TABLE takings ADD COLUMN note text",
      "ALTER TABLE takings DROP COLUMN cancel_requested", "ALTER TABLE takings ALTER COLUMN fence TYPE integer",
    ])
  func foreign(statement: String) async throws {
    let scene = try await Scene(newDatabaseOf: nil)
    if statement.hasPrefix("ALTER") { try await scene.worker().close().get() }
    try await scene.session.run(statement)
    let columns = "SELECT attname FROM pg_attribute WHERE attrelid = 'takings'::regclass ORDER BY attnum"
    let before = try await scene.session.run(columns)
    let failure = await error(of: PostgresJournal.open(scene.configuration))
    #expect(failure?.kind == .foreign)
    #expect(failure?.description.contains("Use another database or schema") == true)
    #expect(try await scene.session.run(columns) == before)
  }

  @Test("a role that may not create tables gets the place of the statements, which an administrator can run")
  func withoutRights() async throws {
    let scene = try await Scene(newDatabaseOf: nil)
    let (role, configuration) = try await scene.role("")
    try await scene.session.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    let failure = await error(of: PostgresJournal.open(configuration))
    #expect(failure?.kind == .notWritable)
    #expect(failure?.description.contains("(SQLSTATE 42501)") == true)
    #expect(
      failure?.description.hasSuffix("an administrator run the statements on the page “Running workers”.") == true)
    try await scene.session.run("DO $$ BEGIN \(Schema.statements) END $$")
    for grant in [
      "SELECT, INSERT, UPDATE, DELETE ON takings", "USAGE ON SEQUENCE takings_fence",
    ] { try await scene.session.run("GRANT \(grant) TO \(role)") }
    let worker = try await PostgresJournal.open(configuration).get()
    try await worker.journal(of: scene.driver).write(record("1")).get()
    try await worker.close().get()
  }

  @Test("a role that may only read lists and counts records, and its writes fail as not writable") func readOnly()
    async throws
  {
    let scene = try await Scene(newDatabaseOf: nil)
    let (role, configuration) = try await scene.role("")
    let writer = try await scene.worker()
    try await writer.journal(of: scene.driver).write(record("1", .ended(.unknown(.expired)))).get()
    try await scene.session.run("GRANT SELECT ON takings TO \(role)")
    let reader = try await PostgresJournal.open(configuration).get()
    #expect(try await reader.storage.summary().get().counts == [.unknown: 1])
    #expect(try await reader.storage.list(RecordQuery(states: [.unknown])).get().count == 1)
    let failure = await error(of: reader.journal(of: scene.driver).write(record("2")))
    #expect(failure?.kind == .notWritable)
    #expect(failure?.description.contains("Grant the right to the role") == true)
    for worker in [reader, writer] { worker.close() }
  }

  @Test("a database whose commits do not survive a crash, or with another encoding, is refused")
  func settings() async throws {
    let scene = try await Scene(newDatabaseOf: nil)
    try await scene.session.run(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$")
    let failure = await error(of: PostgresJournal.open(scene.configuration))
    #expect(failure?.description.contains("synchronous_commit is off") == true)
    let name = "latin_\(scene.driver.text.prefix(8).lowercased())"
    try await scene.session.run("CREATE DATABASE \(name) ENCODING LATIN1 TEMPLATE template0")
    let other = await error(of: PostgresJournal.open(PostgresConfiguration(scene.cluster.connection(to: name))))
    #expect(other?.description.contains("its encoding is LATIN1. Create a database with the encoding UTF8.") == true)
  }

  @Test("a table that is dropped while a worker runs is reported as foreign") func dropped() async throws {
    let scene = try await Scene(newDatabaseOf: nil)
    let worker = try await scene.worker()
    try await scene.session.run("DROP TABLE takings")
    let failure = await error(of: worker.journal(of: scene.driver).record("1"))
    #expect(failure?.kind == .foreign)
    worker.close()
  }
}
