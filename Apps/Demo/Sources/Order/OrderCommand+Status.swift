internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal
internal import Terminal

extension OrderCommand {
  /// `demo order status`: shows the records of the journal, and asks the server about the open ones.
  func status(_ order: String?, _ options: OrderOptions, within limit: Seconds) async throws -> ExitCode {
    let path = try journalPath(options, "status")
    do {
      return try await statusFromServer(order, options, path, within: limit)
    } catch let error as JournalError where error.kind == .inUse || error.kind == .notWritable {
      // A journal can be read while another process has it open, and from a read-only file system.
      let records = try recordsToShow(SQLiteJournal.records(at: path), order, options, path)
      let loss = try SQLiteJournal<String>.unacknowledgedLoss(at: path)
      warn(of: loss, loss: loss, options)
      if let loss, options.json { try write(LossReport.line(loss)) }
      let reason =
        error.kind == .inUse ? "Another process uses the journal \(path)." : "The journal \(path) cannot be written."
      try? errors.write("Warning: \(reason) The server was not asked.\n")
      if records.isEmpty, !options.json { try writeNoOrders(path) }
      for record in records { try write(RecordReport.line(record, json: options.json)) }
      return loss == nil ? .success : ExitReason.lostRecords.exitCode
    }
  }

  /// The records that `status` shows: those of one order, or all.
  private func recordsToShow(
    _ records: [TakingRecord<String>], _ order: String?, _ options: OrderOptions, _ path: String
  ) throws(OrderError) -> [TakingRecord<String>] {
    guard let order else { return records }
    let records = records.filter { $0.intent.order.utf8.elementsEqual(order.utf8) }
    guard records.isEmpty else { return records }
    throw OrderError(
      kind: .journal,
      description: "The journal \(path) has no record of order \(order). Take it: \(options.command("take", order))")
  }

  private func writeNoOrders(_ path: String) throws {
    try write(escaped("The journal \(path) holds no orders."))
  }

  /// Shows the records, with the outcomes that the server knows.
  private func statusFromServer(
    _ order: String?, _ options: OrderOptions, _ path: String, within limit: Seconds
  ) async throws -> ExitCode {
    try await withSession(options, Timeline.silent, readsAllRecords: true) { session, interrupts in
      let records = try recordsToShow(await session.records(), order, options, path)
      var (worst, isInterrupted) = (ExitCode.success, false)
      if records.isEmpty, !options.json { try writeNoOrders(path) }
      let (taker, answers) = await ask(about: records, session, within: limit, quietly: options.quiet, interrupts)
      for (record, answer) in zip(records, answers) {
        var (now, failure, details) = (record, OrderTakingFailure?.none, String?.none)
        let result: Result<AcceptedOrder<String, String>, OrderTakingFailure>? = await answer?.get()
        if let result {
          var outcome: TakingOutcome?
          do throws(OrderTakingFailure) {
            let accepted = try result.get()
            details = accepted.details
            outcome = .accepted(hasDetails: details != nil)
          } catch {
            if error.kind == .declined { outcome = .declined(reason: error.reason) } else { failure = error }
          }
          // Cancelled by the signal. There is nothing to report.
          if interrupts.wasReceived, [.cancelled, .unknown].contains(failure?.kind) {
            isInterrupted = true
            continue
          }
          now = try await session.journal.record(record.intent.order).get() ?? record
          // Report the outcome even if the journal failed to record it.
          if let outcome { now.checkpoint = .ended(outcome) }
        }
        try write(RecordReport.line(now, details: details, json: options.json))
        if let result { try? await taker?.acknowledge(result, of: record.intent.order).get() }
        if let failure {
          let error = OrderError(
            failure, order: record.intent.order, options, again: options.command("status", order),
            wasOnlyAsked: record.isTooOldToPut(under: .standard), lastError: session.lastError(of: record.intent.order))
          let code = report(error)
          if code.rawValue > worst.rawValue { worst = code }
        }
      }
      if isInterrupted { throw Interrupted() }
      return worst
    }
  }

  /// Asks the server about all open records at the same time.
  ///
  /// - Returns: The taker if one was needed, and a future for each record, or `nil` when the record needs no request.
  private func ask(
    about records: [TakingRecord<String>], _ session: OrderSession, within limit: Seconds, quietly isQuiet: Bool,
    _ interrupts: InterruptHandler
  ) async -> (OrderTaker<String, String>?, [Taken?]) {
    let open = records.filter { !$0.hasKnownOutcome }.map(\.intent.order)
    // A taker connects to the push channel, so create one only when needed.
    guard !open.isEmpty else { return (nil, records.map { _ in nil }) }
    let progress = timeline(on: errors, json: false)
    let taker = session.makeTaker { entry in
      // `status` itself prints the outcome.
      if case .ended = entry.step { return }
      progress.show(entry, from: isQuiet ? .error : .warning)
    }
    let what = open.count == 1 ? open[0] : "\(open.count) orders"
    let line = "Asking the server about \(what), for at most \(limit.value.formatted()) s."
    if !isQuiet { try? errors.write(escaped(line) + "\n") }
    let policy = TakingPolicy.lasting(until: ContinuousClock.now + limit.duration)
    let answers: [Taken?] = await cancellingAtSignal(taker, interrupts) {
      records.map { record in
        guard !record.hasKnownOutcome else { return nil }
        // After a signal, start no more requests.
        return interrupts.wasReceived
          ? Future(error: Self.neverBegun) : taker.reconcile(record.intent.order, under: policy)
      }
    }
    return (taker, answers)
  }
}
