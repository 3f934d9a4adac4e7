import Futures
import OrderTaking
import PostgresTesting
import Testing

@testable import OrderTakingPostgres

@Suite("TLS to PostgreSQL", .timeLimit(.minutes(2))) struct TLSTests {
  private struct Server {
    let cluster: PostgresCluster
    let certificate: String

    init() async throws {
      cluster = try await PostgresCluster()
      certificate = try await cluster.enableTLS()
      _ = try await cluster.query(cluster.connection(), "ALTER ROLE postgres PASSWORD 's3cret'")
    }

    func configuration(authority: String, host: String = "localhost") -> PostgresConfiguration {
      var configuration = PostgresConfiguration(
        "postgres://postgres:s3cret@\(host):\(cluster.port)/postgres?hostaddr=127.0.0.1&sslmode=verify-full"
          + "&sslrootcert=\(authority)")
      // An error ends after the first attempt to connect.
      configuration.statementTimeLimit = .seconds(2)
      return configuration
    }
  }

  @Test("a worker verifies the certificate of the server, and stores a record over TLS") func verified() async throws {
    let server = try await Server()
    let configuration = server.configuration(authority: server.certificate)
    _ = try await PostgresJournal.migrate(configuration).get()
    let scene = Scene(configuration)
    let worker = try await scene.worker()
    let journal = worker.journal(of: scene.driver)
    _ = try await journal.record("1").get()
    try await journal.write(record("1")).get()
    let sessions = try await server.cluster.query(
      server.cluster.connection(),
      """
      SELECT DISTINCT ssl, version LIKE 'TLSv1.%' FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE application_name = 'OrderTaking' AND client_addr = '127.0.0.1'
      """)
    #expect(sessions == ["t|t"])
    try await worker.close().get()
    #expect(
      try await server.cluster.query(server.cluster.connection(), "SELECT change FROM takings WHERE order_id = '1'")
        == ["begun"])
  }

  @Test("a server whose certificate cannot be verified is refused, with an error that names the certificate")
  func refused() async throws {
    let server = try await Server()
    let other = try await server.cluster.makeCertificate("other")
    let configurations = [
      (server.configuration(authority: other), "certificate verify failed"),
      (server.configuration(authority: server.certificate, host: "db.example"), "server certificate for \"localhost\""),
      (server.configuration(authority: "/missing.pem"), "root certificate file \"/missing.pem\" does not exist"),
    ]
    for (configuration, reason) in configurations {
      let error = await error(of: PostgresJournal.open(configuration))
      #expect(error?.kind == .storage)
      #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
      #expect(error?.description.contains("s3cret") == false)
      #expect(error?.description.contains("postgres:") == false)
    }
    #expect(
      try await server.cluster.query(server.cluster.connection(), "SELECT to_regclass('takings') IS NULL") == ["t"])
  }
}
