internal import Arguments
internal import Futures
internal import OrderTaking
internal import OrderTakingPostgres

/// `demo order work`: finishes the orders of a database until a signal.
struct WorkCommand: DemoCommand {
  let options: OrderOptions
  let database: PostgresConfiguration
  /// The number of workers.
  let workers: Int

  static let declaration = Command<any DemoCommand>(
    "work", abstract: "Finish the orders of a PostgreSQL database until Ctrl-C.",
    discussion: """
      Each worker takes over orders whose worker has ended, with the same idempotency keys. It owns an order for 30 seconds, \
      and renews this lease every 10 seconds. Any number of processes can work on one database.

      Ctrl-C releases the orders, so that other workers continue at once. After a crash they continue when the leases end.
      """,
    examples: [
      CommandExample("demo order work --database postgres://localhost/orders --workers 4", "Run four workers.")
    ],
    output: { (options: OrderOptions, workers: Int) throws(ValidationError) in
      guard let database = options.database else {
        throw ValidationError("'demo order work' needs a database. Add --database URL.")
      }
      try reject(!(1...64).contains(workers), "'--workers' must be a number from 1 to 64, not \(workers).")
      return WorkCommand(options: options, database: database, workers: workers)
    }
  ) {
    OrderOptions.group
    Option<Int>("workers", default: 1, valueName: "count", help: "Number of workers; 1 to 64.")
  }

  func run() async throws -> ExitCode {
    try await OrderSession(options).use { session in
      let timeline = session.timeline
      let (events, event) = AsyncStream.makeStream(of: WorkEvent.self)
      for _ in 0..<workers {
        let name = try await DueOrders.start(session, database) { event.yield($0) }
        timeline.show(TimelineEvent(.worker, "\(name) started"))
      }
      try await show(events, session)
      // Closing the session releases the orders, so that other workers continue at once.
      timeline.show(TimelineEvent(.worker, "releasing the orders to other workers"))
      return .interrupted
    }
  }

  /// Prints the outcomes until a signal.
  ///
  /// - Throws: An error of the output. Another worker then reports the outcome.
  private func show(_ events: AsyncStream<WorkEvent>, _ session: OrderSession) async throws {
    var lastError: JournalError?
    for await event in events {
      switch event {
      case .ended(let order, let end, let taker):
        // If the journal failed or another worker has taken over, the outcome is not recorded and is reported later.
        if case .failure(let failure) = end, !failure.isRecorded { continue }
        _ = try await session.deliver(end, of: order, taker)
      case .failed(let error):
        // A lasting error is reported once.
        if error != lastError { _ = report(DemoError("\(error)")) }
        lastError = error
      }
    }
  }
}

private enum WorkEvent: Sendable {
  case ended(String, TakingEnd, Taker)
  case failed(JournalError)
}

/// Claims and resumes the due orders of one worker, as long as not too many are under way.
private final class DueOrders: Sendable {
  /// The maximum number of orders that are claimed at once: few, so that all workers get orders.
  private static let batch = 32

  private struct State {
    var isClaiming = false
    var runningCount = 0
    /// Whether orders may be due that were not claimed.
    var mayHaveMore = false
  }

  private let taker: Taker
  private let handle: @Sendable (WorkEvent) -> Void
  private let state = Locked(State())

  /// Starts a worker, which claims orders when they become due, and returns its name.
  static func start(
    _ session: OrderSession, _ database: PostgresConfiguration, _ handle: @escaping @Sendable (WorkEvent) -> Void
  ) async throws -> String {
    var database = database
    database.claimCount = batch
    let current = Locked<DueOrders?>(nil)
    let (worker, taker) = try await session.startWorker(on: database, wake: { current.withLock { $0 }?.resume() })
    let orders = DueOrders(taker, handle)
    current.withLock { $0 = orders }
    orders.resume()
    return worker.name
  }

  private init(_ taker: Taker, _ handle: @escaping @Sendable (WorkEvent) -> Void) {
    (self.taker, self.handle) = (taker, handle)
  }

  /// Claims a batch of orders.
  ///
  /// A slow order does not delay the others: the next batch is claimed when half of this one has ended.
  private func resume() {
    let mayClaim = state.withLock { state in
      state.mayHaveMore = true
      guard !state.isClaiming, state.runningCount <= Self.batch / 2 else { return false }
      (state.isClaiming, state.mayHaveMore) = (true, false)
      return true
    }
    guard mayClaim else { return }
    taker.resume().onComplete(immediateExecutionContext) { [self] result in
      let orders = (try? result.get()) ?? []
      let mayHaveMore = state.withLock { state in
        state.isClaiming = false
        state.runningCount += orders.count
        return state.mayHaveMore || !orders.isEmpty
      }
      for order in orders {
        order.future.onComplete(immediateExecutionContext) { [self] end in
          handle(.ended(order.order, end, taker))
          let mayHaveMore = state.withLock { state in
            state.runningCount -= 1
            return state.mayHaveMore
          }
          if mayHaveMore { resume() }
        }
      }
      // After an error, the next call of `wake` tries again.
      if case .failure(let error) = result { handle(.failed(error)) } else if mayHaveMore { resume() }
    }
  }
}

extension OrderTakingFailure {
  /// Whether the journal has the outcome, and not only a failure of the journal or another worker.
  fileprivate var isRecorded: Bool {
    switch (kind, cause) {
    case (.journal, _), (.unknown, .journal?), (.unknown, .fenced?), (.unknown, nil): false
    default: true
    }
  }
}
