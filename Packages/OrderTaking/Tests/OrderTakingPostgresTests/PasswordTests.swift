import Foundation
import Futures
import OrderTaking
import PostgresTesting
import Testing

@testable import OrderTakingPostgres

@Suite("Passwords in connection strings", .timeLimit(.minutes(1))) struct PasswordTests {
  @Test(
    "an error contains no password",
    arguments: [
      "host=127.0.0.1 dbname=postgres user=postgres password=s3cret", "postgres://postgres:s3cret@127.0.0.1:99999999/x",
      "host=127.0.0.1 password=s3cret 's3cret",
    ])
  func password(connection: String) async throws {
    let port = try await Cluster.shared().server.port
    var configuration = PostgresConfiguration(
      connection.replacingOccurrences(of: "dbname", with: "port=\(port) dbname"))
    configuration.statementTimeLimit = .milliseconds(500)
    let error = await error(of: PostgresJournal.open(configuration))
    #expect(error != nil)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test(
    "a URL with another scheme is refused, because libpq would take it as the name of a database",
    arguments: [
      "postgresq://ann:s3cret@127.0.0.1/orders", "Postgres://ann:s3cret@127.0.0.1/orders",
      " postgres://ann:s3cret@127.0.0.1/orders", "mysql://ann:s3cret@127.0.0.1/orders?a=b",
    ])
  func otherScheme(connection: String) async {
    let error = await error(of: PostgresJournal.open(PostgresConfiguration(connection)))
    #expect(
      error?.description
        == "Cannot read the schema of the database: the connection string contains :// and does not begin with postgres:// or "
        + "postgresql://. Correct the connection string.")
  }

  @Test(
    "an address without a scheme is refused, because libpq would take it as the name of a database",
    arguments: ["ann:s3cret@127.0.0.1/orders", "ann:s3cret@127.0.0.1/orders?sslmode=disable", "s3cret@db"])
  func noScheme(connection: String) async {
    let error = await error(of: PostgresJournal.open(PostgresConfiguration(connection)))
    #expect(
      error?.description.contains(
        "the connection string contains @ and does not begin with postgres:// or postgresql://.") == true)
    #expect(error?.description.contains("s3cret") == false)
  }

  @Test(
    "a URL with an unescaped @ or / in its user or password is refused",
    arguments: [
      "postgres://ann:s3@cret@127.0.0.1/orders", "postgresql://ann:s3/cret@127.0.0.1/orders",
      "postgres://a@nn@127.0.0.1", "postgres://ann:s3?c@ret@127.0.0.1?connect_timeout=1",
    ])
  func unescaped(connection: String) async {
    let error = await error(of: PostgresJournal.open(PostgresConfiguration(connection)))
    #expect(error?.description.contains("contains an unescaped @ or /; write %40 for @ and %2F for /.") == true)
    for part in ["s3", "cret", "127"] { #expect(error?.description.contains(part) == false) }
  }

  @Test(
    "a well-formed connection string is accepted",
    arguments: [
      "", "orders", "host=127.0.0.1 password=a://b@c", "postgres://", "postgres:///orders",
      "postgres://ann:s3%40c%2Fret@127.0.0.1/orders?application_name=a@b", "postgres://127.0.0.1/orders?user=a@b",
      "postgresql://ann@127.0.0.1:1,127.0.0.1:2/orders?target_session_attrs=read-write",
      "postgres://ann:s3?cret@127.0.0.1/x",
    ])
  func wellFormed(connection: String) {
    #expect(PostgresConfiguration(connection).malformation == nil)
  }

  @Test("a short password is hidden as a whole word, and not inside other words") func short() {
    #expect("connection to e failed for 'e'".hiding(password: "e") == "connection to *** failed for '***'")
    #expect("no s3cret, nos3crets".hiding(password: "s3cret") == "no ***, no***s")
    #expect("no password".hiding(password: "") == "no password")
  }
}
