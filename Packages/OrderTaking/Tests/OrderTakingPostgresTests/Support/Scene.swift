import Foundation
import Futures
import OrderTaking
import PostgresTesting
import TestSupport

@testable import OrderTakingPostgres

/// A database with a journal, and a driver that no other test uses.
struct Scene: Sendable {
  let cluster: PostgresCluster
  var configuration: PostgresConfiguration
  let driver: DriverID
  let session: Session

  init() async throws {
    let cluster = try await PostgresCluster.shared()
    self.init(cluster, cluster.connection())
  }

  init(newDatabaseOf cluster: PostgresCluster? = nil) async throws {
    let cluster = if let cluster { cluster } else { try await PostgresCluster.shared() }
    self.init(cluster, try await cluster.createDatabase())
  }

  init(_ cluster: PostgresCluster, _ connection: String) {
    self.cluster = cluster
    driver = DriverID(stringLiteral: UUID().uuidString)
    configuration = PostgresConfiguration(connection)
    configuration.claimInterval = .milliseconds(20)
    // Only tests of the limit depend on it, and not on the load of the machine.
    configuration.statementTimeLimit = .seconds(100)
    session = Session(configuration)
  }

  /// Starts a worker whose leases are not renewed, unless its timers advance.
  func worker(
    _ configuration: PostgresConfiguration? = nil, timers: Timers = .stopped, retention: Duration? = nil
  ) async throws -> PostgresJournal {
    let worker = try await PostgresJournal.open(
      configuration ?? self.configuration, retention: retention, timers: timers
    ).get()
    // The connection for notifications renews the leases, so the test begins after its first event.
    let events = Log<Void>()
    let stop = worker.storage.subscribe { _ in events.append(()) }
    while events.count < 2 { try await session.run("SELECT pg_notify('order_taking', 'due driver/order')") }
    stop()
    return worker
  }

  func workers(_ count: Int) async throws -> [PostgresJournal] {
    var workers: [PostgresJournal] = []
    for _ in 0..<count { workers.append(try await worker()) }
    return workers
  }

  func endLeases(of order: OrderID? = nil) async throws {
    try await change(
      "leased_at = leased_at - interval '1 day', lease_until = now() - interval '1 second'", of: order)
  }

  func change(_ columns: String, of order: OrderID? = nil) async throws {
    try await session.run(
      "UPDATE takings SET \(columns) WHERE driver = $1 AND ($2::text IS NULL OR order_id = $2)",
      [driver.text, order?.text])
  }

  /// Reads the rows of the driver until all of them meet a condition.
  func wait(until condition: String) async throws {
    while try await !session.run(
      "SELECT FROM takings WHERE driver = $1 AND (\(condition)) IS NOT TRUE LIMIT 1", [driver.text]
    ).isEmpty {}
  }

  func value(_ column: String, of order: OrderID = "1") async throws -> String? {
    try await session.run(
      "SELECT \(column) FROM takings WHERE driver = $1 AND order_id = $2", [driver.text, order.text]
    ).first?[0]
  }

  /// Creates a role with a unique name, and returns a configuration that uses it through TCP.
  func role(_ options: String = "SUPERUSER", port: Int? = nil) async throws -> (name: String, PostgresConfiguration) {
    let name = "role_\(UUID().uuidString.prefix(8).lowercased())"
    try await session.run("CREATE ROLE \(name) LOGIN PASSWORD 'secret' \(options)")
    var configuration = configuration
    configuration.connection +=
      " host=127.0.0.1 port=\(port ?? cluster.port) user=\(name) password=secret"
    return (name, configuration)
  }
}

final class Session: Sendable {
  private let pool: PostgresPool

  init(_ configuration: PostgresConfiguration) {
    var configuration = configuration
    configuration.poolSize = 1
    pool = PostgresPool(configuration, completingOn: DispatchQueue(label: "session"))
  }

  deinit { pool.close() }

  @discardableResult
  func run(_ sql: String, _ parameters: [String?] = []) async throws -> [Row] {
    try await pool.run(Statement(sql), parameters).get()
  }

  func process() async throws -> String { try await run("SELECT pg_backend_pid()").first?[0] ?? "" }
}

extension Timers {
  static let stopped = Timers(
    schedule: { _, _ in {} }, now: { Moment(sinceEpoch: .seconds(1_000), sinceBoot: .seconds(1_000), boot: 1) })
}

func record(
  _ order: OrderID, _ checkpoint: TakingCheckpoint = .begun, key: UInt64 = 1, age: Int = 0, isDelivered: Bool = false,
  attempts: [TakingAttempt] = []
) -> TakingRecord {
  TakingRecord(
    intent: TakingIntent(order: order, key: IdempotencyKey(high: key, low: 7), body: [0, 255]),
    begunAt: .seconds(1_000 - age), checkpoint: checkpoint, isDelivered: isDelivered, attempts: attempts)
}

func error<Value, Failure>(of future: Future<Value, Failure>) async -> Failure? {
  do throws(Failure) {
    _ = try await future.get()
    return nil
  } catch { return error }
}
