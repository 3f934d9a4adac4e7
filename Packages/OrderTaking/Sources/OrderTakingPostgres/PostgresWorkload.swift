public import Futures
public import OrderTaking

/// The unfinished orders of a database, by worker.
public struct PostgresWorkload: Hashable, Sendable {
  public struct Share: Hashable, Sendable {
    /// The worker's name: the host, the process, and a text that is unique in each start.
    public let worker: String
    public let orderCount: Int
    /// The time until the first of its leases ends.
    public let lease: Duration
  }

  public let shares: [Share]
  public let dueCount: Int
  /// How long the first of them has been due; `nil` without such orders.
  public let lag: Duration?
}

extension PostgresJournal {
  /// Returns the unfinished orders of a database, by worker.
  ///
  /// Its cost depends on the number of these orders. Owned orders without a record are not counted.
  public static func workload(_ configuration: PostgresConfiguration) -> Future<PostgresWorkload, JournalError> {
    let pool = PostgresPool(configuration)
    return SchemaCheck(.journal, pool: pool).check().flatMap(immediateExecutionContext) {
      pool.run(.workload).mapError(immediateExecutionContext) { $0.journalError("read the orders of the workers") }
    }.map(immediateExecutionContext) { rows in PostgresWorkload(rows) }
      .andThen(immediateExecutionContext) { _ in pool.close() }
  }
}

extension Statement {
  /// A row that was changed by hand can contain an infinite time, from which PostgreSQL cannot subtract.
  fileprivate static let workload = Statement(
    name: "",
    sql: """
      SELECT CASE WHEN lease_until > now() THEN owner END AS worker, count(*),
        (extract(epoch FROM
          greatest(least(min(lease_until), now() + interval '1000 years'), now() - interval '1000 years') - now()
        ) * 1000000)::bigint
      FROM takings WHERE delivered_at IS NULL AND key IS NOT NULL GROUP BY worker ORDER BY worker
      """)
}

extension PostgresWorkload {
  fileprivate init(_ rows: [Row]) {
    let time = { (row: Row) in Duration.microseconds(row.integer(2) ?? 0) }
    let due = rows.first { $0.text(0) == nil }
    dueCount = Int(due?.integer(1) ?? 0)
    lag = due.map { max(.zero, .zero - time($0)) }
    shares = rows.compactMap { row in
      row.text(0).map { Share(worker: $0, orderCount: Int(row.integer(1) ?? 0), lease: time(row)) }
    }
  }
}
