public import Futures
public import OrderTaking

/// A worker on a PostgreSQL database that many workers share, on any number of machines.
///
/// ```swift
/// let journal = try await PostgresJournal.open(PostgresConfiguration("postgres://db.example/orders")).get()
/// let taker = OrderTaker(httpClient: http, journal: journal.journal(of: "driver 7"))
/// ```
///
/// **Guarantee.** Each claim of an order raises its fence, and a write with an old fence changes nothing and fails with
/// `JournalError.Kind.fenced`. A PUT of a worker that was paused for longer than its lease may still leave; it has the same idempotency
/// key. Results are delivered at least once, and exactly once with ``claimResult(of:driver:in:)``.
///
/// **Leases.** A worker owns an order for ``PostgresConfiguration/lease``, and renews this lease each third of that time. The
/// database's clock alone decides whether a lease has ended. A lease that would last for more than twice its time, because that clock
/// was set back, has ended too.
///
/// **Cost.** Each connection has a thread. Writes that wait at the same time share a commit.
///
/// **Threads.** You can use every member from any thread. Futures complete on a thread of this worker.
public final class PostgresJournal: Sendable {
  let leases: Leases

  private init(_ leases: Leases) { self.leases = leases }

  /// Connects to a database, creates the tables if they are missing, and starts a worker.
  ///
  /// A role that may only read can list records and count them. Its other calls fail with the kind `notWritable`.
  ///
  /// - Returns: A future that fails with `JournalError` of kind `foreign` if the database has another table `takings`, with
  ///   `notWritable` if the tables are missing and the role may not create them, and with `storage` if the database cannot be used.
  public static func open(
    _ configuration: PostgresConfiguration, retention: Duration? = Journal.standardRetention,
    timers: Timers = .dispatch()
  ) -> Future<PostgresJournal, JournalError> {
    let leases = Leases(configuration, retention: retention, timers: timers)
    return leases.start().map(immediateExecutionContext) { PostgresJournal(leases) }
  }

  /// The host, the process, and a text that is unique in each start.
  public var name: String { leases.name }

  /// Returns the journal of a driver.
  ///
  /// Its `record` claims the order. While another worker owns the order, it waits, at most for
  /// ``PostgresConfiguration/claimTimeLimit``, and then fails with the kind `inUse`. Its `dueRecords` claims at most
  /// ``PostgresConfiguration/claimCount`` orders without an owner. It skips records that it cannot read, and fails with the kind `damaged`
  /// if it can read none.
  public func journal(of driver: DriverID) -> Journal { leases.journal(of: driver) }

  /// The operations of all drivers.
  public var storage: JournalStorage {
    let leases = leases
    return JournalStorage(
      name: leases.name, journal: { leases.journal(of: $0) },
      dueDrivers: {
        leases.read("list the drivers with due orders", .dueDrivers) { rows in
          Result { () throws(JournalError) in try rows.map { row throws(JournalError) in try decodeName(row[0]) } }
        }
      },
      list: { leases.list($0) }, summary: { leases.summary() },
      requestCancel: { order, driver in
        leases.read("request the cancellation of order \(order)", .requestCancel) {
          [driver.text, order.text]
        } then: {
          .success(!$0.isEmpty)
        }
      },
      subscribe: { leases.subscribe($0) }, close: { leases.close() })
  }

  /// Releases all orders of this worker, so that others can take them over at once, and closes the connections.
  ///
  /// Calls under way are completed. Operations under way continue until their next write, so end or drain them first.
  @discardableResult
  public func close() -> Future<Void, JournalError> { leases.close() }

  /// Claims the outcome of an order in a transaction of the caller, so that it is processed exactly once.
  ///
  /// ```swift
  /// let result = await taker.take("7").get() as Result
  /// try await database.withTransaction { transaction in
  ///   let outcome = try await PostgresJournal.claimResult(of: "7", driver: "driver 7") { sql, parameters in
  ///     try await transaction.query(sql, parameters)
  ///   }
  ///   if let outcome { try await store(outcome, transaction) }
  /// }
  /// try await taker.acknowledge(result, of: "7").get()
  /// ```
  ///
  /// The first transaction that commits gets the outcome. A concurrent call waits for that transaction, or fails with a serialization
  /// error at an isolation level above `READ COMMITTED`. Use `ResultAcknowledgement.explicit`, and acknowledge the result after the commit,
  /// also if this function has returned `nil`: the acknowledgement releases the order.
  ///
  /// `transaction` runs a statement with text parameters in the caller's transaction, and returns its rows.
  ///
  /// - Returns: The outcome, or `nil` if it was claimed or acknowledged before, or if the order has none.
  /// - Throws: The error of `transaction`, or `JournalError` of kind `damaged` if the record cannot be read.
  public static func claimResult(
    of order: OrderID, driver: DriverID,
    in transaction: (_ sql: String, _ parameters: [String]) async throws -> [[String]]
  ) async throws -> TakingOutcome? {
    let sql = "SELECT record FROM claim_taking_result($1, $2)"
    guard let text = try await transaction(sql, [driver.text, order.text]).first?.first else { return nil }
    guard case .ended(let outcome) = try TakingRecord(stored: text, of: order, isDelivered: true).checkpoint else {
      return nil
    }
    return outcome
  }
}

extension Leases {
  fileprivate func journal(of driver: DriverID) -> Journal {
    Journal(
      write: { self.write($0, of: driver) }, record: { self.record(of: TakingID(driver: driver, order: $0)) },
      dueRecords: { limit, underWay in self.claimDue(of: driver, atMost: limit, except: underWay) },
      acknowledge: { self.acknowledge($0, of: driver) },
      release: { self.release(TakingID(driver: driver, order: $0)) }, claims: claims.of(driver))
  }

  fileprivate func list(_ query: RecordQuery) -> Future<[ListedRecord], JournalError> {
    read("list records", .list) {
      [
        query.states.isEmpty ? nil : encodeJSON(query.states), query.driver?.text, query.order?.text,
        query.after?.driver.text, query.after?.order.text, "\(query.limit)",
      ]
    } then: { rows in
      Result { () throws(JournalError) in
        try rows.map { row throws(JournalError) in
          let (driver, order) = (try decodeName(row[0]), try decodeName(row[1]))
          do throws(JournalError) {
            let record = try TakingRecord(stored: row[2] ?? "", of: order, isDelivered: row[3] == "t")
            return ListedRecord(driver: driver, record: record, owner: row[4])
          } catch {
            throw JournalError(error.kind, "\(error) Its driver is \(driver).")
          }
        }
      }
    }
  }

  fileprivate func summary() -> Future<JournalSummary, JournalError> {
    read("count records", .summary) { rows in
      var summary = JournalSummary()
      for row in rows {
        let (name, count) = (row[1] ?? "", row[2].flatMap { Int($0) } ?? 0)
        switch row[0] {
        case "state": TakingState(rawValue: name).map { summary.counts[$0, default: 0] += count }
        case "owner": summary.owners[name] = count
        default:
          summary.dueCount = count
          summary.lag = .microseconds(max(0, row[3].flatMap { Int64($0) } ?? 0))
        }
      }
      return .success(summary)
    }
  }
}
