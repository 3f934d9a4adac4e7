public import Dispatch
public import Futures

/// Takes orders over an unreliable network.
///
/// Each order is taken at most once. With a durable journal and ``ResultAcknowledgement/explicit``, no result is lost.
///
/// ```swift
/// let taker = OrderTaker(httpClient: http, pushClient: push, journal: journal)
/// taker.take(order)
///   .onSuccess { accepted in show(accepted.details) }
///   .onFailure { failure in show(failure.reason) }
/// ```
///
/// **At most once.** All calls for an order under way share one operation, with one idempotency key and one result. The
/// journal contains the idempotency key and the state before the first PUT is sent. After a restart, ``resume(under:)``
/// continues the operation.
///
/// **Threads.** You can use every member from any thread. Futures complete in the context that you pass. The events of
/// one order are handled one at a time. Different orders are handled concurrently.
///
/// **Lifetime.** An operation continues to its end when the taker is released.
///
/// **Cost.** A push finds its operation in constant time. An operation that polls forever uses constant memory. A
/// waiting operation uses about one kilobyte, with its future and its record in memory.
///
/// Source: *Reasons to love functional programming*, the `OperationUseCase`.
public final class OrderTaker<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
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
  let shards = (0..<32).map { _ in TakingShard<OrderID, Details>() }
  private let unsubscribe = Locked<(@Sendable () -> Void)?>(nil)

  /// Creates a taker that listens to the push channel.
  ///
  /// `journal` stores the records that ``resume(under:)`` reads after a restart; `.inMemory()` loses them when the
  /// process ends. `makeKey` returns a unique key, and is called once for each new intent.
  ///
  /// `log` is called with each step of each order, on any thread, one step of an order at a time. It must return
  /// quickly, and must not call the taker.
  public init(
    httpClient: OrderHTTPClient<OrderID, Details>,
    pushClient: PushClient<OrderID> = .none,
    journal: Journal<OrderID>,
    policy: TakingPolicy = .standard,
    timers: Timers = .dispatch(),
    deliveringOn context: @escaping ExecutionContext = DispatchQueue.main.context,
    acknowledging acknowledgement: ResultAcknowledgement = .automatic,
    makeKey: @escaping @Sendable () -> IdempotencyKey = OrderTaker.randomKey,
    log: (@Sendable (TakingProgress<OrderID>) -> Void)? = nil,
    observer: Observer? = nil
  ) {
    http = httpClient
    self.journal = journal
    environment = TakingEnvironment(timers, policy, isLogged: log != nil || observer != nil)
    deliver = context
    self.acknowledgement = acknowledgement
    self.makeKey = makeKey
    self.log = log
    self.observer = observer
    // Weakly, because the channel may outlive every operation.
    let stop = pushClient.subscribe { [weak self] pushed in
      self?.operation(of: pushed.order)?.receive(.pushed(pushed.result, key: pushed.key, cursor: pushed.cursor))
    }
    unsubscribe.withLock { $0 = stop }
  }

  deinit {
    unsubscribe.withLock { $0 }?()
  }

  /// Calls a function with each event that has effects, and the phases before and after it.
  ///
  /// Call it before the first operation.
  package func observe(_ transition: @escaping @Sendable (TakingPhase, TakingEvent, TakingPhase) -> Void) {
    environment.observe = transition
  }

  /// A function that returns a key from the system's random numbers.
  public static var randomKey: @Sendable () -> IdempotencyKey {
    {
      var generator = SystemRandomNumberGenerator()
      return IdempotencyKey(using: &generator)
    }
  }

  /// Takes an order: sends a PUT when the journal has recorded it, and completes the future with the result.
  ///
  /// Cancelling the future completes it at once as unknown. It also ends the operation like ``cancel(_:)``, unless
  /// another caller waits for the same order.
  ///
  /// A call for an order under way joins its operation. If the journal has a record of the order, the operation
  /// continues from that record with the same key: an accepted order gets its details, an acknowledged order gets its
  /// result with GET, and any other unfinished or unknown order is put again. After any other recorded outcome, a new
  /// operation with a new key begins.
  ///
  /// Another body than that of the joined operation or of the record fails with
  /// ``OrderTakingFailure/Kind/keyMismatch``. A joined operation keeps its own policy.
  ///
  /// - Returns: A future that succeeds if the server accepts the order, also without details, and fails otherwise.
  @discardableResult
  public func take(
    _ order: OrderID, body: [UInt8] = [], under policy: TakingPolicy? = nil
  ) -> Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    let (future, new) = join(order, body: body, under: policy)
    new?.startTaking(body)
    return future
  }

  /// Takes an order with the rules of ``TakingPolicy/deck``.
  ///
  /// An error without a decline reason is retried at a fixed interval, without a limit.
  ///
  /// Source: *Reasons to love functional programming*, which has these parameters.
  @discardableResult
  public func take(
    _ order: OrderID, intervalBetweenRetries: Duration, delayBeforeFirstGetRequest: Duration
  ) -> Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    take(
      order,
      under: .deck(
        intervalBetweenRetries: intervalBetweenRetries, delayBeforeFirstGetRequest: delayBeforeFirstGetRequest))
  }

  /// Gets the result of an order that ended as unknown.
  ///
  /// It sends GET and no PUT.
  ///
  /// A call for an order under way joins its operation. If the journal contains a known outcome, the future completes
  /// with it without a GET for the result. The details of an accepted order are requested again.
  ///
  /// - Returns: A future like that of ``take(_:body:under:)``. Without a record of the order it fails with
  ///   ``OrderTakingFailure/Kind/journal``.
  @discardableResult
  public func reconcile(
    _ order: OrderID, under policy: TakingPolicy? = nil
  ) -> Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    let (future, new) = join(order, body: nil, under: policy)
    new?.startReconciling()
    return future
  }

  /// Continues every operation that an earlier process left unfinished, and delivers recorded outcomes that were not
  /// delivered.
  ///
  /// An order whose operation began longer ago than the deadline of the taker's policy is not put again: only its
  /// result is requested. A recorded outcome is delivered without a request. Only the details of an accepted order are
  /// requested again.
  ///
  /// Each outcome is delivered at least once. It is delivered again if a process ends after the futures of the
  /// operation have completed and before the journal has recorded that. With ``ResultAcknowledgement/explicit``, this
  /// function delivers it in each later process until ``acknowledge(_:of:)`` is called.
  ///
  /// If another call ends the operation of an order while this call reads the journal, the order's future has that
  /// outcome.
  ///
  /// - Returns: A future of the resumed orders, the oldest first, each with a future of its result. It fails if the
  ///   journal cannot be read. Then no operation is resumed.
  @discardableResult
  public func resume(
    under policy: TakingPolicy? = nil
  ) -> Future<[ResumedOrder<OrderID, Details>], JournalError> {
    journal.openRecords().map(immediateExecutionContext) { records in
      let standard = self.environment.policy.value
      if standard.has(.forgetsToResume) { return [] }
      return records.compactMap { record in
        if !record.isUnfinished, standard.has(.forgetsUndeliveredEnds) { return nil }
        let (future, new) = self.join(record.intent.order, body: record.intent.body, under: policy)
        new?.startResuming(record)
        return ResumedOrder(order: record.intent.order, future: future)
      }
    }
  }

  /// Records that the caller has stored a result, so that it is not delivered again after a restart.
  ///
  /// Call it with ``ResultAcknowledgement/explicit``. It does nothing if the journal contains another outcome than the
  /// caller knows. For example, the outcome was unknown, and a later operation has reconciled the order.
  ///
  /// ```swift
  /// taker.take("7").onComplete { result in
  ///   store(result)
  ///   taker.acknowledge(result, of: "7")
  /// }
  /// ```
  ///
  /// - Returns: A future that completes when the journal has recorded it, and fails if the journal cannot be read or
  ///   written. Then the outcome is delivered again after a restart.
  @discardableResult
  public func acknowledge(
    _ result: Result<AcceptedOrder<OrderID, Details>, OrderTakingFailure>, of order: OrderID
  ) -> Future<Void, JournalError> {
    journal.record(order).flatMap(immediateExecutionContext) { record -> Future<Void, JournalError> in
      guard let record, !record.isDelivered, case .ended(let outcome) = record.checkpoint,
        outcome.isReported(by: result)
      else { return Future(value: ()) }
      return self.journal.acknowledge(record)
    }.andThen(immediateExecutionContext) { _ in self.releaseIfIdle(order) }
  }

  /// Ends an operation.
  ///
  /// It ends as cancelled if no PUT can have reached the server, and as accepted without details if the server has accepted the
  /// order. Otherwise it ends as unknown; ``reconcile(_:under:)`` gets its result.
  ///
  /// - Returns: Whether an operation of this order was under way.
  @discardableResult
  public func cancel(_ order: OrderID) -> Bool {
    guard let operation = operation(of: order) else { return false }
    operation.receive(.cancel)
    return true
  }

  public var ordersUnderWay: [OrderID] {
    shards.flatMap { shard in shard.withLock { shard.running.keys.map(\.order) } }
  }
}

public struct ResumedOrder<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  public let order: OrderID
  public let future: Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure>
}
