public import Futures
public import OrderTaking

/// A worker on a PostgreSQL database that many workers share, on any number of machines.
///
/// ```swift
/// let worker = try await PostgresJournal.open(PostgresConfiguration("postgres://db.example/orders")).get()
/// let taker = OrderTaker(httpClient: http, journal: worker.journal(of: "driver 7"))
/// taker.resume()
/// ```
///
/// **Guarantee.** Writes are exclusive: at most one worker owns an order, each claim raises the order's fence, and a write with an old
/// fence changes nothing and fails with `JournalError.Kind.fenced`. A PUT of a worker that was paused for longer than its lease may still
/// leave. It is harmless, because it has the same idempotency key. Results are delivered at least once, and exactly
/// once with ``claimResult(of:driver:in:)``.
///
/// **Leases.** A worker owns an order for ``PostgresConfiguration/lease``, and renews this lease each third of that time. The
/// database's clock alone decides whether a lease has ended. If a worker ends without ``close()``, others take over its orders when
/// the leases end.
///
/// **Cost.** One thread uses all connections. Writes that wait at the same time share a statement and a commit.
///
/// **Threads.** You can use every member from any thread. Futures complete on a thread of this worker.
public final class PostgresJournal: Sendable {
  private let worker: Worker

  /// Connects to a database, checks its schema, and starts a worker.
  ///
  /// The age of a record is the database's time minus the start that the worker recorded.
  ///
  /// `cancel` is called when another worker has requested to cancel an order that this worker owns; it usually calls
  /// `OrderTaker.cancel(_:)`. `wake` is called when orders may be due: at the start, when another worker has released
  /// an unfinished order, and each ``PostgresConfiguration/claimInterval``. It usually calls
  /// `OrderTaker.resume(under:)`.
  ///
  /// - Returns: A future that fails with `JournalError` of kind `tooNew` if a later version has migrated the database,
  ///   with `notMigrated` if tables are missing or older (see ``migrate(_:)``), and with `storage` if the database
  ///   cannot be used, or the role may not use the table of push channels.
  public static func open(
    _ configuration: PostgresConfiguration, retention: JournalRetention = .standard, timers: Timers = .dispatch(),
    cancel: @escaping @Sendable (_ driver: String, _ order: String) -> Void = { _, _ in },
    wake: (@Sendable () -> Void)? = nil, observer: Observer? = nil
  ) -> Future<PostgresJournal, JournalError> {
    let pool = PostgresPool(configuration)
    return SchemaCheck(.journal, pool: pool).check().flatMap(immediateExecutionContext) {
      DriverChannels.checkPermissions(pool)
    }.map(immediateExecutionContext) {
      let worker = Worker(
        configuration, retention: retention, timers: timers, cancel: { cancel($0.driver, $0.order) },
        wake: wake ?? {}, observer: observer)
      if wake != nil { worker.startWakeUps() }
      worker.removeOld()
      worker.start()
      return PostgresJournal(worker)
    }.andThen(immediateExecutionContext) { _ in pool.close() }
  }

  /// Performs the missing steps of the database's schema, and returns the schema's number.
  ///
  /// Concurrent calls wait for each other. A call after a failure continues where that one has stopped. Migrate before you start
  /// workers of a new release.
  public static func migrate(_ configuration: PostgresConfiguration) -> Future<Int, JournalError> {
    let pool = PostgresPool(configuration)
    return SchemaCheck(.journal, pool: pool).migrate().andThen(immediateExecutionContext) { _ in pool.close() }
  }

  private init(_ worker: Worker) { self.worker = worker }

  /// The worker's name in the column `owner`.
  public var name: String { worker.name }

  public func journal(of driver: String) -> Journal<String> {
    journal(of: driver, encode: \.self, decode: \.self)
  }

