internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTaking
internal import OrderTakingJournal
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
      case .take(let order, let options, let time): return try await take(order, options, within: time)
      case .list(let options): return try await list(options)
      case .resume(let options, let time): return try await resume(options, within: time)
      case .status(let order, let options, let limit): return try await status(order, options, within: limit)
      case .serve(let options): return try await ServeCommand(options, timeline(json: options.json)).run()
      case .simulate(let options): return try SimulateCommand(options, output).run()
      }
    } catch let error as OrderError {
      return report(error)
    } catch is Interrupted {
      return report(.interrupted)
    } catch let error as JournalError {
      return report(OrderError(kind: .journal, description: error.description))
    } catch let error as OrderServerError where error.kind == .store {
      return report(OrderError(kind: .journal, description: error.description))
    } catch let error as OrderServerError where error.kind == .port {
      return report(OrderError(kind: .cannotListen, description: error.description))
    } catch let error as OrderStoreError {
      return report(OrderError(kind: .journal, description: error.description))
    } catch let error as TerminalError where error.kind == .closed {
      // Whoever read this has seen enough; unless that was ended by the same Ctrl-C.
      return Interrupt.hasCome ? report(.interrupted) : .success
    } catch let error as TerminalError {
      return report(OrderError(kind: .cannotSave, description: "\(error)"))
    } catch {
      return report(OrderError(kind: .other, description: "\(error)"))
    }
  }

  /// Does something with what is opened for it, and hears signals from before anything is opened until all is closed.
  private func withSession(
    _ options: OrderOptions, _ timeline: Timeline, _ body: (OrderSession, InterruptDesk) async throws -> ExitCode
  ) async throws -> ExitCode {
    let desk = InterruptDesk()
    defer { withExtendedLifetime(desk) {} }
    return try await OrderSession.with(options, timeline) { try await body($0, desk) }
  }

  private func take(_ order: String?, _ options: OrderOptions, within time: TakingTime) async throws -> ExitCode {
    let deadline = ContinuousClock.now + time.duration
    if let order, ["", ".", ".."].contains(order) {
      throw OrderError(
        kind: .usage, description: "'\(order)' is no name of an order: no URL can say it. See: demo order list")
    }
    return try await withSession(options, timeline(options)) { session, desk in
      if options.quiet { warn(of: session.recovery) }
      let order = try await choose(order, session, by: deadline, desk)
      let taker = session.makeTaker()
      desk.atSignal {
        let words = Interrupt.isCtrlC ? "Ctrl-C: cancelling; once more ends" : "cancelling; a second signal ends"
        session.timeline.show(TimelineEntry("you", "\(words) the process"), order: order) { taker.cancel(order) }
      }
      // Ctrl-C may come before there is anything to cancel: then nothing is sent; or just as it begins.
      let future: Taken =
        desk.hasCome ? Future(error: Self.neverBegun) : taker.take(order, under: .lasting(until: deadline))
      if desk.hasCome { taker.cancel(order) }
      let result: Result<AcceptedOrder<String, String>, OrderTakingFailure> = await future.get()
      // The last line is the result: what else there is to show comes before, or not at all.
      session.timeline.end()
      return tell(order, result, options, session) { failure in
        OrderError(failure, order: order, options, wasInterrupted: desk.hasCome)
      }
    }
  }

  private typealias Taken = Future<AcceptedOrder<String, String>, OrderTakingFailure>

  private static let neverBegun = OrderTakingFailure(.cancelled, reason: "cancelled before anything was sent")

  private func choose(
    _ order: String?, _ session: OrderSession, by deadline: ContinuousClock.Instant, _ desk: InterruptDesk
  ) async throws -> String {
    if let order { return order }
    guard let first = try await desk.cancelling({ try await session.openOrders(upTo: 1, by: deadline) }).first else {
      throw OrderError(
        kind: .other, description: "No order is open. Look again later: demo order list\(session.options.sameServer)")
    }
    return first
  }

  private func list(_ options: OrderOptions) async throws -> ExitCode {
    if options.journal != nil { _ = try journalPath(options, "list") }
    return try await withSession(options, Timeline.silent) { session, desk in
      let limit = 10_000
      let orders = try await desk.cancelling { try await session.openOrders(upTo: limit) }
      struct Line: Encodable { let order: String }
      let lines = orders.map { options.json ? jsonLine(Line(order: $0)) : OrderText.line($0) }
      try output.write(lines.map { $0 + "\n" }.joined())
      if orders.count >= limit { try? errors.write("There may be more: the list ends after \(orders.count).\n") }
      return .success
    }
  }

  private func resume(_ options: OrderOptions, within time: TakingTime) async throws -> ExitCode {
    let path = try journalPath(options, "resume")
    return try await withSession(options, timeline(options)) { session, desk in
      if options.quiet { warn(of: session.recovery) }
      let records = try session.journal.records()
      let again = records.filter(\.isWorthTakingAgain)
      // By their bytes, as the journal tells them apart.
      let names = Set(again.map { Array($0.intent.order.utf8) })
      let old = Set(records.filter { $0.isTooOldToPut(under: .standard) }.map { Array($0.intent.order.utf8) })
      let taker = session.makeTaker()
      let policy = TakingPolicy.lasting(until: ContinuousClock.now + time.duration)
      // Taken again under the same key: what was accepted meanwhile is told, and nothing is given twice. A wish that is too old
      // to be put by an unfinished operation is too old to be put by one that ended without knowing.
      let futures = try cancellingAtSignal(taker, desk) {
        // Ctrl-C may come before everything has begun: the rest is left for the next time.
        guard !desk.hasCome else { return [(String, Taken)]() }
        var futures = try taker.resume(under: policy).filter { !names.contains(Array($0.order.utf8)) }.map {
          ($0.order, $0.future)
        }
        for record in again where !desk.hasCome {
          let (order, body) = (record.intent.order, record.intent.body)
          futures.append(
            (
              order,
              old.contains(Array(order.utf8))
                ? taker.settle(order, under: policy) : taker.take(order, body: body, under: policy)
            ))
        }
        return futures
      }
      let isCut = desk.hasCome
      // As they end: one that takes its time keeps nobody from learning of the others.
      let worst = await withTaskGroup(of: (String, Result<AcceptedOrder<String, String>, OrderTakingFailure>).self) {
        group in
        for (order, future) in futures { group.addTask { (order, await future.get()) } }
        var worst = ExitCode.success
        for await (order, result) in group {
          let code = tell(order, result, options, session) { failure in
            OrderError(
              failure, order: order, options, wasOnlyAsked: old.contains(Array(order.utf8)),
              wasInterrupted: desk.hasCome)
          }
          if code.rawValue > worst.rawValue { worst = code }
        }
        return worst
      }
      // Others may not have begun, however well these ended.
      if isCut, worst == .success { throw Interrupted() }
      if futures.isEmpty {
        session.timeline.end()
        try output.write(options.json ? "" : "Nothing is left to do in \(path).\n")
      }
      return worst
    }
  }

  private func status(_ order: String?, _ options: OrderOptions, within limit: Seconds) async throws -> ExitCode {
    let path = try journalPath(options, "status")
    return try await withSession(options, Timeline.silent) { session, desk in
      warn(of: session.recovery)
      let records = try session.journal.records().filter { record in
        order.map { $0.utf8.elementsEqual(record.intent.order.utf8) } ?? true
      }
      if let order, records.isEmpty {
        throw OrderError(
          kind: .journal,
          description: "The journal \(path) has no record of \(order). Take it: \(options.command("take", order))")
      }
      var (worst, isInterrupted) = (ExitCode.success, false)
      if records.isEmpty, !options.json { try write(OrderText.line("The journal \(path) holds no orders.")) }
      let answers = ask(about: records, session, within: limit, quietly: options.quiet, desk)
      for (record, answer) in zip(records, answers) {
        var (now, failure, told) = (record, OrderTakingFailure?.none, OrderTakingFailure.Kind?.none)
        var details: String?
        if let answer {
          var outcome: TakingOutcome?
          do throws(OrderTakingFailure) {
            let accepted = try await answer.get()
            details = accepted.details
            outcome = .accepted(hasDetails: details != nil)
          } catch {
            told = error.kind
            if error.kind == .declined { outcome = .declined(reason: error.reason) } else { failure = error }
          }
          // What is known is told; what is not ends before the journal closes, and there is nothing to tell of it.
          if desk.hasCome, [.cancelled, .unknown].contains(failure?.kind) {
            isInterrupted = true
            continue
          }
          now = try session.journal.record(record.intent.order) ?? record
          // What is known counts, also when the journal could not write it.
          if let outcome { now.change = .ended(outcome) }
        }
        try write(RecordReport.line(now, details: details, json: options.json))
        if answer != nil { session.noteTold(record.intent.order, failure: told) }
        if let failure {
          let error = OrderError(
            failure, order: record.intent.order, options, wasOnlyAsked: record.isTooOldToPut(under: .standard))
          let code = report(error)
          if code.rawValue > worst.rawValue { worst = code }
        }
      }
      if isInterrupted { throw Interrupted() }
      return worst
    }
  }

  /// Asks about all at the same time, and says so: it may take as long as it may take.
  ///
  /// - Returns: For each record its answer, or `nil` when there is nothing to ask.
  private func ask(
    about records: [TakingRecord<String>], _ session: OrderSession, within limit: Seconds, quietly isQuiet: Bool,
    _ desk: InterruptDesk
  ) -> [Taken?] {
    let open = records.filter { !$0.isSettled }.map(\.intent.order)
    // Whoever takes orders listens for pushes at once.
    guard !open.isEmpty else { return records.map { _ in nil } }
    let progress = isQuiet ? .silent : timeline(on: errors, json: false)
    let taker = session.makeTaker { entry in
      // How it ends is told by the command itself.
      if case .ended = entry.happening { return }
      progress.show(entry, from: .warning)
    }
    let what = open.count == 1 ? open[0] : "\(open.count) orders"
    let line = "Asking the server about \(what), for at most \(limit.value.formatted()) s."
    if !isQuiet { try? errors.write(OrderText.line(line) + "\n") }
    let policy = TakingPolicy.lasting(until: ContinuousClock.now + limit.duration)
    return cancellingAtSignal(taker, desk) {
      records.map { record in
        guard !record.isSettled else { return nil }
        // What has not begun when a signal comes stays as it was.
        return desk.hasCome ? Future(error: Self.neverBegun) : taker.settle(record.intent.order, under: policy)
      }
    }
  }

  /// Begins operations that the first signal cancels: also those that begin as it comes.
  private func cancellingAtSignal<Value>(
    _ taker: OrderTaker<String, String>, _ desk: InterruptDesk, _ begin: () throws -> Value
  ) rethrows -> Value {
    let cancelAll: @Sendable () -> Void = { for order in taker.ordersUnderWay { taker.cancel(order) } }
    desk.atSignal(cancelAll)
    let value = try begin()
    // A signal that came meanwhile has cancelled only what had begun by then.
    if desk.hasCome { cancelAll() }
    return value
  }

  private func journalPath(_ options: OrderOptions, _ name: String) throws(OrderError) -> String {
    guard let path = options.journal?.path else {
      throw OrderError(
        kind: .usage, description: "Without a journal nothing is remembered. Say: demo order \(name) --journal FILE")
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw OrderError(
        kind: .journal,
        description: "There is no journal \(path). Give the file that 'demo order take --journal' was given.")
    }
    return path
  }

  // MARK: Saying

  /// Tells that a journal was damaged, where no time-line does.
  private func warn(of recovery: JournalRecovery?) {
    if let recovery { try? errors.write("Warning: \(OrderText.line("\(recovery)"))\n") }
  }

  private func timeline(_ options: OrderOptions) -> Timeline {
    options.quiet ? .silent : timeline(json: options.json)
  }

  private func timeline(on device: TerminalDevice? = nil, json: Bool) -> Timeline {
    let clock = ContinuousClock()
    let start = clock.now
    return Timeline(on: device ?? output, json: json) { start.duration(to: clock.now) }
  }

  /// Tells how an order ended, and notes that it was told once it is written.
  private func tell(
    _ order: String, _ result: Result<AcceptedOrder<String, String>, OrderTakingFailure>, _ options: OrderOptions,
    _ session: OrderSession, _ error: (OrderTakingFailure) -> OrderError
  ) -> ExitCode {
    var code = ExitCode.success
    var told: OrderTakingFailure.Kind?
    do {
      switch result {
      case .success(let accepted): try write(line(for: accepted, options))
      case .failure(let failure):
        told = failure.kind
        let why = error(failure)
        code = why.exitCode
        let line = RecordReport.Line(order: order, state: failure.kind.rawValue, reason: failure.reason)
        // Where nobody reads the one any more, somebody may read the other.
        let written = Result { if options.json { try write(jsonLine(line)) } }
        try errors.write("Error: \(OrderText.line("\(why)"))\n")
        try written.get()
      }
    } catch let error as TerminalError where error.kind == .closed {
      // Whoever read this has seen enough, or has gone: it is told again.
      return code
    } catch {
      return report(
        OrderError(kind: .cannotSave, description: "What became of order \(order) cannot be written: \(error)"))
    }
    session.noteTold(order, failure: told)
    return code
  }

  private func line(for accepted: AcceptedOrder<String, String>, _ options: OrderOptions) -> String {
    guard !options.json else {
      return jsonLine(
        RecordReport.Line(
          order: accepted.order, state: RecordReport.accepted, details: accepted.details,
          reason: accepted.details == nil ? RecordReport.withoutDetails : nil))
    }
    let details = accepted.details ?? "its details never came; ask again with demo order resume"
    return OrderText.line("Order \(accepted.order) is yours: \(details)")
  }

  private func write(_ line: String) throws { try output.write(line + "\n") }

  private func report(_ error: OrderError) -> ExitCode {
    try? errors.write("Error: \(OrderText.line("\(error)"))\n")
    return error.exitCode
  }
}

extension TakingPolicy {
  /// The standard rules, with what is left until an instant for a budget, and as many attempts as there is time for.
  ///
  /// Who waits for a push does so for a quarter of the time at most, so that there is some to ask in.
  fileprivate static func lasting(until deadline: ContinuousClock.Instant) -> TakingPolicy {
    var policy = standard
    let budget = max(.zero, ContinuousClock.now.duration(to: deadline))
    policy.budget = budget
    policy.attempts = nil
    policy.delayBeforeFirstGet = min(policy.delayBeforeFirstGet, budget / 4)
    return policy
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
