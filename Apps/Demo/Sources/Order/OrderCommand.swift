internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTaking
internal import OrderTakingServer
internal import Terminal

/// The shell around the taker: opens what is needed, waits for the end or for Ctrl-C, and says what is known.
struct OrderCommand {
  private let action: OrderAction
  private let output: TerminalDevice
  private let errors: TerminalDevice

  init(_ action: OrderAction, output: TerminalDevice = .standardOutput, errors: TerminalDevice = .standardError) {
    self.action = action
    self.output = output
    self.errors = errors
  }

  /// Does what was asked for, and says with which status to end.
  func run() async -> ExitCode {
    do {
      switch action {
      case .take(let order, let options): return try await take(order, options)
      case .list(let options): return try await list(options)
      case .resume(let options): return try await resume(options)
      case .status(let order, let options, let limit): return try await status(order, options, within: limit)
      case .serve(let options): return try await ServeCommand(options, timeline(json: options.json)).run()
      case .simulate(let options): return try SimulateCommand(options, output).run()
      }
    } catch let error as OrderError {
      return report(error)
    } catch let error as JournalError {
      return report(OrderError(kind: .journal, description: error.description))
    } catch let error as OrderStoreError {
      return report(OrderError(kind: .journal, description: error.description))
    } catch let error as TerminalError where error.kind == .closed {
      // Whoever read this has seen enough.
      return .success
    } catch {
      return report(OrderError(kind: .other, description: "\(error)"))
    }
  }

  private func take(_ order: String?, _ options: OrderOptions) async throws -> ExitCode {
    try await OrderSession.with(options, timeline(json: options.json)) { session in
      let order = try await choose(order, session)
      let taker = session.makeTaker()
      let interrupted = Locked(false)
      let interrupt = Interrupt {
        interrupted.withLock { $0 = true }
        session.timeline.show(TimelineEntry("you", "Ctrl-C: cancelling; once more ends the process"), order: order)
        taker.cancel(order)
      }
      defer { withExtendedLifetime(interrupt) {} }
      do throws(OrderTakingFailure) {
        let accepted = try await taker.acceptance(of: order)
        try? say(accepted, options)
        return .success
      } catch {
        return report(
          OrderError(error, order: order, options, wasInterrupted: interrupted.withLock { $0 }),
          failure: error, order: order, options)
      }
    }
  }

  private func choose(_ order: String?, _ session: OrderSession) async throws -> String {
    if let order { return order }
    guard let first = try await session.openOrders(atLeast: 1).first else {
      throw OrderError(kind: .other, description: "No order is open. Look again later: demo order list.")
    }
    return first
  }

  private func list(_ options: OrderOptions) async throws -> ExitCode {
    try await OrderSession.with(options, Timeline.silent) { session in
      let limit = 10_000
      let orders = try await session.openOrders(atLeast: limit)
      struct Line: Encodable { let order: String }
      let lines = options.json ? orders.map { jsonLine(Line(order: $0)) } : orders
      try output.write(lines.map { $0.truncated(toColumns: .max) + "\n" }.joined())
      if orders.count >= limit { try? errors.write("There may be more: the list ends after \(orders.count).\n") }
      return .success
    }
  }

  private func resume(_ options: OrderOptions) async throws -> ExitCode {
    let path = try journalPath(options, "resume")
    return try await OrderSession.with(options, timeline(json: options.json)) { session in
      let records = try session.journal.records()
      let again = records.filter(\.isWorthTakingAgain)
      let names = Set(again.map(\.intent.order))
      let old = Set(records.filter { $0.isTooOldToPut(under: .standard) }.map(\.intent.order))
      let taker = session.makeTaker()
      let interrupted = Locked(false)
      let interrupt = Interrupt {
        interrupted.withLock { $0 = true }
        for order in taker.ordersUnderWay { taker.cancel(order) }
      }
      defer { withExtendedLifetime(interrupt) {} }
      // Taken again under the same key: what was accepted meanwhile is told, and nothing is given twice. A wish that is too old
      // to be put by an unfinished operation is too old to be put by one that ended without knowing.
      let futures =
        try taker.resume().filter { !names.contains($0.order) }.map { ($0.order, $0.future) }
        + again.map { record in
          let (order, body) = (record.intent.order, record.intent.body)
          return (order, old.contains(order) ? taker.settle(order) : taker.take(order, body: body))
        }
      var worst = ExitCode.success
      for (order, future) in futures {
        do throws(OrderTakingFailure) {
          let accepted = try await future.get()
          try? say(accepted, options)
        } catch {
          let why = OrderError(
            error, order: order, options, wasOnlyAsked: old.contains(order),
            wasInterrupted: interrupted.withLock { $0 })
          let code = report(why, failure: error, order: order, options)
          if code.rawValue > worst.rawValue { worst = code }
        }
      }
      if futures.isEmpty { try output.write(options.json ? "" : "Nothing is left to do in \(path).\n") }
      return worst
    }
  }

