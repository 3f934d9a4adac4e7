internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal
internal import OrderTakingPostgres
internal import OrderTakingServerPostgres

/// A subcommand of `demo order` with its options.
enum OrderAction: Sendable {
  case take(order: String?, OrderOptions, within: Seconds)
  case list(OrderOptions)
  case resume(OrderOptions, within: Seconds)
  case status(order: String?, OrderOptions, within: Seconds)
  case work(OrderOptions, PostgresConfiguration, workers: Int)
  case serve(ServeOptions)
  case simulate(SimulateOptions)

  func run() async throws -> ExitCode {
    switch self {
    case .take(let order, let options, let limit): try await OrderCommand(options).take(order, within: limit.duration)
    case .list(let options): try await OrderCommand(options).list()
    case .resume(let options, let limit): try await OrderCommand(options).resume(within: limit.duration)
    case .status(let order, let options, let limit):
      try await OrderCommand(options).status(of: order, within: limit.duration)
    case .work(let options, let database, let workers):
      try await WorkCommand(options: options, database: database, workers: workers).run()
    case .serve(let options): try await ServeCommand(options: options).run()
    case .simulate(let options): try SimulateCommand(options: options).run()
    }
  }
}

/// The commands that take orders, and finish or show what an earlier command has taken.
struct OrderCommand: Sendable {
  private let options: OrderOptions
  private let timeline: Timeline

  init(_ options: OrderOptions) {
    self.options = options
    timeline = Timeline(options.output.quiet ? nil : options.output)
  }

  private var output: Output { options.output }

  // MARK: take

  /// Takes an order, or the first open one.
  func take(_ order: String?, within limit: Duration) async throws -> ExitCode {
    let deadline = ContinuousClock.now + limit
    return try await OrderSession.with(options, timeline) { session in
      if let order { return try await take(order, session, by: deadline, within: limit) }
      guard let first = try await session.openOrders(upTo: 1, by: deadline).first else {
        throw DemoError(
          "No order is open.",
          next: options.server == nil ? "Give another --journal for new orders." : "Try again later.")
      }
      return try await take(first, session, by: deadline, within: limit)
    }
  }

  private func take(
    _ order: String, _ session: OrderSession, by deadline: ContinuousClock.Instant, within limit: Duration
  ) async throws -> ExitCode {
    let (worker, taker) = try await makeTaker(session, within: limit)
    try Task.checkCancellation()
    let future = taker.take(order, under: .lasting(until: deadline))
    let end = await withTaskCancellationHandler {
      await uncancelled { () -> TakingEnd in await future.get() }
    } onCancel: {
      timeline.show(TimelineEvent(.you, "cancelling; press Ctrl-C again to end the process"), order: order)
      taker.cancel(order)
      guard let worker else { return }
      // If another worker owns the order, it cancels it or reports its outcome. It may have crashed.
      _ = worker.requestCancel(order, of: EmbeddedServer.driver)
      Task {
        try? await Task.sleep(for: .seconds(2))
        future.cancel()
      }
    }
    // The result is the last line of the output.
    timeline.end()
    return try await session.tell(end, of: order, taker)
  }

  /// Creates a taker, on a worker if there is a database.
  private func makeTaker(
    _ session: OrderSession, within limit: Duration
  ) async throws -> (PostgresJournal?, Taker) {
    guard var database = options.database else { return (nil, session.makeTaker()) }
    // The wait for another owner of the order counts for the time limit.
    database.claimTimeLimit = limit
    return try await session.startWorker(on: database)
  }

  // MARK: list

  /// Prints the names of the open orders.
  func list() async throws -> ExitCode {
    struct Line: Encodable { let order: String }
    if options.journal != nil { _ = try existingJournal() }
    let limit = 10_000
    let orders: [String]
    if let database = options.database, options.server == nil {
      _ = try await PostgresOrderStore.migrate(database).get()
      orders = try await PostgresOrderStore.openOrders(database, upTo: limit).get()
    } else {
      orders = try await OrderSession.with(options, Timeline(nil)) { try await $0.openOrders(upTo: limit) }
    }
    try output.lines(orders.map { output.json ? jsonLine(Line(order: $0)) : $0 })
    if orders.count == limit { output.warn("Warning: The list is limited to \(limit) orders. There may be more.") }
    return .success
  }

  // MARK: resume

  /// Finishes all orders in the journal.
  func resume(within limit: Duration) async throws -> ExitCode {
    let path = try existingJournal()
    return try await OrderSession.with(options, timeline) { session in
      let records = try await session.file?.records().get().filter(\.needsWork) ?? []
      let policy = TakingPolicy.lasting(until: .now + limit)
      let code = try await finish(records, session) { taker, record in
        // Without another PUT if the outcome is known or a PUT is too late. `take` uses the key of the journal.
        record.hasKnownOutcome || record.isTooOldToPut
          ? taker.reconcile(record.intent.order, under: policy)
          : taker.take(record.intent.order, body: record.intent.body, under: policy)
      }
      timeline.end()
      if records.isEmpty, !output.json { try output.line("Nothing to resume in \(path).") }
      return code
    }
  }

