internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal
internal import OrderTakingPostgres
internal import OrderTakingServer
internal import OrderTakingServerPostgres
internal import Terminal

/// `demo order`: runs a subcommand and prints the outcome.
struct OrderCommand {
  private let action: OrderAction
  let output: TerminalDevice
  let errors: TerminalDevice

  init(_ action: OrderAction, output: TerminalDevice = .standardOutput, errors: TerminalDevice = .standardError) {
    self.action = action
    self.output = output
    self.errors = errors
  }

  func run() async -> ExitCode {
    do {
      switch action {
      case .take(let order, let options, let time): return try await take(order, options, within: time)
      case .list(let options): return try await list(options)
      case .resume(let options, let time): return try await resume(options, within: time)
      case .status(let order, let options, let limit): return try await status(order, options, within: limit)
      case .repair(let options, let acknowledgesLoss, let rebinds):
        return try await repair(options, acknowledgesLoss: acknowledgesLoss, rebinds: rebinds)
      case .migrate(let database, let json): return try await migrate(database, json: json)
      case .work(let options, let database, let workers):
        return try await work(options, database, workers: workers)
      case .databaseStatus(let database, let json): return try await databaseStatus(database, json: json)
      case .serve(let options): return try await ServeCommand(options, timeline(json: options.json)).run()
      case .simulate(let options): return try SimulateCommand(options, output).run()
      }
    } catch let error as OrderError {
      return report(error)
    } catch is Interrupted {
      return report(.interrupted)
    } catch let error as JournalError {
      return report(OrderError(error))
    } catch let error as OrderServerError where error.kind == .store {
      return report(OrderError(kind: .journal, description: error.description))
    } catch let error as OrderServerError where error.kind == .port {
      return report(OrderError(kind: .cannotListen, description: error.description))
    } catch let error as OrderStoreError {
      return report(OrderError(kind: .journal, description: error.description))
    } catch let error as TerminalError where error.kind == .closed {
      // The reader closed the pipe. Report Ctrl-C if it ended the reader too.
      return Interrupt.wasReceived ? report(.interrupted) : .success
    } catch let error as TerminalError {
      return report(OrderError(kind: .cannotSave, description: "\(error)"))
    } catch {
      return report(OrderError(kind: .other, description: "\(error)"))
    }
  }

  /// Runs `body` with an open session, and handles signals from before it opens until it is closed.
  ///
  /// Warns about a damaged journal. If it has lost records, a success becomes `lostRecords`.
  ///
  /// - Parameter readsAllRecords: Whether all records of the journal are checked first.
  func withSession(
    _ options: OrderOptions, _ timeline: Timeline, readsAllRecords: Bool = false,
    _ body: (OrderSession, InterruptHandler) async throws -> ExitCode
  ) async throws -> ExitCode {
    let interrupts = InterruptHandler()
    defer { withExtendedLifetime(interrupts) {} }
    return try await OrderSession.with(options, timeline, readsAllRecords: readsAllRecords) { session in
      warn(of: session.recovery, loss: session.loss, options)
      if let loss = session.loss, options.json { try write(LossReport.line(loss)) }
      let code = try await body(session, interrupts)
      return code == .success && session.loss != nil ? ExitReason.lostRecords.exitCode : code
    }
  }

