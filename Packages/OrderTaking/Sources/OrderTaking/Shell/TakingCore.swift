internal import Futures

/// The operations under way, and what they share.
///
/// `@unchecked Sendable`: `unsubscribe` has a lock of its own, and nothing else changes.
final class TakingCore<OrderID: Hashable & Sendable, Details: Sendable>: TakingEnvironment, @unchecked Sendable {
  typealias Running = RunningTaking<OrderID, Details>
  typealias Outcome = Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure>

  let http: HTTPClient<OrderID, Details>
  let journal: Journal<OrderID>
  let deliver: ExecutionContext
  let makeKey: @Sendable () -> IdempotencyKey
  let log: (@Sendable (TakingProgress<OrderID>) -> Void)?

  /// As many as keep threads from waiting for each other; a power of two.
  private let shards = (0..<32).map { _ in TakingShard<OrderID, Details>() }
  private let unsubscribe = Locked<(@Sendable () -> Void)?>(nil)

  init(
    http: HTTPClient<OrderID, Details>, journal: Journal<OrderID>, policy: TakingPolicy, timers: Timers,
    deliver: @escaping ExecutionContext, makeKey: @escaping @Sendable () -> IdempotencyKey,
    log: (@Sendable (TakingProgress<OrderID>) -> Void)?
  ) {
    self.http = http
    self.journal = journal
    self.deliver = deliver
    self.makeKey = makeKey
    self.log = log
    super.init(timers, policy, isLogged: log != nil)
  }

  deinit {
    unsubscribe.withLock { $0 }?()
  }

  func listen(to push: PushClient<OrderID>) {
    // Weakly: the channel may outlive every operation.
    let stop = push.subscribe { [weak self] in self?.received($0) }
    unsubscribe.withLock { $0 = stop }
  }

  private func received(_ pushed: PushedResult<OrderID>) {
    guard let operation = operation(of: pushed.order) else { return counters.countStrayPush() }
    operation.receive(.pushed(isOwnOrder: true, key: pushed.key, pushed.result, cursor: pushed.cursor))
  }

  // MARK: Finding operations

  func shard(of order: OrderID) -> TakingShard<OrderID, Details> {
    shards[OrderKey(order).hashValue & (shards.count - 1)]
  }

  var ordersUnderWay: [OrderID] {
    shards.flatMap { shard in shard.withLock { shard.running.keys.map(\.order) } }
  }

  private func operation(of order: OrderID) -> Running? {
    let shard = shard(of: order)
    shard.lock()
    defer { shard.unlock() }
    return shard.running[OrderKey(order)]
  }

  /// A future of an order's operation, and the operation itself when this call has made it, and has to start it.
  private func join(_ order: OrderID, body: [UInt8]?, under policy: TakingPolicy?) -> (Outcome, new: Running?) {
    let shard = shard(of: order)
    shard.lock()
    defer { shard.unlock() }
    if let operation = shard.running[OrderKey(order)] {
      if let body, let known = operation.body, known != body { return (Future(error: Self.otherBody(order)), nil) }
      return (operation.future(), nil)
    }
    let operation = Running(order, body: body, under: policy, core: self, lock: shard)
    shard.running.updateValue(operation, forKey: OrderKey(order))
    return (operation.future(), operation)
  }

  // MARK: What a taker does

  func take(_ order: OrderID, body: [UInt8], under policy: TakingPolicy?) -> Outcome {
    let (future, new) = join(order, body: body, under: policy)
    new?.startTaking(body)
    return future
  }

  func settle(_ order: OrderID, under policy: TakingPolicy?) -> Outcome {
    let (future, new) = join(order, body: nil, under: policy)
    new?.startSettling()
    return future
  }

  func resume(under other: TakingPolicy?) throws(JournalError) -> [ResumedOrder<OrderID, Details>] {
    try journal.records().filter(\.needsResuming).map { record in
      let (future, new) = join(record.intent.order, body: record.intent.body, under: other)
      new?.startResuming()
      return ResumedOrder(order: record.intent.order, future: future)
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
    let shard = shard(of: order)
    let isUnderWay = shard.withLock {
      let operation = shard.running[OrderKey(order)]
      operation?.watch(continuation)
      return operation != nil
    }
    if !isUnderWay { continuation.finish() }
    return stream
  }

  static func otherBody(_ order: OrderID) -> OrderTakingFailure {
    OrderTakingFailure(
      .keyMismatch,
      reason: "Cannot take order \(order): an earlier request for it has another body. Use the same body.")
  }
}

/// The operations of some of the orders, behind the lock that they share.
///
/// `@unchecked Sendable`: `running` is touched only while the lock is held.
final class TakingShard<OrderID: Hashable & Sendable, Details: Sendable>: TakingLock, @unchecked Sendable {
  @exclusivity(unchecked) var running: [OrderKey<OrderID>: RunningTaking<OrderID, Details>] = [:]
}
