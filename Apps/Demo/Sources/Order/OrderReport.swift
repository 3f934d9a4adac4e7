internal import Arguments
internal import Futures
internal import OrderTaking
internal import Terminal

typealias TakingEnd = Result<AcceptedOrder<String, String>, OrderTakingFailure>

/// An order as JSON, with the same states in all commands.
struct OrderLine: Encodable, Equatable {
  let order: String
  var state = "accepted"
  var key: String?
  var details: String?
  var reason: String?

  /// The line of a result.
  init(_ end: TakingEnd, of order: String) {
    self.order = order
    switch end {
    case .success(let accepted):
      details = accepted.details
      if details == nil { reason = "without details" }
    case .failure(let failure): (state, reason) = (failure.kind.rawValue, failure.reason)
    }
  }

  /// The line of a record, without details.
  init(_ record: TakingRecord<String>) {
    (order, key) = (record.intent.order, record.intent.key.description)
    switch record.checkpoint {
    case .begun: state = "begun"
    case .acknowledged: state = "processing"
    case .accepted: reason = "details to come"
    case .ended(.accepted(let hasDetails)): if !hasDetails { reason = "without details" }
    case .ended(let outcome):
      guard let failure = OrderTakingFailure(outcome) else { return }
      (state, reason) = (failure.kind.rawValue, failure.reason)
    }
  }

  /// The line of `status`, as text.
  var text: String {
    "\(order)  \(state)" + (reason.map { ": \($0)" } ?? "") + (key.map { "  key \($0)" } ?? "")
  }
}

extension OrderSession {
  /// Prints the outcome of an order, and then acknowledges it, so that `resume` prints only the others.
  ///
  /// - Returns: The exit code of the outcome.
  func deliver(_ end: TakingEnd, of order: String, _ taker: Taker) async throws -> ExitCode {
    let code = try show(end, of: order)
    // Another worker owns the order and reports its outcome.
    if case .failure(.cancellation) = end { return code }
    let acknowledged = await uncancelled { () -> Result<Void, JournalError> in
      await taker.acknowledge(end, of: order).get()
    }
    if case .failure(let error) = acknowledged, error.kind != .fenced {
      options.output.warn("Warning: The outcome of order \(order) will be reported again. \(error)")
    }
    return code
  }

  private func show(_ end: TakingEnd, of order: String) throws -> ExitCode {
    let line = OrderLine(end, of: order)
    switch end {
    case .success(let accepted):
      let next = options.journal == nil ? "" : " Get them with 'demo order resume'."
      let text = "Order \(order) is yours: \(accepted.details ?? "no details received.\(next)")"
      do throws(TerminalError) { try options.output.result(line, text) } catch {
        guard error.kind != .closed else { throw error }
        // The outcome is not lost with the output.
        throw DemoError("\(error)", next: text)
      }
      return .success
    case .failure(let failure):
      let lastError = timeline.removeLastError(of: order)
      let code = report(
        DemoError(failure, of: order, options, lastError: lastError, isInterrupted: Task.isCancelled))
      if options.output.json {
        do throws(TerminalError) { try options.output.result(line, "") } catch {
          // The exit code still reports the outcome of an order whose reader has ended.
          guard error.kind == .closed else { throw error }
        }
      }
      return code
    }
  }
}

extension DemoError {
  /// Creates the error of an order that was not taken, or whose outcome is unknown.
  ///
  /// - Parameters:
  ///   - lastError: The error of the last failed request, if there is one.
  ///   - isInterrupted: Whether a signal cancelled the command.
  init(
    _ failure: OrderTakingFailure, of order: String, _ options: OrderOptions, lastError: HTTPError? = nil,
    isInterrupted: Bool = false
  ) {
    let last = failure.status == nil ? lastError.map { " Last error: \($0)" } ?? "" : ""
    var (problem, next) = ("Cannot take order \(order): \(failure.reason)", "")
    switch failure.kind {
    case .declined:
      problem = "Order \(order) was declined: \(failure.reason)."
      next = "Choose another order with 'demo order list'."
    case .rejected where failure.status == 401:
      problem = "Cannot take order \(order): the token is missing or wrong."
      next = "Give it with --token."
    case .rejected where failure.status == 400 || failure.status == 404:
      problem = "Cannot take order \(order): no order has this name."
      next = "See the names with 'demo order list'."
    case .rejected: next = "Check --server and --token."
    case .unknown:
      problem = "The outcome of order \(order) is unknown: \(Self.cause(of: failure))"
      next =
        options.journal == nil && options.database == nil
        ? "Take it again. Use --journal FILE the next time, which keeps the idempotency key.\(last)"
        : "Take it again with the same options. Its idempotency key stays the same.\(last)"
    case .expired where lastError?.problem == .noSuchTaking:
      problem = "Order \(order) was not taken: the server has no record of it."
      next = "Take it again."
    case .expired:
      problem = "Order \(order) was not taken: no PUT was processed before the time limit."
      next =
        lastError == nil
        ? "Take it again."
        : "Check the order's name, --server and --ca, or take it again with a longer --timeout.\(last)"
    // The reason has the next step.
    default: break
    }
    let exitCode: ExitCode = failure.kind == .unknown ? .unknownOutcome : .failure
    self.init(isInterrupted ? .interrupted : exitCode, problem, next: next)
  }

  private static func cause(of failure: OrderTakingFailure) -> String {
    switch failure.cause {
    case .cancelled: "cancelled before the server answered."
    case .expired: "no final answer before the time limit."
    case .refused(let status): "the server answered with status \(status)."
    // The reason has the error of the journal.
    case .journal, .fenced, nil: failure.reason
    }
  }
}
