internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTaking

/// `demo order list`: prints the names of open orders, or the records of a journal.
struct ListCommand: DemoCommand {
  let options: OrderOptions
  let state: TakingState?

  static let declaration = Command<any DemoCommand>(
    "list", abstract: "List up to 100 open orders of the server, or the orders of a journal in one state.",
    examples: [
      CommandExample("demo order list --server http://127.0.0.1:7000", "List the open orders of this server."),
      CommandExample("demo order list --state unknown --journal takings.sqlite", "List the unknown outcomes."),
    ],
    output: { (options: OrderOptions, state: TakingState?) throws(ValidationError) in
      if state != nil { try options.requireStorage("list --state") }
      return ListCommand(options: options, state: state)
    }
  ) {
    OrderOptions.group
    Option<TakingState?>("state", valueName: "state", help: "List the orders of the journal that are in this state.")
  }

  func run() async throws -> ExitCode {
    if let state {
      return try await withStorage(options) { storage in
        try await options.show(RecordQuery(states: [state]), in: storage)
        return .success
      }
    }
    struct Line: Encodable { let order: OrderID }
    let orders = try await OrderSession(options, isSilent: true).use { session in
      try await session.openOrders(attempts: 5, by: .now + .seconds(10))
    }
    try options.output.lines(orders.map { options.output.json ? jsonLine(Line(order: $0)) : $0.text })
    return .success
  }
}

/// `demo order status`: shows the numbers of a journal, or the history of one order.
struct StatusCommand: DemoCommand {
  let order: OrderID?
  let options: OrderOptions

  static let declaration = Command<any DemoCommand>(
    "status",
    abstract: "Show how many orders of a journal are in each state, or the history of one order. Sends no request.",
    examples: [
      CommandExample("demo order status --journal takings.sqlite", "Show the numbers of a journal."),
      CommandExample(
        "demo order status tour-2 --database postgres://localhost/orders", "Show the history of an order."),
    ],
    output: { (order: OrderID?, options: OrderOptions) throws(ValidationError) in
      try options.requireStorage("status")
      return StatusCommand(order: order, options: options)
    }
  ) {
    Argument<OrderID?>("order", help: "Name of the order; default: the numbers of all orders.")
    OrderOptions.group
  }

  private var output: Output { options.output }

  func run() async throws -> ExitCode {
    try await withStorage(options) { storage in
      guard let order else {
        try await showSummary(of: storage)
        return .success
      }
      let records = try await storage.list(RecordQuery(order: order)).get()
      guard !records.isEmpty else {
        throw DemoError("The journal has no record of order \(order).", next: "Take it with 'demo order take'.")
      }
      for listed in records {
        let line = OrderLine(listed)
        try output.lines(output.json ? [jsonLine(line)] : [line.text] + (line.attempts ?? []).map { "  \($0.text)" })
      }
      return .success
    }
  }

  private func showSummary(of storage: JournalStorage) async throws {
    struct Line: Encodable { let state: TakingState, orders: Int }
    struct Owner: Encodable { let worker: String, orders: Int }
    struct Due: Encodable { let due: Int, seconds: Double }
    let summary = try await storage.summary().get()
    for state in TakingState.allCases {
      guard let count = summary.counts[state] else { continue }
      try output.result(Line(state: state, orders: count), "\(state.rawValue): \(count)")
    }
    for (worker, count) in summary.owners.sorted(by: { $0.key < $1.key }) {
      try output.result(Owner(worker: worker, orders: count), "worker \(worker): \(count)")
    }
    if summary.dueCount > 0 {
      try output.result(
        Due(due: summary.dueCount, seconds: summary.lag / .seconds(1)),
        "no worker: \(summary.dueCount), due for \(seconds(summary.lag))")
    }
    if summary.counts.isEmpty, !output.json { try output.line("The journal holds no orders.") }
  }
}

/// `demo order discard`: gives up an unknown outcome.
struct DiscardCommand: DemoCommand {
  let order: OrderID
  let reason: String
  let options: OrderOptions

  static let declaration = Command<any DemoCommand>(
    "discard", abstract: "Give up an unknown outcome, so that no worker asks for it again.",
    discussion: "Use it after you have found out what became of the order. The reason stays in its record.",
    examples: [
      CommandExample(
        "demo order discard tour-2 --reason 'cancelled by phone' --journal takings.sqlite", "Give up one outcome.")
    ],
    output: { (order: OrderID, reason: NonEmptyText, options: OrderOptions) throws(ValidationError) in
      try options.requireStorage("discard")
      return DiscardCommand(order: order, reason: reason.text, options: options)
    }
  ) {
    Argument<OrderID>("order", help: "Name of the order.")
    Option<NonEmptyText>("reason", valueName: "text", help: "The reason, for people.")
    OrderOptions.group
  }

