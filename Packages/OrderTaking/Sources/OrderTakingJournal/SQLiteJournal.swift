public import Futures
internal import Dispatch
internal import Foundation
public import OrderTaking
internal import Synchronization

/// The journals of many drivers in an SQLite file, which keeps its records when the process or the machine stops.
///
/// ```swift
/// let file = try SQLiteJournal(at: "takings.sqlite", server: "https://dispatch.example")
/// let taker = OrderTaker(httpClient: http, journal: file.journal(of: "driver 7"))
/// taker.resume()
/// ```
///
/// **Safety.** The future of a write completes after the commit, which waits for the disk (`synchronous=FULL`, with `fullfsync` on Apple's
/// platforms) if one of its records must survive a power failure.
///
/// **Damage.** Each read checks the pages that it uses, and an opening after a crash checks all pages. A damaged file and its log are
/// renamed, the error of kind `damaged` contains the new name, and the next opening starts an empty journal. Take the unfinished orders
/// again: the server has their outcome.
///
/// **Removal.** If the file or its log is removed or replaced, or its log is truncated, while it is open, all later calls fail with
/// the kind `moved`.
///
/// **Cost.** No call waits for the disk. A single thread commits all waiting writes together.
///
/// **One process.** The file is locked until ``close()``, the release of the journal, or the end of the process.
///
/// **Content.** For each order, the idempotency key, the body of its PUT, its last step and its attempts; no token and no details. Only
/// the owner can read a new file.
public final class SQLiteJournal: Sendable {
  let writer: Writer
  private let retention: Duration?
  private let now: @Sendable () -> Duration
  private let claims = OrderClaims()
  private let writeCount = Atomic(0)
  private let subscribers = Subscribers<StorageEvent>()
  private static let batch = 256

  /// Opens a journal, and creates the file if it is missing, but not its folder.
  ///
  /// `server` is the name of the server that has the orders, usually its address, without secrets. The first opening records it:
  /// another server can have an order of the same name, and its responses would be wrong. `retention` is the time from the
  /// start of an operation after which its delivered record is removed, or `nil` to keep all. `now` is the time since 1970.
  ///
  /// - Throws: `JournalError` of kind `inUse` if the journal is already open, `otherServer` if it belongs to another server (see
  ///   ``rebind(at:toServer:)``), `damaged` if SQLite finds damage, `foreign` if the file is not a journal or has other tables (it is
  ///   not changed), `notWritable` if the process may not write it, and `storage` if it cannot be used for another reason.
  public init(
    at path: String, server: String, retention: Duration? = Journal.standardRetention,
    now: @escaping @Sendable () -> Duration = { Moment.current.sinceEpoch }
  ) throws(JournalError) {
    writer = Writer(try JournalFile.open(at: path, server: server))
    (self.retention, self.now) = (retention, now)
    removeDelivered()
  }

  /// Assigns a journal to another name of its server, for example if the server has moved.
  ///
  /// - Throws: The errors of ``init(at:server:retention:now:)``, except for `otherServer`.
  public static func rebind(at path: String, toServer server: String) throws(JournalError) {
    try JournalFile.open(at: path, server: server, isRebinding: true).close()
  }

  /// All drivers of the file, for an `OrderWorker` and for lists.
  public var storage: JournalStorage {
    JournalStorage(
      name: TakingAttempt.processName,
      journal: { self.journal(of: $0) },
      dueDrivers: {
        let notDue = notDue(at: self.now())
        return self.writer.enqueue(.read) { database in
          try database.query("SELECT DISTINCT driver FROM takings WHERE \(isDue) ORDER BY driver", notDue)
            .map { try name($0[0]) }
        }
      },
      list: { query in self.writer.enqueue(.read) { try list(query, in: $0) }.records },
      summary: {
        let now = self.now()
        return self.writer.enqueue(.read) { try summary(at: now, in: $0) }
      },
      requestCancel: { order, driver in
        self.journal(of: driver).requestCancel(order, at: .current(sinceEpoch: self.now())) {
          self.subscribers.send(.cancel(order, driver))
        }
      },
      subscribe: { self.subscribers.add($0) }, close: { self.close() })
  }

  /// Returns the journal of one driver.
  public func journal(of driver: DriverID) -> Journal {
    Journal(
      write: { self.write($0, of: driver) },
      record: { order in
        self.writer.enqueue(.read) { database in
          try database.query(
            "SELECT \(columns) FROM takings WHERE driver = ? AND order_id = ?", [.text(driver.text), .text(order.text)]
          ).first.map { try listed($0).record }
        }
      },
      dueRecords: { limit, underWay in
        let notDue = notDue(at: self.now())
        // A page that has room for the orders under way.
        let page = Database.Value.integer(Int64(min(limit, 1 << 32) + underWay.count))
        return self.writer.enqueue(.read) { database in
          try database.query(
            "SELECT \(columns) FROM takings WHERE driver = ? AND \(isDue) ORDER BY begun_at, id LIMIT ?",
            [.text(driver.text)] + notDue + [page])
        }.records.map(immediateExecutionContext) { listed in
          Array(listed.map(\.record).filter { !underWay.contains($0.intent.order) }.prefix(limit))
        }
      },
      acknowledge: { record in
        var delivered = record
        delivered.isDelivered = true
        let values = [
          dueAt(delivered), .text(driver.text), .text(record.intent.order.text), .text(record.stored),
        ]
        return self.writer.enqueue(.write) { database -> Void in
          try database.query(
            "UPDATE takings SET delivered = 1, due_at = ? WHERE driver = ? AND order_id = ? AND record = ?", values)
        }
      },
      claims: claims.of(driver))
  }