  private func status(_ order: String?, _ options: OrderOptions, within limit: Seconds) async throws -> ExitCode {
    let path = try journalPath(options, "status")
    return try await OrderSession.with(options, Timeline.silent) { session in
      let records = try session.journal.records().filter { order == nil || $0.intent.order == order }
      if let order, records.isEmpty {
        throw OrderError(
          kind: .journal,
          description: "The journal \(path) has no record of \(order). Take it: demo order take \(order).")
      }
      var code = ExitCode.success
      let answers = ask(about: records.filter { !$0.isSettled }.map(\.intent.order), session, within: limit)
      for record in records {
        var (now, failure) = (record, OrderTakingFailure?.none)
        if let answer = answers[record.intent.order] {
          var outcome: TakingOutcome?
          do throws(OrderTakingFailure) {
            let accepted = try await answer.get()
            outcome = .accepted(hasDetails: accepted.details != nil)
          } catch {
            if error.kind == .declined { outcome = .declined(reason: error.reason) } else { failure = error }
          }
          now = try session.journal.record(record.intent.order) ?? record
          // What is known counts, also when the journal could not write it.
          if let outcome { now.change = .ended(outcome) }
        }
        try output.write(RecordReport.line(now, json: options.json).truncated(toColumns: .max) + "\n")
        if let failure { code = report(OrderError(failure, order: record.intent.order, options)) }
      }
      return code
    }
  }

  /// Asks about all at the same time, and says so: it may take as long as it may take.
  private func ask(
    about orders: [String], _ session: OrderSession, within limit: Seconds
  ) -> [String: Future<AcceptedOrder<String, String>, OrderTakingFailure>] {
    guard !orders.isEmpty else { return [:] }
    let what = orders.count == 1 ? orders[0] : "\(orders.count) orders"
    let line = "Asking the server about \(what), for at most \(limit.value.formatted()) s."
    try? errors.write(line.truncated(toColumns: .max) + "\n")
    let progress = timeline(on: errors, json: false)
    var policy = TakingPolicy.standard
    policy.budget = limit.duration
    let taker = session.makeTaker(under: policy) { entry in
      if entry.level == .warning { progress.show(TimelineEntry(entry), order: entry.order) }
    }
    return Dictionary(orders.map { ($0, taker.settle($0)) }, uniquingKeysWith: { first, _ in first })
  }

  private func journalPath(_ options: OrderOptions, _ name: String) throws(OrderError) -> String {
    guard let path = options.journal?.path else {
      throw OrderError(
        kind: .journal, description: "Without a journal nothing is remembered. Say: demo order \(name) --journal FILE.")
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw OrderError(
        kind: .journal,
        description: "There is no journal \(path). Give the file that 'demo order take --journal' was given.")
    }
    return path
  }

  // MARK: Saying

  private func timeline(on device: TerminalDevice? = nil, json: Bool) -> Timeline {
    let clock = ContinuousClock()
    let start = clock.now
    return Timeline(on: device ?? output, json: json) { start.duration(to: clock.now) }
  }

  private func say(_ accepted: AcceptedOrder<String, String>, _ options: OrderOptions) throws {
    let details = accepted.details ?? "its details never came; ask again with demo order resume"
    let line =
      options.json
      ? jsonLine(RecordReport.Line(order: accepted.order, state: "accepted", key: nil, details: accepted.details))
      : "Order \(accepted.order) is yours: \(details)"
    try output.write(line.truncated(toColumns: .max) + "\n")
  }

  private func report(
    _ error: OrderError, failure: OrderTakingFailure, order: String, _ options: OrderOptions
  ) -> ExitCode {
    if options.json {
      try? output.write(
        jsonLine(
          RecordReport.Line(order: order, state: failure.kind.rawValue, key: nil, details: nil, reason: failure.reason))
          + "\n")
    }
    return report(error)
  }

  private func report(_ error: OrderError) -> ExitCode {
    try? errors.write("Error: \(error)".truncated(toColumns: .max) + "\n")
    return error.exitCode
  }
}

extension TakingRecord {
  /// Whether the wish is older than an operation may last; a clock that was turned back makes it younger, never older.
  fileprivate func isTooOldToPut(under policy: TakingPolicy) -> Bool {
    policy.budget.map { Timers.dispatch().now() - begunAt > $0 } ?? false
  }

  /// Whether taking the order again brings what its end lacks: certainty, or the details.
  fileprivate var isWorthTakingAgain: Bool {
    switch change {
    case .ended(.unknown), .ended(.accepted(hasDetails: false)): true
    case .ended, .begun, .acknowledged, .accepted: false
    }
  }
}