  private func take(_ order: String?, _ options: OrderOptions, within time: TakingTimeLimit) async throws -> ExitCode {
    let deadline = ContinuousClock.now + time.duration
    if let order, ["", ".", ".."].contains(order) {
      throw OrderError(
        kind: .usage,
        description:
          "Cannot take order '\(order)': no URL can contain this name. See the names with: \(options.listCommand)")
    }
    return try await withSession(options, timeline(options)) { session, interrupts in
      let order = try await choose(order, session, by: deadline, interrupts)
      let taker = makeTaker(session)
      let wait = Locked<Taken?>(nil)
      interrupts.atSignal {
        let words =
          Interrupt.isCtrlC ? "Ctrl-C: cancelling; press Ctrl-C again to end" : "cancelling; a second signal ends"
        session.timeline.show(TimelineEntry("you", "\(words) the process"), order: order) { taker.cancel(order) }
        guard session.requestCancel(order) else { return }
        session.timeline.show(
          TimelineEntry("you", "if another worker owns the order, that worker cancels it, or reports its outcome"),
          order: order)
        // Its owner may have crashed.
        Task {
          try? await Task.sleep(for: OrderSession.cancelTimeLimit)
          wait.withLock { $0 }?.cancel()
        }
      }
      if interrupts.wasReceived, options.journal != nil || options.database != nil {
        throw OrderError.cancelledBeforeReading(order, options)
      }
      // A signal before this line cancels before anything is sent.
      let future: Taken =
        interrupts.wasReceived ? Future(error: Self.neverBegun) : taker.take(order, under: .lasting(until: deadline))
      wait.withLock { $0 = future }
      if interrupts.wasReceived { taker.cancel(order) }
      let result: Result<AcceptedOrder<String, String>, OrderTakingFailure> = await future.get()
      // The result is the last line of the output.
      session.timeline.end()
      return await tell(order, result, options, taker) { failure in
        OrderError(
          failure, order: order, options, wasInterrupted: interrupts.wasReceived,
          lastError: session.lastError(of: order))
      }.code
    }
  }

  typealias Taken = Future<AcceptedOrder<String, String>, OrderTakingFailure>

  static let neverBegun = OrderTakingFailure(.cancelled, reason: "cancelled before anything was sent")

  private func choose(
    _ order: String?, _ session: OrderSession, by deadline: ContinuousClock.Instant, _ interrupts: InterruptHandler
  ) async throws -> String {
    if let order { return order }
    guard let first = try await interrupts.cancelling({ try await session.openOrders(upTo: 1, by: deadline) }).first
    else {
      throw OrderError(
        kind: .other,
        description: "No order is open. "
          + (session.options.server == nil
            ? "Give another --journal for new orders." : "Try again later: \(session.options.listCommand)"))
    }
    return first
  }

  private func list(_ options: OrderOptions) async throws -> ExitCode {
    let limit = 10_000
    if let database = options.database {
      return try show(try await PostgresOrderStore.openOrders(database, upTo: limit).get(), of: limit, options)
    }
    if options.journal != nil { _ = try journalPath(options, "list") }
    return try await withSession(options, Timeline.silent) { session, interrupts in
      try show(try await interrupts.cancelling { try await session.openOrders(upTo: limit) }, of: limit, options)
    }
  }

  private func show(_ orders: [String], of limit: Int, _ options: OrderOptions) throws -> ExitCode {
    struct Line: Encodable { let order: String }
    let lines = orders.map { options.json ? jsonLine(Line(order: $0)) : escaped($0) }
    try output.write(lines.map { $0 + "\n" }.joined())
    if orders.count >= limit {
      try? errors.write("Warning: The list is limited to \(limit) orders. There may be more.\n")
    }
    return .success
  }

