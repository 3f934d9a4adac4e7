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
      case .status(let order, let options): return try await status(order, options)
      case .serve(let options): return try await ServeCommand(options, timeline(json: options.json)).run()
      case .simulate(let options): return try SimulateCommand(options, output).run()
      }
    } catch let error as OrderError {
      return report(error)
    } catch let error as JournalError {
      return report(OrderError(kind: .journal, description: error.description))
    } catch let error as OrderTakingFailure {
      return report(OrderError(error, order: "", journal: nil))
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
          OrderError(
            error, order: order, journal: options.journal?.path, wasInterrupted: interrupted.withLock { $0 }),
          failure: error, order: order, options)
      }
    }
  }

  private func choose(_ order: String?, _ session: OrderSession) async throws -> String {
    if let order { return order }
    guard let first = try await session.openOrders().first else {
      throw OrderError(kind: .status, description: "No order is open. Look again later: demo order list.")
    }
    return first
  }

  private func list(_ options: OrderOptions) async throws -> ExitCode {
    try await OrderSession.with(options, Timeline.silent) { session in
      let orders = try await session.openOrders()
      struct Line: Encodable { let order: String }
      let lines = options.json ? orders.map { jsonLine(Line(order: $0)) } : orders
      try output.write(lines.map { $0.truncated(toColumns: .max) + "\n" }.joined())
      return .success
    }
  }

  private func resume(_ options: OrderOptions) async throws -> ExitCode {
    let path = try journalPath(options, "resume")
    return try await OrderSession.with(options, timeline(json: options.json)) { session in
      let again = try session.journal.records().filter(\.isWorthTakingAgain).map(\.intent)
      let names = Set(again.map(\.order))
      let taker = session.makeTaker()
      let interrupted = Locked(false)
      let interrupt = Interrupt {
        interrupted.withLock { $0 = true }
        for order in taker.ordersUnderWay { taker.cancel(order) }
      }
      defer { withExtendedLifetime(interrupt) {} }
      // Taken again under the same key: what was accepted meanwhile is told, and nothing is given twice.
      let futures =
        try taker.resume().filter { !names.contains($0.order) }.map { ($0.order, $0.future) }
        + again.map { ($0.order, taker.take($0.order, body: $0.body)) }
      var worst = ExitCode.success
      for (order, future) in futures {
        do throws(OrderTakingFailure) {
          let accepted = try await future.get()
          try? say(accepted, options)
        } catch {
          let why = OrderError(error, order: order, journal: path, wasInterrupted: interrupted.withLock { $0 })
          let code = report(why, failure: error, order: order, options)
          if code.rawValue > worst.rawValue { worst = code }
        }
      }
      if futures.isEmpty { try output.write(options.json ? "" : "Nothing is left to do in \(path).\n") }
      return worst
    }
  }

  private func status(_ order: String?, _ options: OrderOptions) async throws -> ExitCode {
    let path = try journalPath(options, "status")
    return try await OrderSession.with(options, Timeline.silent) { session in
      let records = try session.journal.records().filter { order == nil || $0.intent.order == order }
      if let order, records.isEmpty {
        throw OrderError(
          kind: .journal,
          description: "The journal \(path) has no record of \(order). Take it: demo order take \(order).")
      }
      let taker = session.makeTaker()
      var code = ExitCode.success
      for record in records {
        var (now, failure) = (record, OrderTakingFailure?.none)
        if !record.isSettled {
          var outcome: TakingOutcome?
          do throws(OrderTakingFailure) {
            let accepted = try await taker.settle(record.intent.order).get()
            outcome = .accepted(hasDetails: accepted.details != nil)
          } catch {
            if error.kind == .declined { outcome = .declined(reason: error.reason) } else { failure = error }
          }
          now = try session.journal.record(record.intent.order) ?? record
          // What is known counts, also when the journal could not write it.
          if let outcome { now.change = .ended(outcome) }
        }
        try output.write(RecordReport.line(now, json: options.json).truncated(toColumns: .max) + "\n")
        if let failure { code = report(OrderError(failure, order: record.intent.order, journal: path)) }
      }
      return code
    }
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

  private func timeline(json: Bool) -> Timeline {
    let clock = ContinuousClock()
    let start = clock.now
    return Timeline(on: output, json: json) { start.duration(to: clock.now) }
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
  /// Whether taking the order again brings what its end lacks: certainty, or the details.
  fileprivate var isWorthTakingAgain: Bool {
    switch change {
    case .ended(.unknown), .ended(.accepted(hasDetails: false)): true
    case .ended, .begun, .acknowledged, .accepted: false
    }
  }
}
