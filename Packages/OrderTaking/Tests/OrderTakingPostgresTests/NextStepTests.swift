import Futures
import OrderTaking
import Testing

@testable import OrderTakingPostgres

@Suite("Next steps in errors of a database", .timeLimit(.minutes(1))) struct NextStepTests {
  @Test("the error of a missing database or role advises to create it", arguments: ["dbname", "user"])
  func missing(keyword: String) async throws {
    var configuration = try await Cluster.shared().configuration()
    configuration.connection += " \(keyword)=absent"
    configuration.statementTimeLimit = .milliseconds(500)
    let text = await error(of: PostgresJournal.open(configuration))?.description ?? ""
    #expect(text.hasSuffix(" \"absent\" does not exist. Create it, or correct the connection string."), "\(text)")
  }

  @Test("the error of a server without TLS advises to correct its settings, or the connection string")
  func withoutTLS() async throws {
    var configuration = try await Cluster.shared().configuration()
    configuration.connection += " host=127.0.0.1 sslmode=require"
    configuration.statementTimeLimit = .milliseconds(500)
    let text = await error(of: PostgresJournal.open(configuration))?.description ?? ""
    #expect(text.hasSuffix(". Correct the settings of the server, or the connection string."), "\(text)")
  }

  @Test("the error of a read-only database advises to connect to the primary server") func readOnly() async throws {
    let configuration = try await Cluster.shared().createDatabase()
    try await Session(configuration).run(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$"
    )
    let text = await error(of: PostgresJournal.migrate(configuration))?.description ?? ""
    #expect(
      text.hasSuffix("(SQLSTATE 25006). Connect to the primary server, or turn default_transaction_read_only off."),
      "\(text)")
  }

  @Test(
    "an error names the next step for its cause",
    arguments: [
      (.notSent, "the connections are closed", "closed. Open the journal or the store again."),
      (
        .notSent, "connection failed: Connection refused; Is the server running?",
        "running? Check the address of the database, and"
      ),
      (.notSent, "out of memory", "memory. Free some memory."),
      (.notSent, "the time limit of a statement has passed", "passed. Check the load and the locks of the server."),
      (.notSent, "invalid sslmode value", "value. Correct the connection string."),
      (
        .refused(sqlstate: "42501"), "permission denied for table takings",
        "(SQLSTATE 42501). Grant the permission to the role."
      ),
      (.refused(sqlstate: "42601"), "syntax error", "(SQLSTATE 42601). Correct the cause, then try again."),
    ] as [(PostgresError.Effect, String, String)])
  func nextStep(effect: PostgresError.Effect, message: String, end: String) {
    let text = PostgresError(effect: effect, message: message).journalError("read the record").description
    #expect(text.hasPrefix("Cannot read the record: ") && text.contains(end), "\(text)")
  }
}