  private func resume(_ options: OrderOptions, within time: TakingTimeLimit) async throws -> ExitCode {
    let path = try journalPath(options, "resume")
    return try await withSession(options, timeline(options), readsAllRecords: true) { session, interrupts in
      let records = try await session.records()
      let again = records.filter(\.isWorthTakingAgain)
      // Compare bytes, as the journal does: canonically equal strings can name different orders.
      let names = Set(again.map { Array($0.intent.order.utf8) })
      let unknown = Set(again.filter { !$0.hasKnownOutcome }.map { Array($0.intent.order.utf8) })
      let old = Set(records.filter { $0.isTooOldToPut(under: .standard) }.map { Array($0.intent.order.utf8) })
      let taker = makeTaker(session)
      let policy = TakingPolicy.lasting(until: ContinuousClock.now + time.duration)
      // `take` uses the key in the journal, so nothing is taken twice. `reconcile` sends no PUT for an intent that is too old.
      let futures = try await cancellingAtSignal(taker, interrupts) {
        // After a signal, start no more orders. A later `resume` handles them.
        guard !interrupts.wasReceived else { return [(String, Taken)]() }
        let resumed = try await taker.resume(under: policy).get()
        var futures = resumed.filter { !names.contains(Array($0.order.utf8)) }.map { ($0.order, $0.future) }
        // `take` would join an operation that only delivers the recorded unknown outcome.
        for order in resumed where unknown.contains(Array(order.order.utf8)) {
          let _: Result<AcceptedOrder<String, String>, OrderTakingFailure> = await order.future.get()
        }
        for record in again where !interrupts.wasReceived {
          let (order, body) = (record.intent.order, record.intent.body)
          futures.append(
            (
              order,
              old.contains(Array(order.utf8))
                ? taker.reconcile(order, under: policy) : taker.take(order, body: body, under: policy)
            ))
        }
        return futures
      }
      let isCut = interrupts.wasReceived
      // In order of completion, so that a slow order does not delay the others.
      let worst = await withTaskGroup(of: (String, Result<AcceptedOrder<String, String>, OrderTakingFailure>).self) {
        group in
        for (order, future) in futures { group.addTask { (order, await future.get()) } }
        var worst = ExitCode.success
        for await (order, result) in group {
          let code = await tell(order, result, options, taker) { failure in
            OrderError(
              failure, order: order, options, again: options.command("resume"),
              wasOnlyAsked: old.contains(Array(order.utf8)), wasInterrupted: interrupts.wasReceived,
              lastError: session.lastError(of: order))
          }.code
          if code.rawValue > worst.rawValue { worst = code }
        }
        return worst
      }
      // The orders that were not started are still unfinished.
      if isCut, worst == .success { throw Interrupted() }
      if futures.isEmpty {
        session.timeline.end()
        try output.write(options.json ? "" : "Nothing to resume in \(path).\n")
      }
      return worst
    }
  }

  /// Starts operations and cancels them at the first signal.
  func cancellingAtSignal<Value>(
    _ taker: OrderTaker<String, String>, _ interrupts: InterruptHandler, _ begin: () async throws -> Value
  ) async rethrows -> Value {
    let cancelAll: @Sendable () -> Void = { for order in taker.ordersUnderWay { taker.cancel(order) } }
    interrupts.atSignal(cancelAll)
    let value = try await begin()
    // A signal during `begin` cancelled only the operations that had started by then.
    if interrupts.wasReceived { cancelAll() }
    return value
  }

  func journalPath(_ options: OrderOptions, _ name: String) throws(OrderError) -> String {
    guard let path = options.journal?.path else {
      throw OrderError(
        kind: .usage, description: "'demo order \(name)' needs a journal. Add --journal FILE.")
    }
    var file = stat()
    guard stat(path, &file) != 0 else { return path }
    let code = errno
    throw OrderError(
      kind: .journal,
      description: "Cannot open the journal \(path): "
        + ([ENOENT, ENOTDIR].contains(code)
          ? "the file does not exist. Give the file used with 'demo order take --journal'."
          : "\(String(cString: strerror(code))). Check the path, and the permissions of the file and its folder."))
  }

  // MARK: Output

  /// Creates a taker that shows its progress in the session's timeline.
  ///
  /// With `--quiet`, it still shows that the journal could not record a step.
  func makeTaker(_ session: OrderSession, worker: PostgresJournal? = nil) -> OrderTaker<String, String> {
    guard session.options.quiet else { return session.makeTaker(worker: worker) }
    let warnings = timeline(on: errors, json: false)
    return session.makeTaker(worker: worker) { progress in
      if case .noticed(.notPersisted) = progress.step { warnings.show(progress) }
    }
  }

