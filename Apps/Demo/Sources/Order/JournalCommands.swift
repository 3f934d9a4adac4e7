internal import Arguments
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal
internal import OrderTakingPostgres

/// `demo order resume`: finishes all orders in the journal.
struct ResumeCommand: DemoCommand {
  let options: OrderOptions
  let limit: Duration

  static let declaration = Command<any DemoCommand>(
    "resume", abstract: "Finish orders that an earlier process left open, with the same idempotency keys.",
    discussion: """
      The command sends a PUT again if the order was started less than two minutes ago. For an older order it only asks the \
      server for the outcome.
      """,
    examples: [
      CommandExample("demo order resume --journal takings.sqlite", "Finish all open orders in the journal.")
    ],
    output: { (options: OrderOptions, limit: Duration) throws(ValidationError) in
      try reject(options.journal == nil, "'demo order resume' needs a journal. Add --journal FILE.")
      return ResumeCommand(options: options, limit: limit)
    }
  ) {
    OrderOptions.group
    OrderOptions.timeout
  }

  func run() async throws -> ExitCode {
    let path = try options.existingJournal()
    return try await OrderSession(options).use { session in
      let records = try await session.file?.records().get().filter(\.needsWork) ?? []
      let policy = TakingPolicy.lasting(until: .now + limit)
      let code = try await session.finish(records) { taker, record in
        // Without another PUT if the outcome is known or a PUT is too late. `take` uses the key of the journal.
        record.hasKnownOutcome || record.isTooOldToPut
          ? taker.reconcile(record.intent.order, under: policy)
          : taker.take(record.intent.order, body: record.intent.body, under: policy)
      }
      session.timeline.end()
      if records.isEmpty, !options.output.json { try options.output.line("Nothing to resume in \(path).") }
      return code
    }
  }
}

/// `demo order status`: shows the known outcomes in the journal, and asks the server for the others.
struct StatusCommand: DemoCommand {
  /// The name of the order, or `nil` for all.
  let order: String?
  let options: OrderOptions
  let limit: Duration

  static let declaration = Command<any DemoCommand>(
    "status", abstract: "Show the orders in the journal, and ask the server for unknown outcomes. Sends no PUT.",
    discussion: "With --database, it shows the workers, the number of their orders, and the orders without a worker.",
    examples: [
      CommandExample("demo order status --journal takings.sqlite", "Show all orders in the journal."),
      CommandExample("demo order status --database postgres://localhost/orders", "Show the workers of a database."),
    ],
    output: { (order: NonEmptyText?, options: OrderOptions, limit: Seconds) throws(ValidationError) in
      try reject(
        options.journal == nil && options.database == nil, "'demo order status' needs a journal. Add --journal FILE.")
      try reject(
        order != nil && options.database != nil, "'--database' shows the workers. It cannot be used with an order.")
      return StatusCommand(order: order?.text, options: options, limit: limit.duration)
    }
  ) {
    Argument<NonEmptyText?>("order", help: "Name of the order; default: all orders.")
    OrderOptions.group
    Option<Seconds>("timeout", default: Seconds(10), valueName: "seconds", help: "Time limit for asking the server.")
  }

  private var output: Output { options.output }

  func run() async throws -> ExitCode {
    if let database = options.database { return try await showWorkers(of: database) }
    let path = try options.existingJournal()
    do {
      return try await OrderSession(options, isSilent: true).use { session in
        let records = try selected(try await session.file?.records().get() ?? [], path)
        for record in records where record.hasKnownOutcome { try show(record) }
        let open = records.filter { !$0.hasKnownOutcome }
        if !open.isEmpty { output.note("Asking the server, for at most \(seconds(limit)).") }
        let policy = TakingPolicy.lasting(until: .now + limit)
        return try await session.finish(open) { $0.reconcile($1.intent.order, under: policy) }
      }
    } catch let error as JournalError where error.kind == .inUse {
      let records = try selected(SQLiteJournal.records(at: path), path)
      output.warn("Warning: Another process uses the journal \(path). The server was not asked.")
      for record in records { try show(record) }
      return .success
    }
  }

