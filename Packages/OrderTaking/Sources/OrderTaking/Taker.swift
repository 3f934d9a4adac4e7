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
/// journal contains the key before the first PUT is sent. After a restart, ``resume(under:)`` continues the operation.
///
/// **Threads.** You can use every member from any thread. Futures complete in the context that you pass. Different orders
/// are handled concurrently.
///
/// **Lifetime.** An operation continues to its end when the taker is released.
///
/// **Cost.** A waiting operation uses less than two kilobytes, with its future and its record in memory.
///
/// Source: *Reasons to love functional programming*, the `OperationUseCase`.
public final class OrderTaker<Details: Sendable>: Sendable {
  public typealias Outcome = Future<AcceptedOrder<Details>, OrderTakingFailure>
  public typealias ResumedOrder = (order: OrderID, future: Outcome)

  let http: OrderHTTPClient<Details>
  let journal: Journal
  let policy: TakingPolicy
  let timers: Timers
  let worker: String
  let context: ExecutionContext
  let acknowledgement: ResultAcknowledgement
  let makeKey: @Sendable () -> IdempotencyKey
  let observer: Observer?

  /// The operations under way; its lock also guards the fields of each.
  let running = Locked<[OrderID: RunningTaking<Details>]>([:])
  private let unsubscribe = Locked<(@Sendable () -> Void)?>(nil)

  /// Creates a taker that listens to the push channel.
  ///
  /// - Parameters:
  ///   - httpClient: Sends the requests.
  ///   - pushClient: The channel of pushed results.
  ///   - policy: The times and limits of each operation, unless a call has its own.
  ///   - timers: The clock.
  ///   - context: Where the futures complete.
  ///   - acknowledgement: When an outcome counts as delivered.
  ///   - journal: The records that ``resume(under:)`` reads after a restart.
  ///   - worker: The name of this process in ``TakingRecord/attempts``, by default `process` and its number.
  ///   - makeKey: Returns a unique key for each new intent.
  ///   - observer: Receives each step and each request. It must not call the taker.
  public init(
    httpClient: OrderHTTPClient<Details>,
    pushClient: PushClient = .none,
    journal: Journal,
    policy: TakingPolicy = .standard,
    timers: Timers = .dispatch(),
    deliveringOn context: @escaping ExecutionContext = DispatchQueue.main.context,
    acknowledging acknowledgement: ResultAcknowledgement = .automatic,
    worker: String? = nil,
    makeKey: @escaping @Sendable () -> IdempotencyKey = IdempotencyKey.random,
    observer: Observer? = nil
  ) {
    http = httpClient
    self.journal = journal
    self.policy = policy
    self.timers = timers
    self.worker = worker ?? TakingAttempt.processName
    self.context = context
    self.acknowledgement = acknowledgement
    self.makeKey = makeKey
    self.observer = observer
    // Weakly, because the channel may outlive every operation.
    let stop = pushClient.subscribe { [weak self] pushed in
      self?.operation(of: pushed.order)?.receive(.pushed(pushed))
    }
    unsubscribe.withLock { $0 = stop }
  }

  deinit {
    // Outcomes that were not acknowledged: another taker delivers them.
    for order in journal.claims.orders() { release(order) }
    unsubscribe.withLock { $0 }?()
  }

  /// Takes an order: sends a PUT when the journal has recorded it, and completes the future with the result.
  ///
  /// Cancelling the future completes it at once as unknown. It also ends the operation like ``cancel(_:)``, unless
  /// another caller waits for the same order.
  ///
  /// A call for an order under way joins its operation, and its policy. Otherwise an accepted, unfinished or unknown order
  /// continues from its record, with the same key: it gets its details, asks with GET, or is put again. After any other
  /// recorded outcome, a new operation with a new key begins. A call with another body than the operation or the record
  /// fails with ``OrderTakingFailure/Kind/keyMismatch``.
  ///
  /// While another taker or worker of this process works on the order, the call fails at once as unknown, with a journal
  /// error of kind ``JournalError/Kind/inUse``, and changes nothing.
  ///
  /// - Returns: A future that succeeds if the server accepts the order, also without details, and fails otherwise.
  @discardableResult
  public func take(_ order: OrderID, body: [UInt8] = [], under policy: TakingPolicy? = nil) -> Outcome {
    run(order, body: body, for: .take, under: policy)
  }

  /// Takes an order, and waits for the result.
  ///
  /// Cancelling the waiting task ends the wait at once, and also the operation, unless another caller waits for it.
  ///
  /// The journal records the delivery a moment after the return, in the context in which futures complete. If the process
  /// ends before that, the next one delivers the outcome again. To prevent this, wait for that context, then close the
  /// journal.
  ///
  /// ```swift
  /// let accepted = try await taker.acceptance(of: order)
  /// ```
  ///
  /// - Throws: ``OrderTakingFailure``, of kind ``OrderTakingFailure/Kind/unknown`` if the task was cancelled.
  public func acceptance(
    of order: OrderID, body: [UInt8] = [], under policy: TakingPolicy? = nil
  ) async throws(OrderTakingFailure) -> AcceptedOrder<Details> {
    try await take(order, body: body, under: policy).get()
  }

  /// Gets the result of an order that ended as unknown, with GET and without a PUT.
  ///
  /// A call for an order under way joins its operation. A known outcome in the journal is the result. The details of an
  /// accepted order are requested again.
  ///
  /// - Returns: A future like that of ``take(_:body:under:)``. Without a record of the order it fails with
  ///   ``OrderTakingFailure/Kind/journal``.
  @discardableResult
  public func reconcile(_ order: OrderID, under policy: TakingPolicy? = nil) -> Outcome {
    run(order, body: nil, for: .reconcile, under: policy)
  }

