internal import Arguments
internal import Futures
internal import OrderTaking

/// `demo order take`: takes an order, and prints the events of both channels.
struct TakeCommand: DemoCommand {
  /// The name of the order, or `nil` for the first open one.
  let order: OrderID?
  let options: OrderOptions
  let limit: Duration

  static let declaration = Command<any DemoCommand>(
    "take", abstract: "Take an order, and show the events of both channels.",
    discussion: """
      Without --server, the command starts an embedded server with a few orders. Without an order, it takes the first open one.

      Failed requests are retried until --timeout. Then the command reports that the order is yours, that it was not taken \
      because no request reached the server, or that the outcome is unknown (exit code 3).

      With --journal, 'demo order resume' finishes an interrupted order with the same idempotency key. With --database, the \
      workers of 'demo order work' do. The tables are created on first use.

      Ctrl-C cancels and reports the outcome. A second Ctrl-C ends the process at once.
      """,
    examples: [
      CommandExample("demo order take", "Take an order from the embedded server."),
      CommandExample("demo order take tour-2 --faults all --seed 7", "Take an order despite simulated faults."),
      CommandExample(
        "demo order take tour-2 --journal takings.sqlite", "Record each step, so that an order survives a crash."),
      CommandExample(
        "demo order take tour-7 --server https://localhost:7000 --ca ca.pem", "Use a server with a private authority."),
    ],
    output: { (order: OrderID?, options: OrderOptions, limit: Duration) in
      TakeCommand(order: order, options: options, limit: limit)
    }
  ) {
    Argument<OrderID?>("order", help: "Name of the order; default: the first open order.")
    OrderOptions.group
    OrderOptions.timeout
  }

  func run() async throws -> ExitCode {
    let deadline = ContinuousClock.now + limit
    return try await OrderSession(options, within: limit).use { session in
      if let order { return try await take(order, session, by: deadline) }
      guard let first = try await session.openOrders(attempts: .max, by: deadline).first else {
        throw DemoError(
          "No order is open.",
          next: options.server == nil ? "Give another --journal for new orders." : "Try again later.")
      }
      return try await take(first, session, by: deadline)
    }
  }

  private func take(
    _ order: OrderID, _ session: OrderSession, by deadline: ContinuousClock.Instant
  ) async throws -> ExitCode {
    let (taker, storage) = (session.makeTaker(), session.storage)
    let unsubscribe = storage.subscribe { event in
      if case .cancel(order, _) = event { taker.cancel(order) }
    }
    defer { unsubscribe() }
    try Task.checkCancellation()
    let future = taker.take(order, under: .lasting(until: deadline))
    let end = await withTaskCancellationHandler {
      await uncancelled { () -> TakingEnd in await future.get() }
    } onCancel: {
      session.timeline.show(
        TimelineEvent(.you, "cancelling; press Ctrl-C again to end the process"), order: order)
      taker.cancel(order)
      guard options.database != nil else { return }
      // If another worker owns the order, it cancels it or reports its outcome. It may have crashed.
      _ = storage.requestCancel(order, EmbeddedServer.driver)
      Task {
        try? await Task.sleep(for: .seconds(2))
        future.cancel()
      }
    }
    // The result is the last line of the output.
    session.timeline.end()
    return try await session.deliver(end, of: order, taker)
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