  /// Starts operations at the same time, and prints each outcome when it arrives.
  ///
  /// - Returns: The highest exit code.
  private func finish(
    _ records: [TakingRecord<String>], _ session: OrderSession,
    start: (Taker, TakingRecord<String>) -> Future<AcceptedOrder<String, String>, OrderTakingFailure>
  ) async throws -> ExitCode {
    // A taker connects to the push channel, so it is created only when needed.
    guard !records.isEmpty else { return .success }
    let taker = session.makeTaker()
    try Task.checkCancellation()
    let operations = records.map { (record: $0, future: start(taker, $0)) }
    return try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: (TakingRecord<String>, TakingEnd).self) { group in
        for (record, future) in operations { group.addTask { (record, await uncancelled { await future.get() }) } }
        var (codes, unfinishedCount) = ([ExitCode.success], 0)
        for try await (record, end) in group {
          if Task.isCancelled, case .failure(let failure) = end, [.unknown, .cancelled].contains(failure.kind) {
            unfinishedCount += 1
          } else {
            let order = record.intent.order
            codes.append(try await session.tell(end, of: order, taker, wasOnlyAsked: record.isTooOldToPut))
          }
        }
        guard unfinishedCount == 0 else {
          throw DemoError(
            .interrupted, "Interrupted. Unfinished orders: \(unfinishedCount).",
            next: "Finish them: \(options.command("resume"))")
        }
        return codes.max { $0.rawValue < $1.rawValue } ?? .success
      }
    } onCancel: {
      for order in taker.ordersUnderWay { taker.cancel(order) }
    }
  }

  // MARK: status

  /// Shows the known outcomes in the journal, and asks the server for the others.
  func status(of order: String?, within limit: Duration) async throws -> ExitCode {
    if let database = options.database { return try await workload(of: database) }
    let path = try existingJournal()
    do {
      return try await OrderSession.with(options, Timeline(nil)) { session in
        let records = try selected(try await session.file?.records().get() ?? [], order, path)
        for record in records where record.hasKnownOutcome { try show(OrderLine(record)) }
        let open = records.filter { !$0.hasKnownOutcome }
        if !open.isEmpty { output.note("Asking the server, for at most \((limit / .seconds(1)).formatted()) s.") }
        let policy = TakingPolicy.lasting(until: .now + limit)
        return try await finish(open, session) { $0.reconcile($1.intent.order, under: policy) }
      }
    } catch let error as JournalError where error.kind == .inUse {
      let records = try selected(SQLiteJournal.records(at: path), order, path)
      output.warn("Warning: Another process uses the journal \(path). The server was not asked.")
      for record in records { try show(OrderLine(record)) }
      return .success
    }
  }

  /// Returns the records of one order, or all.
  private func selected(
    _ records: [TakingRecord<String>], _ order: String?, _ path: String
  ) throws -> [TakingRecord<String>] {
    guard let order else {
      if records.isEmpty, !output.json { try output.line("The journal \(path) holds no orders.") }
      return records
    }
    let key = OrderKey(order)
    guard let record = records.first(where: { OrderKey($0.intent.order) == key }) else {
      throw DemoError(
        "The journal \(path) has no record of order \(order).", next: "Take it: \(options.command("take", order))")
    }
    return [record]
  }

  private func show(_ line: OrderLine) throws { try output.result(line, line.text) }

  /// Shows the workers of a database, and the orders that wait for one.
  private func workload(of database: PostgresConfiguration) async throws -> ExitCode {
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

  /// Returns the path of the journal, which must exist.
  private func existingJournal() throws(DemoError) -> String {
    let path = options.journal?.text ?? ""
    guard FileManager.default.fileExists(atPath: path) else {
      throw DemoError(
        "Cannot open the journal \(path): the file does not exist.",
        next: "Give the file used with 'demo order take --journal'.")
    }
    return path
  }
}

extension TakingPolicy {
  /// The standard policy with the time left as its deadline and no limit on attempts.
  ///
  /// At most a quarter of the time is spent waiting for a push, so that time for GET requests remains.
  static func lasting(until deadline: ContinuousClock.Instant) -> TakingPolicy {
    var policy = standard
    let rest = max(.zero, ContinuousClock.now.duration(to: deadline))
    policy.deadline = rest
    policy.attempts = nil
    policy.delayBeforeFirstGet = min(policy.delayBeforeFirstGet, rest / 4)
    return policy
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