  /// Closes the file after all earlier calls, so that it can be opened again.
  ///
  /// Later calls of its journals fail.
  @discardableResult
  public func close() -> Future<Void, JournalError> { writer.close() }

  private func write(_ record: TakingRecord, of driver: DriverID) -> Future<Void, JournalError> {
    let values: [Database.Value] = [
      .text(driver.text), .text(record.intent.order.text), .text(record.state.rawValue),
      .integer(record.begunAt.wholeNanoseconds), dueAt(record), .integer(record.isDelivered ? 1 : 0),
      .text(record.stored),
    ]
    if writeCount.wrappingAdd(1, ordering: .relaxed).newValue % Self.batch == 0 { removeDelivered() }
    return writer.enqueue(record.checkpoint.mustSurvivePowerFailure ? .syncedWrite : .write) { database -> Void in
      try database.query(
        """
        INSERT INTO takings (driver, order_id, state, begun_at, due_at, delivered, record) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (driver, order_id) DO UPDATE SET state = excluded.state, begun_at = excluded.begun_at,
          due_at = excluded.due_at, delivered = excluded.delivered, record = excluded.record
        """, values)
    }
  }

  private func removeDelivered() {
    guard let limit = retention.map({ (now() - $0).wholeNanoseconds }) else { return }
    writer.enqueue(.write) { database in
      try database.query(
        """
        DELETE FROM takings WHERE id IN (
          SELECT id FROM takings WHERE due_at IS NULL AND begun_at < ? ORDER BY begun_at LIMIT \(Self.batch))
        """, [.integer(limit)])
      return database.changeCount
    }.onSuccess(immediateExecutionContext) { [weak self] count in
      if count == Self.batch { self?.removeDelivered() }
    }
  }
}

// MARK: Rows

private let columns = "driver, order_id, delivered, record"

private func dueAt(_ record: TakingRecord) -> Database.Value {
  record.dueAt.map { .integer($0.wholeNanoseconds) } ?? .null
}

private let isDue = "due_at IS NOT NULL AND due_at NOT BETWEEN ? AND ?"

private func notDue(at now: Duration) -> [Database.Value] {
  let times = TakingRecord.waitingTimes(at: now)
  return [.integer(times.lowerBound.wholeNanoseconds), .integer(times.upperBound.wholeNanoseconds)]
}

extension Future where T == [[Database.Value]], E == JournalError {
  /// Decodes the records of many rows without delaying the next commit.
  fileprivate var records: Future<[ListedRecord], JournalError> {
    tryMap(DispatchQueue.global().context) { rows throws(JournalError) in
      var records: [ListedRecord] = []
      for row in rows { records.append(try listed(row)) }
      return records
    }
  }
}

/// Reads the ``columns``.
private func listed(_ row: [Database.Value]) throws(JournalError) -> ListedRecord {
  let record = try TakingRecord(stored: row[3].text ?? "", of: name(row[1]), isDelivered: row[2] == .integer(1))
  return ListedRecord(driver: try name(row[0]), record: record)
}

private func name(_ value: Database.Value) throws(JournalError) -> Name {
  do throws(InvalidName) { return try Name(value.text ?? "") } catch {
    throw JournalError(.damaged, "Cannot read the journal: \(error) Remove the rows of this name.")
  }
}

/// Reads a page of each state, so that its time does not depend on the number of other records.
private func list(_ query: RecordQuery, in database: Database) throws -> [[Database.Value]] {
  var (conditions, values): ([String], [Database.Value]) = ([], [])
  if let driver = query.driver {
    conditions.append("driver = ?")
    values.append(.text(driver.text))
  }
  if let order = query.order {
    conditions.append("order_id = ?")
    values.append(.text(order.text))
  }
  if let after = query.after {
    conditions.append("(driver, order_id) > (?, ?)")
    values += [.text(after.driver.text), .text(after.order.text)]
  }
  let limit = Int64(max(0, query.limit))
  let states = query.states.map(\.rawValue)
  let pages = (states.isEmpty ? [[]] : states.map { _ in ["state = ?"] }).map { state in
    let conditions = state + conditions
    let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
    return "SELECT * FROM (SELECT \(columns) FROM takings \(condition) ORDER BY driver, order_id LIMIT \(limit))"
  }
  return try database.query(
    pages.joined(separator: " UNION ALL ") + " ORDER BY driver, order_id LIMIT \(limit)",
    states.isEmpty ? values : states.flatMap { [.text($0)] + values })
}

private func summary(at now: Duration, in database: Database) throws -> JournalSummary {
  var summary = JournalSummary()
  for row in try database.query("SELECT state, count(*) FROM takings GROUP BY state") {
    if let state = TakingState(rawValue: row[0].text ?? "") { summary.counts[state] = Int(row[1].integer ?? 0) }
  }
  let due = try database.query(
    "SELECT count(*), min(max(begun_at, due_at)) FROM takings WHERE \(isDue)", notDue(at: now))
  summary.dueCount = Int(due[0][0].integer ?? 0)
  if let first = due[0][1].integer { summary.lag = max(.zero, now - .nanoseconds(first)) }
  return summary
}
