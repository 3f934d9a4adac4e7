internal import Dispatch
public import Futures
public import OrderTaking
internal import OrderTakingDispatch
public import OrderTakingPostgres
public import OrderTakingServer

/// The storage of order servers in a PostgreSQL database that several servers share.
///
/// ```swift
/// let store = try await PostgresOrderStore.open(PostgresConfiguration("postgres://db.example/orders")).get()
/// let server = try await OrderServer.start(configuration, store: store)
/// ```
///
/// Any server can handle the requests and the push connection of any driver.
///
/// **At most once.** A server decides on the stored order. The statement that stores the decision locks the order, and changes nothing if
/// another server was faster. Then the server decides again. The decision, the number of its push and the notification of the other
/// servers are one transaction.
///
/// **Lost notifications.** A server reads the pushes to its connected drivers when a client connects, at each notification and at each
/// heartbeat.
public enum PostgresOrderStore {
  /// Connects to a database, and checks its schema.
  ///
  /// The server closes the connections when it stops.
  ///
  /// - Returns: A future that fails with `JournalError` of kind `tooNew` if a later version has migrated the database, with
  ///   `notMigrated` if tables are missing or older (see ``migrate(_:)``), and with `storage` if the database cannot be used.
  public static func open(_ configuration: PostgresConfiguration) -> Future<OrderStore, JournalError> {
    let receiver = NotificationReceiver()
    let pool = PostgresPool(configuration, channel: pushChannel) { receiver.receive($0) }
    return SchemaCheck(.orders, pool: pool).check().map(immediateExecutionContext) {
      let orders = PostgresOrders(pool: pool)
      var store = OrderStore(
        load: { () throws(OrderStoreError) in
          OrderStore.Contents(epoch: try wait(for: orders.run(.epoch, [], "read the epoch")).first?.text(0))
        },
        save: { entries, epoch throws(OrderStoreError) in
          _ = try wait(for: orders.save(entries.map(\.offer), epoch))
        },
        close: { pool.close() })
      store.shared = orders.shared { body in
        receiver.set(body)
        // Notifications before this call were lost.
        body(nil)
      }
      return store
    }.onFailure(immediateExecutionContext) { _ in pool.close() }
  }

  /// Returns the names of the open orders that servers have stored in a database, sorted by their bytes.
  ///
  /// It writes nothing, so the role needs only the permission to read `server_orders` and `order_server_migrations`.
  public static func openOrders(
    _ configuration: PostgresConfiguration, upTo limit: Int
  ) -> Future<[String], JournalError> {
    let pool = PostgresPool(configuration)
    return SchemaCheck(.orders, pool: pool).check().flatMap(immediateExecutionContext) {
      pool.run(.openNames, [.integer(Int64(max(0, limit)))]).mapError(immediateExecutionContext) {
        $0.journalError("list the open orders")
      }
    }.map(immediateExecutionContext) { rows in rows.compactMap { $0.text(0) } }
      .andThen(immediateExecutionContext) { _ in pool.close() }
  }

  /// Performs the missing steps of the database's schema, and returns the schema's number.
  ///
  /// Concurrent calls wait for each other. A call after a failure continues where that one has stopped. The journal has its
  /// own, and can be in the same database.
  public static func migrate(_ configuration: PostgresConfiguration) -> Future<Int, JournalError> {
    let pool = PostgresPool(configuration)
    return SchemaCheck(.orders, pool: pool).migrate().andThen(immediateExecutionContext) { _ in pool.close() }
  }
}

private struct PostgresOrders: Sendable {
  let pool: PostgresPool

  func run(
    _ statement: Statement, _ parameters: [Parameter], _ action: String
  ) -> Future<[Row], OrderStoreError> {
    pool.run(statement, parameters).mapError(immediateExecutionContext) { error in
      OrderStoreError(error.journalError(action).description)
    }
  }

  func shared(_ listen: @escaping @Sendable (@escaping @Sendable (String?) -> Void) -> Void) -> SharedOrders {
    SharedOrders(
      orders: { request, driver throws(OrderStoreError) in
        let rows: [Row]
        switch request {
        case .take(let order, let key, _, _): rows = try await read(order, driver, key)
        case .taking(let order), .details(let order): rows = try await read(order, "", nil)
        case .open(let after, let limit):
          rows = try await run(
            .open, [.text(after ?? ""), .integer(Int64(max(0, min(limit, 100))) + 1)], "list the open orders"
          ).get()
        }
        return try rows.map { row throws(OrderStoreError) in try entry(row).get() }
      },
      store: { entry throws(OrderStoreError) in
        guard let parameters = entry.parameters else { return false }
        do throws(PostgresError) { return try await !pool.run(.store, parameters).get().isEmpty } catch {
          // Another order has the key.
          if error.effect == .refused(sqlstate: "23505") { return false }
          throw OrderStoreError(error.journalError("store order \(entry.offer.id)").description)
        }
      },
      pushes: { cursors, history throws(OrderStoreError) in
        let cursors = Array(cursors)
        return try await run(
          .pushes,
          [
            .texts(cursors.map(\.key)), .integers(cursors.map { Int64(clamping: $0.value) }),
            .integer(Int64(max(0, history))),
          ], "read the pushes"
        ).get().map(entry)
      },
      overdue: { time throws(OrderStoreError) in
        try await run(.overdue, [.integer(time.wholeNanoseconds)], "read the orders that are being processed").get()
          .compactMap { $0.text(0) }
      },
      openCount: { () throws(OrderStoreError) in
        Int(try await run(.openCount, [], "count the open orders").get().first?.integer(0) ?? 0)
      },
      listen: listen)
  }

  func save(_ offers: [OfferedOrder], _ epoch: String) -> Future<[Row], OrderStoreError> {
    guard !offers.isEmpty else { return run(.saveEpoch, [.text(epoch)], "save the epoch") }
    let batch = offers.prefix(1_000)
    let reasons = batch.map { offer -> String? in
      if case .decline(let reason) = offer.verdict { reason } else { nil }
    }
    return run(
      .offer,
      [
        .texts(batch.map(\.id)), .texts(batch.map(\.details)), .flags(reasons.map { $0 != nil }),
        .texts(reasons.map { $0 ?? "" }), .integers(batch.map { $0.decidedAfter.wholeNanoseconds }),
      ], "store the orders"
    ).flatMap(immediateExecutionContext) { _ in save(Array(offers.dropFirst(batch.count)), epoch) }
  }

  private func read(_ order: String, _ driver: String, _ key: String?) async throws(OrderStoreError) -> [Row] {
    // No order has such a name, and PostgreSQL refuses it.
    guard !order.utf8.contains(0) else { return [] }
    let key = key.flatMap { IdempotencyKey($0) }?.description ?? ""
    return try await run(.order, [.text(order), .text(driver), .text(key)], "read order \(order)").get()
  }

  private func entry(_ row: Row) -> SharedOrders.ReadEntry {
    DispatchState.Entry(row).map { .success($0) }
      ?? .failure(
        OrderStoreError("Cannot read order \(row.text(0) ?? ""): it cannot be decoded. Use the release that wrote it."))
  }
}

private func wait<Value>(for future: Future<Value, OrderStoreError>) throws(OrderStoreError) -> Value {
  let (done, result) = (DispatchSemaphore(value: 0), Locked<Result<Value, OrderStoreError>?>(nil))
  future.onComplete(immediateExecutionContext) { value in
    result.withLock { $0 = value }
    done.signal()
  }
  done.wait()
  guard let value = result.withLock({ $0 }) else {
    throw OrderStoreError("Cannot use the store: it is closed. Open it again.")
  }
  return try value.get()
}