  /// Returns the record of the order, or all.
  private func selected(_ records: [TakingRecord<String>], _ path: String) throws -> [TakingRecord<String>] {
    guard let order else {
      if records.isEmpty, !output.json { try output.line("The journal \(path) holds no orders.") }
      return records
    }
    let key = OrderKey(order)
    guard let record = records.first(where: { OrderKey($0.intent.order) == key }) else {
      throw DemoError("The journal \(path) has no record of order \(order).", next: "Take it with 'demo order take'.")
    }
    return [record]
  }

  private func show(_ record: TakingRecord<String>) throws {
    let line = OrderLine(record)
    try output.result(line, line.text)
  }

  /// Shows the workers of a database, and the orders that wait for one.
  private func showWorkers(of database: PostgresConfiguration) async throws -> ExitCode {
    struct Line: Encodable { let worker: String?, orders: Int, seconds: Double }
    _ = try await PostgresJournal.migrate(database).get()
    let workload = try await PostgresJournal.workload(database).get()
    let count = { (orders: Int) in orders == 1 ? "1 order" : "\(orders) orders" }
    for share in workload.shares {
      try output.result(
        Line(worker: share.worker, orders: share.orderCount, seconds: share.lease / .seconds(1)),
        "Worker \(share.worker): \(count(share.orderCount)), first lease ends in \(seconds(share.lease))")
    }
    if let lag = workload.lag {
      try output.result(
        Line(worker: nil, orders: workload.dueCount, seconds: lag / .seconds(1)),
        "No worker: \(count(workload.dueCount)), due for \(seconds(lag))")
    }
    if workload.shares.isEmpty, workload.lag == nil, !output.json {
      try output.line("The database has no unfinished orders.")
    }
    return .success
  }
}

extension OrderSession {
  /// Starts operations at the same time, and prints each outcome when it arrives.
  ///
  /// - Returns: The highest exit code.
  fileprivate func finish(
    _ records: [TakingRecord<String>],
    start: (Taker, TakingRecord<String>) -> Future<AcceptedOrder<String, String>, OrderTakingFailure>
  ) async throws -> ExitCode {
    // A taker connects to the push channel, so it is created only when needed.
    guard !records.isEmpty else { return .success }
    let taker = makeTaker()
    try Task.checkCancellation()
    let operations = records.map { (order: $0.intent.order, future: start(taker, $0)) }
    return try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: (String, TakingEnd).self) { group in
        for (order, future) in operations { group.addTask { (order, await uncancelled { await future.get() }) } }
        var (codes, unfinishedCount) = ([ExitCode.success], 0)
        for try await (order, end) in group {
          if Task.isCancelled, case .failure(let failure) = end, [.unknown, .cancelled].contains(failure.kind) {
            unfinishedCount += 1
          } else {
            codes.append(try await deliver(end, of: order, taker))
          }
        }
        guard unfinishedCount == 0 else {
          throw DemoError(
            .interrupted, "Interrupted. Unfinished orders: \(unfinishedCount).",
            next: "Finish them with 'demo order resume'.")
        }
        return codes.max { $0.rawValue < $1.rawValue } ?? .success
      }
    } onCancel: {
      for order in taker.ordersUnderWay { taker.cancel(order) }
    }
  }
}

extension TakingRecord {
  /// Whether it is open or unknown, was not reported, or lacks its details.
  fileprivate var needsWork: Bool {
    needsResuming || !hasKnownOutcome || checkpoint == .ended(.accepted(hasDetails: false))
  }

  /// Whether the intent is older than the deadline of the standard policy, so that no further PUT is sent.
  ///
  /// If the clock was set back, the intent appears younger.
  fileprivate var isTooOldToPut: Bool {
    TakingPolicy.standard.deadline.map { Timers.dispatch().now().sinceEpoch - begunAt > $0 } ?? false
  }
}
