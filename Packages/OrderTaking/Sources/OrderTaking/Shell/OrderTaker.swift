public import Dispatch
public import Futures

/// Takes orders over an unreliable network: each once, and none is lost.
///
/// ```swift
/// let taker = OrderTaker(httpClient: http, pushClient: push, journal: journal)
/// taker.take(order)
///   .onSuccess { accepted in show(accepted.details) }
///   .onFailure { failure in show(failure.reason) }
/// ```
///
/// **Once.** While an order is being taken, taking it again joins the operation: one PUT, one result for all. Its
/// idempotency key and its state are in the journal before the first PUT is sent, so a restarted process goes on where
/// this one stopped, with ``resume(under:)``.
///
/// **Threads.** Every member may be used from any thread. Futures complete in the context that was handed in. The events
/// of one order are dealt with one at a time; different orders do not wait for each other, but for the journal.
///
/// **Lifetime.** An operation goes on when the taker is let go, until it has ended.
///
/// **Cost.** A push finds its operation in constant time, and an operation that polls for ever uses constant memory. One that
/// waits takes about a kilobyte, with its future and its record in memory; a hundred thousand at once are no slower than as
/// many `async` functions that race a request against a push in a task group. `make bench` measures both.
///
/// Source: *Reasons to love functional programming*, the `OperationUseCase`.
public final class OrderTaker<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  private let core: TakingCore<OrderID, Details>

  /// Creates a taker, which listens to the push channel from now on.
  ///
  /// - Parameters:
  ///   - httpClient: Sends the requests.
  ///   - pushClient: Brings the pushes.
  ///   - journal: The storage of the records that ``resume(under:)`` reads after a restart. `.inMemory()` loses them with the process.
  ///   - policy: What to wait for, what to try again, and when to give up.
  ///   - timers: Tells that time has passed.
  ///   - context: Where futures complete; the main queue unless told otherwise.
  ///   - makeKey: Makes a key that no other intent has; called once for each new intent.
  ///   - log: Called with all that happens to all orders, on any thread, those of one order one at a time. It must be
  ///     quick, and must not call back into the taker.
  public init(
    httpClient: HTTPClient<OrderID, Details>,
    pushClient: PushClient<OrderID> = .none,
    journal: Journal<OrderID>,
    policy: TakingPolicy = .standard,
    timers: Timers = .dispatch(),
    deliveringOn context: @escaping ExecutionContext = DispatchQueue.main.context,
    makeKey: @escaping @Sendable () -> IdempotencyKey = OrderTaker.randomKey,
    log: (@Sendable (TakingProgress<OrderID>) -> Void)? = nil
  ) {
    core = TakingCore(
      http: httpClient, journal: journal, policy: policy, timers: timers, deliver: context, makeKey: makeKey, log: log)
    core.listen(to: pushClient)
  }

  /// A key from the system's source of randomness.
  public static var randomKey: @Sendable () -> IdempotencyKey {
    { IdempotencyKey.random() }
  }

  /// Takes an order: sends the PUT at once, and completes the future when the result is known.
  ///
  /// Cancelling the future, or what was made of it, completes it at once as unknown, and ends the operation as
  /// ``cancel(_:)`` does, unless somebody else waits for the same order.
  ///
  /// An order that is being taken already is joined. One that the journal knows goes on from there, under the same key:
  /// what was left unfinished or unknown is put again, and what was accepted gets its details.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - body: What every PUT carries. Joining with another body fails, as ``OrderTakingFailure/Kind/keyMismatch``.
  ///   - policy: Other rules for this operation; those of the taker when left out. A joined operation keeps its own.
  /// - Returns: A future that succeeds when the order is ours, also without details, and fails in every other case.
  @discardableResult
  public func take(
    _ order: OrderID, body: [UInt8] = [], under policy: TakingPolicy? = nil
  ) -> Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    core.take(order, body: body, under: policy)
  }

  /// Takes an order by the rules of ``TakingPolicy/deck``: whatever has no decline reason is tried again at a fixed interval, for ever.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - intervalBetweenRetries: How long to wait between two requests.
  ///   - delayBeforeFirstGetRequest: How long to wait for a push before the result is asked for.
  ///
  /// Source: *Reasons to love functional programming*, whose words these are.
  @discardableResult
  public func take(
    _ order: OrderID, intervalBetweenRetries: Duration, delayBeforeFirstGetRequest: Duration
  ) -> Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    take(
      order,
      under: .deck(
        intervalBetweenRetries: intervalBetweenRetries, delayBeforeFirstGetRequest: delayBeforeFirstGetRequest))
  }

  /// Finds out how an operation ended that ended as unknown: asks the server with GET, and sends no PUT.
  ///
  /// An operation under way is joined, and one whose outcome the journal knows ends with that.
  ///
  /// - Parameters:
  ///   - order: The order.
  ///   - policy: Other rules for this operation, such as a shorter budget; those of the taker when left out. How old the wish
  ///     is counts by the taker's, whoever asks and however long: a PUT of it may be on its way from another process. A joined
  ///     operation keeps its own.
  /// - Returns: As ``take(_:body:under:)``; a failure of kind ``OrderTakingFailure/Kind/journal`` when there is no
  ///   record of the order.
  @discardableResult
  public func settle(
    _ order: OrderID, under policy: TakingPolicy? = nil
  ) -> Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    core.settle(order, under: policy)
  }

  /// Goes on with every operation that an earlier process left unfinished, and tells the ends that it did not live to tell.
  ///
  /// One that is older than the budget of the taker's policy is not put again: the server is only asked what became of it. An end that was
  /// recorded and not told is told as it was recorded, without a request; only an acceptance gets its details again.
  ///
  /// So every end is told at least once: twice when a process ends after it has told one and before that is noted, which is
  /// right after the futures of the operation have completed, on the context that the taker delivers on.
  ///
  /// - Parameter policy: Other rules for these operations, such as a shorter budget; those of the taker when left out. How old a
  ///   wish is counts by the taker's. A joined operation keeps its own.
  /// - Returns: The future of each order, those that were begun first in front.
  /// - Throws: What the journal says when it cannot be read; then nothing was resumed.
  @discardableResult
  public func resume(
    under policy: TakingPolicy? = nil
  ) throws(JournalError) -> [ResumedOrder<OrderID, Details>] {
    try core.resume(under: policy)
  }

  /// Ends an operation.
  ///
  /// It ends as cancelled when no PUT can have reached the server, as accepted without details when the order is ours,
  /// and otherwise as unknown, for ``settle(_:under:)`` to find out.
  ///
  /// - Returns: Whether such an operation was under way.
  @discardableResult
  public func cancel(_ order: OrderID) -> Bool { core.cancel(order) }

  /// What happens to an order from now on, until its operation ends.
  ///
  /// The stream ends at once when no operation is under way. Whoever reads slowly misses the oldest entries beyond 256.
  public func progress(of order: OrderID) -> AsyncStream<TakingProgress<OrderID>> { core.progress(of: order) }

  /// The orders that are being taken, in no particular order.
  public var ordersUnderWay: [OrderID] { core.ordersUnderWay }

  /// What this taker has done so far, in numbers.
  public var counters: TakingCounters { core.counters.values }
}

/// An operation that goes on after a restart.
public struct ResumedOrder<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  /// Which order.
  public let order: OrderID
  /// How it ends.
  public let future: Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure>
}
