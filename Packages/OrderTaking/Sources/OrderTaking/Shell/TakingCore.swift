internal import Futures

/// The operations under way, and what they share.
final class TakingCore<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  typealias Running = RunningTaking<OrderID, Details>
  typealias Outcome = Result<AcceptedOrder<OrderID, Details>, OrderTakingFailure>

  let http: HTTPClient<OrderID, Details>
  let journal: Journal<OrderID>
  let policy: TakingPolicy
  let timers: Timers
  let deliver: ExecutionContext
  let makeKey: @Sendable () -> IdempotencyKey
  let log: (@Sendable (TakingProgress<OrderID>) -> Void)?

  let counters = Locked(TakingCounters())
  private let running = Locked<[OrderID: Running]>([:])
  private let unsubscribe = Locked<(@Sendable () -> Void)?>(nil)

  init(
    http: HTTPClient<OrderID, Details>, journal: Journal<OrderID>, policy: TakingPolicy, timers: Timers,
    deliver: @escaping ExecutionContext, makeKey: @escaping @Sendable () -> IdempotencyKey,
    log: (@Sendable (TakingProgress<OrderID>) -> Void)?
  ) {
    self.http = http
    self.journal = journal
    self.policy = policy
    self.timers = timers
    self.deliver = deliver
    self.makeKey = makeKey
    self.log = log
  }

  deinit {
    unsubscribe.withLock { $0 }?()
  }

  func listen(to push: PushClient<OrderID>) {
    // Weakly: the channel may outlive every operation.
    let stop = push.subscribe { [weak self] pushed in
      guard let operation = self?.operation(of: pushed.order) else {
        self?.counters.withLock { $0.strayPushes += 1 }
        return
      }
      operation.receive(.pushed(order: pushed.order, key: pushed.key, pushed.result, cursor: pushed.cursor))
    }
    unsubscribe.withLock { $0 = stop }
  }

  var ordersUnderWay: [OrderID] { running.withLock { Array($0.keys) } }

  func operation(of order: OrderID) -> Running? { running.withLock { $0[order] } }

  func remove(_ operation: Running) {
    running.withLock { $0[operation.order] = nil }
  }

  /// The operation of an order, and whether it was made by this call, which then has to start it.
  private func join(_ order: OrderID, body: [UInt8]?, under policy: TakingPolicy?) -> (Running, isNew: Bool) {
    running.withLock { running in
      if let operation = running[order] { return (operation, false) }
      let operation = Running(order, body: body, under: policy ?? self.policy, core: self)
      running[order] = operation
      return (operation, true)
    }
  }

  func take(
    _ order: OrderID, body: [UInt8], under policy: TakingPolicy?
  ) -> Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    let (operation, isNew) = join(order, body: body, under: policy)
    if isNew {
      operation.startTaking(body)
    } else if let known = operation.body, known != body {
      return Future(error: Self.otherBody(order))
    }
    return operation.future
  }

  func settle(_ order: OrderID) -> Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    let (operation, isNew) = join(order, body: nil, under: nil)
    if isNew { operation.startSettling() }
    return operation.future
  }

  func resume() throws(JournalError) -> [ResumedOrder<OrderID, Details>] {
    try journal.records().filter(\.isUnfinished).map { record in
      let (operation, isNew) = join(record.intent.order, body: record.intent.body, under: nil)
      if isNew {
        // A clock that was turned back makes a record younger, never older.
        let isExpired = policy.budget.map { timers.now() - record.begunAt > $0 } ?? false
        operation.start(record, .resume(last: record.change, isExpired: isExpired))
      }
      return ResumedOrder(order: record.intent.order, future: operation.future)
    }
  }

  func cancel(_ order: OrderID) -> Bool {
    guard let operation = operation(of: order) else { return false }
    operation.receive(.cancel)
    return true
  }

  func progress(of order: OrderID) -> AsyncStream<TakingProgress<OrderID>> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: TakingProgress<OrderID>.self, bufferingPolicy: .bufferingNewest(256))
    if let operation = operation(of: order) { operation.watch(continuation) } else { continuation.finish() }
    return stream
  }

  static func otherBody(_ order: OrderID) -> OrderTakingFailure {
    OrderTakingFailure(
      .keyMismatch,
      reason: "Order \(order) is being taken with another body. Wait for its end, or take it with the same body.")
  }
}
