import Foundation
import Futures
import OrderTaking
import ParallelTesting

@testable import OrderTakingPostgres

struct Scene: Sendable {
  let configuration: PostgresConfiguration
  let driver = UUID().uuidString
  let session: Session

  init(_ cluster: Cluster? = nil) async throws {
    let cluster = if let cluster { cluster } else { try await Cluster.shared() }
    self.init(cluster.configuration())
  }

  init(_ configuration: PostgresConfiguration) {
    self.configuration = configuration
    session = Session(configuration)
  }

  /// Starts a worker whose leases are not renewed, unless its timers advance.
  func worker(
    timers: Timers = .stopped, retention: JournalRetention = .forever,
    cancel: @escaping @Sendable (String, String) -> Void = { _, _ in }, wake: (@Sendable () -> Void)? = nil,
    observer: Observer? = nil
  ) async throws -> PostgresJournal {
    try await PostgresJournal.open(
      configuration, retention: retention, timers: timers, cancel: cancel, wake: wake, observer: observer
    ).get()
  }

  func endLeases(of order: String = "%") async throws {
    try await session.run(
      """
      UPDATE takings SET lease_until = now() - interval '1 second', due_at = now() - interval '1 second'
      WHERE driver = $1 AND order_id LIKE $2
      """,
      [.text(driver), .text(order)])
  }

  /// Reads the rows of the driver until all of them meet a condition.
  func wait(until condition: String) async throws {
    while try await !session.run(
      "SELECT FROM takings WHERE driver = $1 AND NOT (\(condition)) LIMIT 1", [.text(driver)]
    ).isEmpty {}
  }

  /// Advances a worker's clock in steps of the claim interval until a future is completed.
  func advance<Value, Failure>(_ clock: ManualClock, until future: Future<Value, Failure>) async throws {
    while !future.isCompleted {
      clock.advance(by: configuration.claimInterval)
      // Lets the worker's statements run.
      try await session.run("SELECT")
    }
  }

  func value(_ columns: String, of order: String) async throws -> Row? {
    try await session.run(
      "SELECT \(columns) FROM takings WHERE driver = $1 AND order_id = $2", [.text(driver), .text(order)]
    ).first
  }
}

extension Timers {
  static let stopped = Timers(
    schedule: { _, _ in {} }, now: { Moment(sinceEpoch: .seconds(1_000), sinceBoot: .seconds(1_000), boot: 1) })
}

func record(
  _ order: String, _ checkpoint: TakingCheckpoint = .begun, key: UInt64 = 1, body: [UInt8] = []
) -> TakingRecord<String> {
  TakingRecord(
    intent: TakingIntent(
      order: order, key: IdempotencyKey(high: key, low: order.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }), body: body),
    begunAt: .seconds(1_000),
    lastPutAt: Moment(sinceEpoch: .seconds(1_000), sinceBoot: .seconds(5), boot: .max), checkpoint: checkpoint)
}
