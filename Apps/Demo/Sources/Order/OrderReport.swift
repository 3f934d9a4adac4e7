internal import Arguments
internal import Foundation
internal import Futures
internal import OrderTaking
internal import Terminal

typealias TakingEnd = Result<AcceptedOrder<String>, OrderTakingFailure>

/// An order as JSON, with the same states in all commands.
struct OrderLine: Encodable, Equatable {
  struct Attempt: Encodable, Equatable {
    let worker: String
    let startedAt: Double
    let seconds: Double
    let requests: Int
    let lastError: String?

    var text: String {
      let date = Date(timeIntervalSince1970: startedAt).formatted(.iso8601)
      let requests = requests == 1 ? "1 request" : "\(requests) requests"
      return "\(date)  \(worker): \(requests) in \(String(format: "%.3f s", seconds))"
        + (lastError.map { ", last error: \($0)" } ?? "")
    }
  }

  let order: String
  var state = "accepted"
  var key: String?
  var details: String?
  var reason: String?
  var driver: String?
  var worker: String?
  var attempts: [Attempt]?

  /// The line of a result.
  init(_ end: TakingEnd, of order: OrderID) {
    self.order = order.text
    switch end {
    case .success(let accepted):
      details = accepted.details
      if details == nil { reason = "without details" }
    case .failure(let failure): (state, reason) = (failure.kind.rawValue, failure.reason)
    }
  }

  /// The line of a record, without details.
  init(_ listed: ListedRecord) {
    let record = listed.record
    (order, key) = (record.intent.order.text, record.intent.key.description)
    (state, driver, worker) = (record.state.rawValue, listed.driver.text, listed.owner)
    attempts = record.attempts.map { attempt in
      Attempt(
        worker: attempt.worker, startedAt: attempt.startedAt / .seconds(1),
        seconds: (attempt.lastChangeAt - attempt.startedAt) / .seconds(1), requests: attempt.requestCount,
        lastError: attempt.lastError)
    }
    switch record.checkpoint {
    case .begun: reason = "a PUT may have been sent"
    case .acknowledged: reason = "the server is processing it"
    case .accepted: reason = "accepted, details to come"
    case .ended(.accepted(let hasDetails)): if !hasDetails { reason = "without details" }
    case .ended(let outcome): reason = OrderTakingFailure(outcome)?.reason
    }
  }

  /// The line of `status` and `list`, as text.
  var text: String {
    "\(order)  \(state)" + (reason.map { ": \($0)" } ?? "") + (worker.map { "  worker \($0)" } ?? "")
      + (key.map { "  key \($0)" } ?? "")
  }
}

extension OrderSession {
  /// Prints the outcome of an order, and then acknowledges it, so that `resume` prints only the others.
  ///
  /// - Returns: The exit code of the outcome.
  func deliver(_ end: TakingEnd, of order: OrderID, _ taker: Taker) async throws -> ExitCode {
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

  /// Prints an outcome.
  ///
  /// - Returns: Its exit code.
  func show(_ end: TakingEnd, of order: OrderID) throws -> ExitCode {
    let line = OrderLine(end, of: order)
    switch end {
    case .success(let accepted):
      let next = options.journal == nil ? "" : " Take it again to get them."
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
    _ failure: OrderTakingFailure, of order: OrderID, _ options: OrderOptions, lastError: HTTPError? = nil,
    isInterrupted: Bool = false
  ) {
    let isOfServer = failure.status != nil && lastError?.problem != nil
    let last = isOfServer ? "" : lastError.map { " Last error: \($0)" } ?? ""
    var (problem, next) = ("Cannot take order \(order): \(failure.reason)", "")
    switch failure.kind {
    case .declined:
      problem = "Order \(order) was declined: \(failure.reason)."
      next = "Choose another order with 'demo order list'."
    case .rejected where failure.status == 401:
      problem = "Cannot take order \(order): the token is missing or wrong."
      next = "Give it with --token."
    case .rejected where ["invalid_name", "no_such_order"].contains(lastError?.problem?.rawValue):
      problem = "Cannot take order \(order): no order has this name."
      next = "See the names with 'demo order list'."
    case .rejected: next = "Check --server and --token.\(last)"
    case .unknown:
      problem = "The outcome of order \(order) is unknown: \(Self.cause(of: failure))"
      next =
        options.journal == nil && options.database == nil
        ? "Take it again. Use --journal FILE the next time, which keeps the idempotency key.\(last)"
        : "Ask again with 'demo order reconcile', or take it again with the same options; its key stays the same.\(last)"
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
    switch failure.outcome {
    case .unknown(.cancelled): "cancelled before the server answered."
    case .unknown(.expired): "no final answer before the time limit."
    case .unknown(.refused(let status)): "the server answered with status \(status)."
    // The reason has the error of the journal.
    default: failure.reason
    }
  }
}
