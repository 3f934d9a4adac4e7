internal import Futures

/// The operations of a taker, and their dependencies.
///
/// `@unchecked Sendable`: `unsubscribe` has a lock, and the other fields are constants.
final class TakingCore<OrderID: Hashable & Sendable, Details: Sendable>: @unchecked Sendable {
  typealias Running = RunningTaking<OrderID, Details>
  typealias Outcome = Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure>

  let http: OrderHTTPClient<OrderID, Details>
  let journal: Journal<OrderID>
  let environment: TakingEnvironment
  let deliver: ExecutionContext
  let acknowledgement: ResultAcknowledgement
  let makeKey: @Sendable () -> IdempotencyKey
  let log: (@Sendable (TakingProgress<OrderID>) -> Void)?
  let observer: Observer?

  /// Enough shards that threads seldom wait for each other.
  ///
  /// The number must be a power of two.
  private let shards = (0..<32).map { _ in TakingShard<OrderID, Details>() }
  private let unsubscribe = Locked<(@Sendable () -> Void)?>(nil)

  init(
    http: OrderHTTPClient<OrderID, Details>, journal: Journal<OrderID>, policy: TakingPolicy, timers: Timers,
    deliver: @escaping ExecutionContext, acknowledgement: ResultAcknowledgement,
    makeKey: @escaping @Sendable () -> IdempotencyKey, log: (@Sendable (TakingProgress<OrderID>) -> Void)?,
    observer: Observer?
  ) {
    self.http = http
    self.journal = journal
    environment = TakingEnvironment(timers, policy, isLogged: log != nil || observer != nil)
    self.deliver = deliver
    self.acknowledgement = acknowledgement
    self.makeKey = makeKey
    self.log = log
    self.observer = observer
  }

  deinit {
    unsubscribe.withLock { $0 }?()
  }

  func listen(to push: PushClient<OrderID>) {
    // Weakly, because the channel may outlive every operation.
    let stop = push.subscribe { [weak self] in self?.received($0) }
    unsubscribe.withLock { $0 = stop }
  }

  private func received(_ pushed: PushedResult<OrderID>) {
    operation(of: pushed.order)?.receive(.pushed(pushed.result, key: pushed.key, cursor: pushed.cursor))
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

  /// Returns a future of an order's operation, and the operation itself if this call has created it and must start it.
  private func join(_ order: OrderID, body: [UInt8]?, under policy: TakingPolicy?) -> (Outcome, new: Running?) {
    let shard = shard(of: order)
    shard.lock()
    defer { shard.unlock() }
    if let operation = shard.running[OrderKey(order)] {
      if let body, let known = operation.body, known != body { return (Future(error: Self.otherBody(order)), nil) }
      return (operation.future(), nil)
    }
    let operation = Running(order, body: body, under: policy, core: self, shard: shard)
    shard.running.updateValue(operation, forKey: OrderKey(order))
    return (operation.future(), operation)
  }

  // MARK: The calls of a taker

  func take(_ order: OrderID, body: [UInt8], under policy: TakingPolicy?) -> Outcome {
    let (future, new) = join(order, body: body, under: policy)
    new?.startTaking(body)
    return future
  }

  func reconcile(_ order: OrderID, under policy: TakingPolicy?) -> Outcome {
    let (future, new) = join(order, body: nil, under: policy)
    new?.startReconciling()
    return future
  }

  func resume(under other: TakingPolicy?) -> Future<[ResumedOrder<OrderID, Details>], JournalError> {
    journal.openRecords().map(immediateExecutionContext) { records in
      let policy = self.environment.policy.value
      if policy.has(.forgetsToResume) { return [] }
      return records.compactMap { record in
        if !record.isUnfinished, policy.has(.forgetsUndeliveredEnds) { return nil }
        let (future, new) = self.join(record.intent.order, body: record.intent.body, under: other)
        new?.startResuming(record)
        return ResumedOrder(order: record.intent.order, future: future)
      }
    }
  }

  func cancel(_ order: OrderID) -> Bool {
    guard let operation = operation(of: order) else { return false }
    operation.receive(.cancel)
    return true
  }

  func acknowledge(
    _ result: Result<AcceptedOrder<OrderID, Details>, OrderTakingFailure>, of order: OrderID
  ) -> Future<Void, JournalError> {
    journal.record(order).flatMap(immediateExecutionContext) { record -> Future<Void, JournalError> in
      guard let record, !record.isDelivered, case .ended(let outcome) = record.checkpoint,
        outcome.isReported(by: result)
      else { return Future(value: ()) }
      return self.journal.acknowledge(record)
    }.andThen(context: immediateExecutionContext) { _ in self.releaseIfIdle(order) }
  }

  /// Releases an order, unless an operation of it is under way.
  ///
  /// With the lock, so that the journal receives the release before the first call of a later operation.
  func releaseIfIdle(_ order: OrderID) {
    let shard = shard(of: order)
    shard.lock()
    defer { shard.unlock() }
    if shard.running[OrderKey(order)] == nil { journal.release(order) }
  }

  static func otherBody(_ order: OrderID) -> OrderTakingFailure {
    OrderTakingFailure(
      .keyMismatch,
      reason: "Cannot take order \(order): an earlier request for it has another body. Use the same body.")
  }
}

extension TakingOutcome {
  /// Whether a caller who has this result knows the outcome.
  fileprivate func isReported<OrderID, Details>(
    by result: Result<AcceptedOrder<OrderID, Details>, OrderTakingFailure>
  ) -> Bool {
    switch (self, result) {
    case (.accepted(let hasDetails), .success(let accepted)): accepted.details != nil || !hasDetails
    case (_, .success): false
    case (_, .failure(let failure)):
      // A failure of the journal can have its cause after the reason.
      OrderTakingFailure(self).map {
        $0.kind == failure.kind && $0.status == failure.status && failure.reason.hasPrefix($0.reason)
      } ?? false
    }
  }
}

/// The operations of some of the orders, and the lock that they share.
///
/// `@unchecked Sendable`: the lock guards `running`.
final class TakingShard<OrderID: Hashable & Sendable, Details: Sendable>: Lock, @unchecked Sendable {
  @exclusivity(unchecked) var running: [OrderKey<OrderID>: RunningTaking<OrderID, Details>] = [:]

  override init() {}
}