  /// Returns the journal of a driver, to pass to an `OrderTaker`.
  ///
  /// Its `record` claims the order. While another worker owns the order, it waits, at most for
  /// ``PostgresConfiguration/claimTimeLimit``. Its `openRecords` claims at most ``PostgresConfiguration/claimCount``
  /// orders without an owner. It takes the orders that became due first, and returns them from the oldest operation.
  /// Call it again until it returns none. A record that it cannot decode is skipped. If no claimed record can be
  /// decoded, the call fails with `JournalError` of kind `damaged`. Such a record is claimed again when its lease has
  /// ended.
  ///
  /// Different drivers can have different takings of the same order. Neither the driver nor the encoded order may
  /// contain a zero byte.
  public func journal<OrderID: Hashable & Sendable>(
    of driver: String, encode: @escaping @Sendable (OrderID) -> String,
    decode: @escaping @Sendable (String) -> OrderID?
  ) -> Journal<OrderID> {
    let worker = worker
    let unreported = Locked<String?>(nil)
    let id = { @Sendable (order: OrderID) in TakingID(driver: driver, order: encode(order)) }
    return Journal(
      write: { worker.add(.write(TakingRow($0)), of: id($0.intent.order)).map(immediateExecutionContext) { _ in } },
      record: { order in
        worker.add(.claim, of: id(order)).flatMapResult(immediateExecutionContext) { row in
          guard let row else { return .success(nil) }
          return row.record(of: order).map { .success($0) } ?? .failure(.corrupt(encode(order)))
        }
      },
      openRecords: {
        worker.claimDue(of: driver).flatMapResult(immediateExecutionContext) { rows in
          var records: [TakingRecord<OrderID>] = []
          for (text, row) in rows {
            if let record = decode(text).flatMap({ row.record(of: $0) }) {
              records.append(record)
            } else {
              unreported.withLock { $0 = text }
              worker.abandon(TakingID(driver: driver, order: text))
            }
          }
          // Unreadable records do not delay the others. They are reported if no other error is known.
          if records.isEmpty, let text = unreported.withLock({ $0.take() }) { return .failure(.corrupt(text)) }
          return .success(records)
        }
      },
      acknowledge: {
        worker.add(.acknowledge(TakingRow($0)), of: id($0.intent.order)).map(immediateExecutionContext) { _ in }
      },
      release: { _ = worker.add(.release, of: id($0)) })
  }

  public func pushClient(
    of driver: String, connect: @escaping @Sendable (PushCheckpoint?) -> PushClient<String>
  ) -> PushClient<String> {
    pushClient(of: driver, encode: \.self, decode: \.self, connect: connect)
  }

  /// Returns the push client of a driver, to pass to an `OrderTaker` with the driver's journal.
  ///
  /// ```swift
  /// let push = worker.pushClient(of: "driver 7") { checkpoint in
  ///   .live(at: address, over: .curl(), token: tokens, from: checkpoint)
  /// }
  /// ```
  ///
  /// Of all workers with a subscription, one owns the driver, and only this one connects to the driver's push channel.
  /// It stores each push with the order's record, and the checkpoint of the channel in the same transaction. The worker
  /// that owns the order then gets the push, also if it claims the order later. If the owner of the driver ends,
  /// another worker connects when the lease has ended, and continues from the stored checkpoint. So no push to a
  /// recorded order is lost, and some are repeated. A push to an order without a record, or with another key, is
  /// dropped.
  ///
  /// The owner keeps the lease while it cannot connect to the push channel. During that time, GET brings the results.
  ///
  /// The pushes to a driver are stored one at a time. If a push cannot be stored, the worker disconnects, and continues
  /// from the stored checkpoint after at most a third of ``PostgresConfiguration/lease``.
  public func pushClient<OrderID: Hashable & Sendable>(
    of driver: String, encode: @escaping @Sendable (OrderID) -> String,
    decode: @escaping @Sendable (String) -> OrderID?,
    connect: @escaping @Sendable (PushCheckpoint?) -> PushClient<OrderID>
  ) -> PushClient<OrderID> {
    let channels = worker.channels
    return PushClient { receive in
      channels.subscribe(
        DriverID(driver),
        { checkpoint, store in
          connect(checkpoint).subscribe { push in
            if let push = ReceivedPush(push, to: encode(push.order)) { store(push) }
          }
        },
        { order, push in
          guard let order = decode(order) else { return }
          receive(PushedResult(order: order, key: push.key, result: push.result))
        })
    }
  }

  /// Requests to cancel an order, and notifies the worker that owns it.
  ///
  /// That worker calls its `cancel` function. If its notification is lost, it finds the request when it renews its leases. If no worker
  /// owns the order, the next owner finds the request.
  ///
  /// - Returns: A future of whether the order has a taking that has not ended.
  public func requestCancel(_ order: String, of driver: String) -> Future<Bool, JournalError> {
    worker.requestCancel(TakingID(driver: driver, order: order))
  }

  /// Returns the drivers with orders that no worker owns, to resume them.
  public func driversToResume() -> Future<[String], JournalError> { worker.dueDrivers() }

  /// Releases all orders and push channels of this worker, so that others can take them over at once, and closes the connections.
  ///
  /// Later calls, and calls under way, fail. Operations under way continue until their next write. So end or drain them first.
  @discardableResult
  public func close() -> Future<Void, JournalError> { worker.close() }

  /// Ends the worker without releasing any order, as a crash of the process would.
  package func crash() { worker.crash() }
}

extension JournalError {
  static func corrupt(_ order: String) -> JournalError {
    JournalError(
      .damaged,
      "Cannot read the record of order \"\(order)\": it cannot be decoded. Use the functions and the release that wrote it."
    )
  }
}
