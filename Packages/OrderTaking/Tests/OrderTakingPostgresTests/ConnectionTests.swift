import Foundation
import Futures
import OrderTaking
import PostgresTesting
import TestSupport
import Testing

@testable import OrderTakingPostgres

@Suite("Errors of connections", .timeLimit(.minutes(5))) struct ConnectionErrorTests {
  /// Connects to the shared server with a changed connection string, and returns the error.
  private func failure(
    _ change: String, through tcp: Bool = false, within limit: Duration = .seconds(2)
  ) async throws -> JournalError? {
    let scene = try await Scene()
    var configuration = tcp ? try await scene.role().1 : scene.configuration
    configuration.connection += " \(change)"
    configuration.statementTimeLimit = limit
    return await error(of: PostgresJournal.open(configuration))
  }

  @Test(
    "a refusal is reported before the time limit, and its next step follows the SQLSTATE",
    arguments: [
      ("dbname=memory", "(SQLSTATE 3D000). Create the database, or correct the connection string."),
      ("dbname=password", "(SQLSTATE 3D000). Create the database"), ("user=ssl", "(SQLSTATE 28000). Check the role"),
      ("password=wrong", "(SQLSTATE 28P01). Check the role, its password file"),
    ])
  func refused(change: String, end: String) async throws {
    let failure = try await failure(change, through: change.hasPrefix("password"), within: .seconds(3_600))
    let text = failure?.description ?? ""
    #expect(text.contains(end), "\(text)")
    #expect(!text.contains("LOCATION"), "\(text)")
  }

  @Test("a missing password is named, also if the database is called memory") func noPassword() async throws {
    let text = try await failure("password='' passfile=/missing dbname=memory", through: true)?.description ?? ""
    #expect(text.contains("Write the password into the password file"), "\(text)")
  }

  @Test(
    "an error before the server answers advises to check address, TLS and server",
    arguments: ["host=/nowhere", "sslmode=require host=127.0.0.1"])
  func notSent(change: String) async throws {
    let text = try await failure(change)?.description ?? ""
    #expect(
      text.hasSuffix("Check the address of the database, its TLS settings, and that the PostgreSQL server runs."),
      "\(text)")
  }

  @Test(
    "each SQLSTATE has a next step",
    arguments: [
      ("42501", JournalError.Kind.notWritable, "Grant the right"), ("25006", .notWritable, "target_session_attrs"),
      ("53100", .storage, "Free disk space"), ("53300", .storage, "max_connections"),
      ("57P03", .storage, "Try again when"),
      ("26000", .storage, "pgbouncer"), ("42P05", .storage, "pgbouncer"), ("08P01", .storage, "pgbouncer"),
      ("42601", .storage, "Correct the cause, then try again."),
    ])
  func nextStep(state: String, kind: JournalError.Kind, step: String) {
    let error = PostgresError(.refused, sqlstate: state, message: "out of memory, password, SSL").journalError("read")
    #expect(error.kind == kind)
    #expect(error.description.hasPrefix("Cannot read: out of memory, password, SSL (SQLSTATE \(state)). "))
    #expect(error.description.contains(step))
  }

  // MARK: Connection strings

  @Test(
    "a connection string that libpq cannot parse, or would take for a name, does not reach an error message",
    arguments: [
      "host=127.0.0.1 password=s3cret 's3cret", "postgresq://ann:s3cret@127.0.0.1/orders",
      " postgres://ann:s3cret@127.0.0.1/orders", "mysql://ann:s3cret@127.0.0.1/orders?a=b",
      "ann:s3cret@127.0.0.1/orders?sslmode=disable", "s3cret@db", "postgres://ann:s3@s3cret@127.0.0.1/orders",
      "postgresql://ann:s3/s3cret@127.0.0.1/orders", "postgres://ann:s3?c@s3cret@127.0.0.1?connect_timeout=1",
      "postgres://a@s3cret@127.0.0.1",
    ])
  func malformed(connection: String) async {
    let failure = await error(of: PostgresJournal.open(PostgresConfiguration(connection)))
    #expect(
      failure?.description.contains("the connection string is malformed. Write postgres://user@host/database") == true)
    #expect(failure?.description.contains("s3cret") == false)
  }

  @Test(
    "a well-formed connection string is accepted",
    arguments: [
      "", "orders", "host=127.0.0.1 password=a://b@c", "postgres://", "postgres:///orders",
      "postgres://ann:s3%40c%2Fret@127.0.0.1/orders?application_name=a@b", "postgres://127.0.0.1/orders?user=a@b",
      "postgresql://ann@127.0.0.1:1,127.0.0.1:2/orders?target_session_attrs=read-write",
      "postgres://ann:s3?cret@127.0.0.1/x",
    ])
  func wellFormed(connection: String) { #expect(!PostgresConfiguration(connection).isMalformed) }

  @Test("the password is in no error of a wrong database, port or password") func password() async throws {
    for change in ["dbname=absent", "port=1", "password=s3cret"] {
      let text = try await failure("\(change)", through: true)?.description ?? "secret"
      #expect(!text.contains("secret") && !text.contains("s3cret"), "\(text)")
    }
  }
}

@Suite("TLS to PostgreSQL", .timeLimit(.minutes(5))) struct TLSTests {
  @Test("a worker verifies the certificate of the server, and stores a record over TLS") func tls() async throws {
    let cluster = try await PostgresCluster()
    let certificate = try await cluster.enableTLS()
    let other = try await cluster.makeCertificate("other")
    _ = try await cluster.query(cluster.connection(), "ALTER ROLE postgres PASSWORD 's3cret'")
    func configuration(_ authority: String, host: String = "localhost") -> PostgresConfiguration {
      var configuration = PostgresConfiguration(
        "postgres://postgres:s3cret@\(host):\(cluster.port)/postgres?hostaddr=127.0.0.1&sslmode=verify-full"
          + "&sslrootcert=\(authority)")
      configuration.statementTimeLimit = .seconds(2)
      return configuration
    }
    for refused in [
      configuration(other), configuration(certificate, host: "db.example"), configuration("/missing.pem"),
    ] {
      let failure = await error(of: PostgresJournal.open(refused))
      #expect(failure?.kind == .storage)
      #expect(failure?.description.contains("certificate") == true, "\(String(describing: failure))")
      #expect(failure?.description.contains("s3cret") == false)
    }
    let worker = try await PostgresJournal.open(configuration(certificate)).get()
    try await worker.journal(of: "driver").write(record("1")).get()
    let sessions = """
      SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name = 'OrderTaking' AND client_addr = '127.0.0.1'
      """
    #expect(try await cluster.query(cluster.connection(), sessions) == ["t"])
    try await worker.close().get()
  }
}