  func run() async throws -> ExitCode {
    try await withStorage(options) { storage in
      guard try await storage.journal(EmbeddedServer.driver).discard(order, because: reason, at: .current).get() else {
        throw DemoError(
          "Cannot discard order \(order): its outcome is not unknown.",
          next: "See it with 'demo order status \(order)'.")
      }
      try await options.show(RecordQuery(order: order), in: storage)
      return .success
    }
  }
}

/// `demo order resume` and `demo order reconcile`: finish orders of the journal, and end.
struct FinishCommand: DemoCommand {
  enum Purpose: Sendable { case resume, reconcile }

  let purpose: Purpose
  /// The name of the order, or `nil` for all.
  let order: OrderID?
  let options: OrderOptions
  let limit: Duration

  static let resume = Command<any DemoCommand>(
    "resume", abstract: "Finish orders that an earlier process left open, with the same idempotency keys.",
    discussion: """
      The command sends a PUT again if the order was started less than two minutes ago. For an older order, and for an unknown \
      outcome, it only asks the server. 'demo order work' does the same until Ctrl-C.
      """,
    examples: [
      CommandExample("demo order resume --journal takings.sqlite", "Finish all open orders in the journal.")
    ],
    output: { (options: OrderOptions, limit: Duration) throws(ValidationError) in
      try options.requireStorage("resume")
      return FinishCommand(purpose: .resume, order: nil, options: options, limit: limit)
    }
  ) {
    OrderOptions.group
    OrderOptions.timeout
  }

  static let reconcile = Command<any DemoCommand>(
    "reconcile", abstract: "Ask the server for unknown outcomes. Sends no PUT.",
    examples: [
      CommandExample("demo order reconcile --journal takings.sqlite", "Ask for all unknown outcomes of the journal.")
    ],
    output: { (order: OrderID?, options: OrderOptions, limit: Duration) throws(ValidationError) in
      try options.requireStorage("reconcile")
      return FinishCommand(purpose: .reconcile, order: order, options: options, limit: limit)
    }
  ) {
    Argument<OrderID?>("order", help: "Name of the order; default: all with an unknown outcome.")
    OrderOptions.group
    OrderOptions.timeout
  }

  func run() async throws -> ExitCode {
    try await OrderSession(options).use { session in
      let policy = TakingPolicy.lasting(until: .now + limit)
      let taker = session.makeTaker()
      let unknown = RecordQuery(states: [.unknown], driver: EmbeddedServer.driver, order: order)
      var operations = try await session.storage.list(unknown).get().map { listed in
        (listed.id.order, taker.reconcile(listed.id.order, under: policy))
      }
      if purpose == .resume {
        let asked = Set(operations.map(\.0))
        for resumed in try await taker.resume(under: policy).get() where !asked.contains(resumed.order) {
          operations.append((resumed.order, resumed.future))
        }
      }
      let code = try await session.finish(operations, taker)
      session.timeline.end()
      if operations.isEmpty, !options.output.json {
        try options.output.line(purpose == .resume ? "Nothing to resume." : "No outcome is unknown.")
      }
      return code
    }
  }
}

extension OrderSession {
  /// Prints the outcome of each operation when it arrives.
  ///
  /// - Returns: The highest exit code.
  fileprivate func finish(
    _ operations: [(OrderID, Future<AcceptedOrder<String>, OrderTakingFailure>)], _ taker: Taker
  ) async throws -> ExitCode {
    try await withTaskCancellationHandler {
      try await withThrowingTaskGroup(of: (OrderID, TakingEnd).self) { group in
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

extension OrderOptions {
  /// Prints the records that a query selects, page by page.
  fileprivate func show(_ query: RecordQuery, in storage: JournalStorage) async throws {
    var query = query
    while true {
      let page = try await storage.list(query).get()
      try output.lines(page.map { output.json ? jsonLine(OrderLine($0)) : OrderLine($0).text })
      guard page.count == query.limit else { return }
      query.after = page.last?.id
    }
  }
}

/// Opens the journal that the options name, which must exist, and closes it afterwards.
private func withStorage(
  _ options: OrderOptions, _ body: (JournalStorage) async throws -> ExitCode
) async throws -> ExitCode {
  if let path = options.journal, !FileManager.default.fileExists(atPath: path),
    !FileManager.default.fileExists(atPath: path + "-wal")
  {
    throw DemoError(
      "Cannot open the journal \(path): the file does not exist.",
      next: "Give the file used with 'demo order take --journal'.")
  }
  let storage = try await OrderSession.openStorage(options)
  do {
    let code = try await body(storage)
    try await storage.close().get()
    return code
  } catch {
    let closed = storage.close()
    _ = await uncancelled { await closed.get() as Result<Void, JournalError> }
    throw error
  }
}
