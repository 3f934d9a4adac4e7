public import Futures
public import OrderTaking
public import ParallelTesting

/// A scripted world around a taker: answers in order, pushes at an instant, and a clock that a test moves.
///
/// ```swift
/// let experiment = Experiment<Int, String>(
///   putRequestResults: [.error(.status(500)), .accepted], orderDetailsResults: [.details("2 parcels")])
/// let future = experiment.setup().take(7)
/// experiment.clock.advance(by: .milliseconds(1))  // its policy's interval between retries
/// future.value?.details                           // "2 parcels"
/// ```
///
/// Everything happens on the thread that moves the clock. A request for which the script has no answer left is never
/// answered; it is in ``requests`` like any other.
///
/// Source: *Reasons to love functional programming*, `Experiment`.
public final class Experiment<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  /// A request that the taker sent.
  public struct Request: Hashable, Sendable {
    /// What was asked.
    public let kind: TakingRequest.Kind
    /// About which order.
    public let order: OrderID
    /// When, on the experiment's clock.
    public let at: Duration
    /// Under which key; `nil` for details.
    public let key: IdempotencyKey?
  }

  private struct Script {
    var puts: ArraySlice<TakingReply>
    var gets: ArraySlice<TakingReply>
    var details: ArraySlice<DetailsReply<Details>>
    var requests: [Request] = []
    var lastKey: UInt64 = 0
  }

  /// The world's time.
  public let clock = ManualClock()
  /// The client, for other answers than scripted ones.
  public let httpClient = HTTPClientMock<OrderID, Details>()
  /// The push channel.
  public let pushClient = PushClientMock<OrderID>()
  private let script: Locked<Script>

  /// Creates a world.
  ///
  /// - Parameters:
  ///   - putRequestResults: The answers to PUTs, in order.
  ///   - getRequestResults: The answers to GETs for the result, in order.
  ///   - orderDetailsResults: The answers to requests for details, in order.
  public init(
    putRequestResults: [TakingReply], getRequestResults: [TakingReply] = [],
    orderDetailsResults: [DetailsReply<Details>] = []
  ) {
    script = Locked(
      Script(puts: putRequestResults[...], gets: getRequestResults[...], details: orderDetailsResults[...]))
  }

  /// All requests so far, in order.
  public var requests: [Request] { script.withLock { $0.requests } }

  /// How many requests of a kind there were so far.
  public func count(of kind: TakingRequest.Kind) -> Int { requests.count { $0.kind == kind } }

  /// Makes a taker in this world; call it again for the taker of a restarted process.
  ///
  /// - Parameters:
  ///   - policy: The rules; those of `TakingPolicy.deck` unless told otherwise.
  ///   - journal: What survives; hand the same one to the taker of the next process.
  ///   - context: Where futures complete; at once unless told otherwise.
  ///   - log: Called with all that happens.
  public func setup(
    policy: TakingPolicy = .deck, journal: Journal<OrderID> = .inMemory(),
    deliveringOn context: @escaping ExecutionContext = immediateExecutionContext,
    log: (@Sendable (TakingProgress<OrderID>) -> Void)? = nil
  ) -> OrderTaker<OrderID, Details> {
    httpClient.takeClosure = { intent in
      self.reply { script in
        self.note(.put, intent.order, intent.key, &script)
        return script.puts.popFirst()?.answer
      }
    }
    httpClient.takingOperationStatusClosure = { intent in
      self.reply { script in
        self.note(.get, intent.order, intent.key, &script)
        return script.gets.popFirst()?.answer
      }
    }
    httpClient.acceptedOrderDetailsClosure = { order in
      self.reply { script in
        self.note(.details, order, nil, &script)
        return script.details.popFirst()?.answer
      }
    }
    return OrderTaker(
      httpClient: httpClient.client, pushClient: pushClient.client, journal: journal, policy: policy,
      timers: clock.timers, deliveringOn: context, makeKey: { self.makeKey() }, log: log)
  }

  /// Pushes that an order is ours, after a time.
  public func sendPushAccept(for order: OrderID, after delay: Duration, cursor: UInt64? = nil) {
    clock.schedule(after: delay) { self.pushClient.send(.accepted, for: order, cursor: cursor) }
  }

  /// Pushes that an order is not ours, after a time.
  public func sendPushReject(for order: OrderID, after delay: Duration, reason: String, cursor: UInt64? = nil) {
    clock.schedule(after: delay) { self.pushClient.send(.declined(reason), for: order, cursor: cursor) }
  }

  private func note(_ kind: TakingRequest.Kind, _ order: OrderID, _ key: IdempotencyKey?, _ script: inout Script) {
    script.requests.append(Request(kind: kind, order: order, at: clock.now.offset, key: key))
  }

  private func makeKey() -> IdempotencyKey {
    script.withLock { script in
      script.lastKey += 1
      return IdempotencyKey(high: 0, low: script.lastKey)
    }
  }

  /// A future of the next answer, now or when its time has come.
  private func reply<Value>(
    _ next: (inout Script) -> (result: Result<Value, HTTPError>, delay: Duration?)?
  ) -> Future<Value, HTTPError> {
    guard let answer = script.withLock(next) else { return Future() }
    guard let delay = answer.delay else { return Future(result: answer.result) }
    let promise = Promise<Value, HTTPError>()
    clock.schedule(after: delay) { promise.complete(answer.result) }
    return promise.future
  }
}
