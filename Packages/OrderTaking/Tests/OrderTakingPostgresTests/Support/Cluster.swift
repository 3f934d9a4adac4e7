import Foundation
import Futures
import PostgresTesting

@testable import OrderTakingPostgres

/// A PostgreSQL server with the tables of a journal in the database `postgres`.
struct Cluster: Sendable {
  /// The server that most tests share.
  ///
  /// They use different drivers.
  static func shared() async throws -> Cluster { try await sharedCluster.value }

  private static let sharedCluster = Task {
    let cluster = Cluster(server: try await .shared())
    _ = try await PostgresJournal.migrate(cluster.configuration()).get()
    return cluster
  }

  let server: PostgresCluster

  func configuration() -> PostgresConfiguration { configuration(server.connection()) }

  func createDatabase() async throws -> PostgresConfiguration { configuration(try await server.createDatabase()) }

  private func configuration(_ connection: String) -> PostgresConfiguration {
    var configuration = PostgresConfiguration(connection)
    configuration.claimInterval = .milliseconds(20)
    return configuration
  }
}

final class Session: Sendable {
  private let pool: PostgresPool

  init(_ configuration: PostgresConfiguration) {
    var configuration = configuration
    configuration.poolSize = 1
    pool = PostgresPool(configuration)
  }

  deinit { pool.close() }

  @discardableResult
  func run(_ sql: String, _ parameters: [Parameter] = []) async throws -> [Row] {
    try await pool.run(Statement(name: "", sql: sql), parameters).get()
  }
}