  /// Continues every operation that an earlier process left unfinished, and delivers recorded outcomes that were not
  /// delivered, except for orders that another taker or worker of this process works on.
  ///
  /// An order whose operation began longer ago than ``TakingPolicy/ageLimit`` is not put again: only its result is
  /// requested. A recorded outcome is delivered without a request, except for the details of an accepted order. An unknown
  /// outcome that was delivered is reconciled when it is due; see ``TakingRecord/dueAt``.
  ///
  /// Each outcome is delivered at least once: again, if a process ends before the journal has recorded the delivery. With
  /// ``ResultAcknowledgement/explicit``, each later process delivers it until ``acknowledge(_:of:)`` is called.
  ///
  /// - Returns: A future of the resumed orders, the oldest first, each with a future of its result. It fails if the
  ///   journal cannot be read.
  @discardableResult
  public func resume(under policy: TakingPolicy? = nil) -> Future<[ResumedOrder], JournalError> {
    journal.dueRecords(.max, journal.claims.orders(except: self)).map(immediateExecutionContext) { records in
      records.map { ($0.intent.order, self.resume($0.intent, under: policy)) }
    }
  }

  func resume(_ intent: TakingIntent, under policy: TakingPolicy? = nil) -> Outcome {
    run(intent.order, body: intent.body, for: .recover, under: policy)
  }

  /// Records that the caller has stored a result, so that it is not delivered again after a restart.
  ///
  /// Call it with ``ResultAcknowledgement/explicit``. It does nothing if the journal contains another outcome, for example
  /// because a later operation has reconciled an unknown one, or an equal outcome of another ``OrderTakingFailure/key``.
  ///
  /// ```swift
  /// taker.take("7").onComplete { result in
  ///   store(result)
  ///   taker.acknowledge(result, of: "7")
  /// }
  /// ```
  ///
  /// - Returns: A future that fails if the journal cannot be read or written. Then the outcome is delivered again after a
  ///   restart.
  @discardableResult
  public func acknowledge(
    _ result: Result<AcceptedOrder<Details>, OrderTakingFailure>, of order: OrderID
  ) -> Future<Void, JournalError> {
    let (journal, unacknowledged) = (journal, journal.claims.unacknowledged(order, of: self))
    // Another operation had this result.
    if let unacknowledged, !unacknowledged.record.isReported(by: result) { return Future(value: ()) }
    return journal.record(order).flatMap(immediateExecutionContext) { record -> Future<Void, JournalError> in
      guard let record, record.isReported(by: result), !record.isDelivered else { return Future(value: ()) }
      return journal.acknowledge(record)
    }.andThen(immediateExecutionContext) { _ in journal.endClaim(unacknowledged?.claim, of: order) }
  }

  /// Ends an operation: as cancelled if no PUT can have reached the server, as accepted without details if the server has
  /// accepted the order, and otherwise as unknown.
  ///
  /// - Returns: Whether an operation of this order was under way.
  @discardableResult
  public func cancel(_ order: OrderID) -> Bool {
    guard let operation = operation(of: order) else { return false }
    operation.receive(.cancel)
    return true
  }

  public var ordersUnderWay: [OrderID] { running.withLock { $0.keys.map(\.self) } }

  /// Joins the operation of an order, or starts one.
  private func run(
    _ order: OrderID, body: [UInt8]?, for purpose: TakingPurpose, under policy: TakingPolicy?
  ) -> Outcome {
    let (future, new) = running.withLock { running -> (Outcome, RunningTaking<Details>?) in
      if let operation = running[order] {
        if operation.body == body || operation.hasReadRecord && body == nil { return (operation.future(), nil) }
        if operation.hasReadRecord { return (Future(error: OrderTakingFailure(kind: .keyMismatch)), nil) }
        return (operation.afterRead { self.run(order, body: body, for: purpose, under: policy) }, nil)
      }
      guard let claim = journal.claims.claim(order, by: self, duringDelivery: purpose != .recover) else {
        return (Future(error: OrderTakingFailure(kind: .unknown, journalError: .claimed(order))), nil)
      }
      let operation = RunningTaking(order, body: body, under: policy, taker: self, claim: claim)
      running[order] = operation
      return (operation.future(), operation)
    }
    new?.start(for: purpose)
    return future
  }

  func operation(of order: OrderID) -> RunningTaking<Details>? { running.withLock { $0[order] } }

  /// Releases an order, unless an operation or another taker works on it.
  func release(_ order: OrderID) {
    journal.endClaim(journal.claims.unacknowledged(order, of: self)?.claim, of: order)
  }
}

public struct AcceptedOrder<Details: Sendable>: Sendable {
  public let order: OrderID

  /// The details of the order, or `nil` if they did not arrive before the deadline or the cancellation.
  public let details: Details?

  public init(order: OrderID, details: Details?) {
    self.order = order
    self.details = details
  }
}

extension AcceptedOrder: Equatable where Details: Equatable {}
extension AcceptedOrder: Hashable where Details: Hashable {}

/// The moment at which a taker records that an outcome was delivered; before, it is delivered again after a restart.
public enum ResultAcknowledgement: Hashable, Sendable {
  /// When the futures of the operation have completed.
  ///
  /// The outcome is lost if the process ends before the caller has used it.
  case automatic

  /// When the caller calls ``OrderTaker/acknowledge(_:of:)``, for example after it has stored the outcome, also a failure.
  ///
  /// Until then, the order stays with its taker, so no worker of this process delivers it too.
  case explicit
}