  /// Warns about a damaged journal, and about a loss that is not acknowledged.
  func warn(of recovery: JournalRecovery?, loss: JournalRecovery?, _ options: OrderOptions) {
    guard let recovery else { return }
    let next = loss == nil ? "" : " Then acknowledge the loss: \(options.repairCommand("--acknowledge-loss"))"
    try? errors.write("Warning: \(escaped("\(recovery)\(next)"))\n")
  }

  func timeline(_ options: OrderOptions) -> Timeline {
    options.quiet ? .silent : timeline(json: options.json)
  }

  func timeline(on device: TerminalDevice? = nil, json: Bool) -> Timeline {
    let clock = ContinuousClock()
    let start = clock.now
    return Timeline(on: device ?? output, json: json) { start.duration(to: clock.now) }
  }

  /// Prints the outcome of an order, and marks it as delivered once it is written.
  ///
  /// - Returns: The exit code, and whether the outcome was written.
  func tell(
    _ order: String, _ result: Result<AcceptedOrder<String, String>, OrderTakingFailure>, _ options: OrderOptions,
    _ taker: OrderTaker<String, String>, _ error: (OrderTakingFailure) -> OrderError
  ) async -> (code: ExitCode, isWritten: Bool) {
    var code = ExitCode.success
    do {
      switch result {
      case .success(let accepted): try write(line(for: accepted, options))
      case .failure(let failure):
        let why = error(failure)
        code = why.exitCode
        let line = RecordReport.Line(order: order, state: failure.kind.rawValue, reason: failure.reason)
        // Write the error even if standard output is closed.
        let written = Result { if options.json { try write(jsonLine(line)) } }
        try errors.write("Error: \(escaped("\(why)"))\n")
        try written.get()
      }
    } catch let error as TerminalError where error.kind == .closed {
      // The reader closed the pipe. The outcome stays undelivered, so `resume` prints it again.
      return (code, false)
    } catch {
      // The outcome itself is not lost with the output.
      let outcome = (try? result.get()).map { " Outcome: \(line(for: $0, options))" } ?? ""
      return (report(OrderError(kind: .cannotSave, description: "\(error)\(outcome)")), false)
    }
    // The owner of the order reports its outcome.
    if case .failure(let failure) = result, failure == .cancellation { return (code, true) }
    // Once it is written, so that `resume` repeats the others.
    do {
      try await taker.acknowledge(result, of: order).get()
    } catch {
      // A process that has taken over the order reports the outcome.
      guard error.kind != .fenced else { return (code, true) }
      let line = escaped("The outcome of order \(order) will be reported again. \(error)")
      try? errors.write("Warning: \(line)\n")
    }
    return (code, true)
  }

  private func line(for accepted: AcceptedOrder<String, String>, _ options: OrderOptions) -> String {
    guard !options.json else {
      return jsonLine(
        RecordReport.Line(
          order: accepted.order, state: RecordReport.accepted, details: accepted.details,
          reason: accepted.details == nil ? RecordReport.withoutDetails : nil))
    }
    let retry = options.journal == nil ? "" : " Retry with: \(options.command("resume"))"
    let details = accepted.details ?? "no details received.\(retry)"
    return escaped("Order \(accepted.order) is yours: \(details)")
  }

  func write(_ line: String) throws { try output.write(line + "\n") }

  func report(_ error: OrderError) -> ExitCode {
    try? errors.write("Error: \(escaped("\(error)"))\n")
    return error.exitCode
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
  /// Whether the intent is older than the deadline of the policy.
  ///
  /// If the clock was set back, the intent appears younger.
  func isTooOldToPut(under policy: TakingPolicy) -> Bool {
    policy.deadline.map { Timers.dispatch().now().sinceEpoch - begunAt > $0 } ?? false
  }

  /// Whether a further attempt can complete the record: an unknown outcome, or missing details.
  fileprivate var isWorthTakingAgain: Bool {
    switch checkpoint {
    case .ended(.unknown), .ended(.accepted(hasDetails: false)): true
    case .ended, .begun, .acknowledged, .accepted: false
    }
  }
}
