public import Futures
public import OrderTaking
public import ParallelTesting
internal import Synchronization

/// A taker with a scripted server, a push channel and a manual clock.
///
/// ```swift
/// let experiment = Experiment<String>(
///   putRequestResults: [.error(.status(500)), .accepted], orderDetailsResults: [.details("2 parcels")])
/// let future = experiment.setup().take(7)
/// experiment.clock.advance(by: .milliseconds(1))  // the policy's interval between retries
/// future.value?.details                           // "2 parcels"
/// ```
///
/// All callbacks run on the thread that advances the clock. A request beyond the end of the script gets no response, but is in
/// ``requests``.
///
/// Source: *Reasons to love functional programming*, `Experiment`.
public final class Experiment<Details: Sendable>: Sendable {
  public struct Request: Hashable, Sendable {
    public let kind: TakingRequest.Kind
    public let order: OrderID
    public let at: Duration
    public let key: IdempotencyKey?
  }

  private struct Script {
    var puts: ArraySlice<TakingReply>
    var gets: ArraySlice<TakingReply>
    var details: ArraySlice<DetailsReply<Details>>
    var requests: [Request] = []
  }

  public let clock = ManualClock()
  /// The client, for responses that are not in the script.
  public let httpClient = OrderHTTPClientMock<Details>()
  public let pushClient = PushClientMock()
  private let script: Locked<Script>
  private let lastKey = Atomic<UInt64>(0)

  public init(
    putRequestResults: [TakingReply], getRequestResults: [TakingReply] = [],
    orderDetailsResults: [DetailsReply<Details>] = []
  ) {
    script = Locked(
      Script(puts: putRequestResults[...], gets: getRequestResults[...], details: orderDetailsResults[...]))
  }

  public var requests: [Request] { script.withLock { $0.requests } }

  public func count(of kind: TakingRequest.Kind) -> Int { requests.count { $0.kind == kind } }

  /// Creates a taker.
  ///
  /// A second call, with the same journal, creates the taker of a restarted process.
  public func setup(
    policy: TakingPolicy = .deck, journal: Journal? = nil,
    deliveringOn context: @escaping ExecutionContext = immediateExecutionContext,
    acknowledging acknowledgement: ResultAcknowledgement = .automatic,
    observer: Observer? = nil
  ) -> OrderTaker<Details> {
    httpClient.takeClosure = { self.reply(.put, $0.order, $0.key, from: \.puts) }
    httpClient.takingOperationStatusClosure = { self.reply(.get, $0.order, $0.key, from: \.gets) }
    httpClient.acceptedOrderDetailsClosure = { self.reply(.details, $0, nil, from: \.details) }
    return OrderTaker(
      httpClient: httpClient.client, pushClient: pushClient.client,
      journal: journal ?? .inMemory(now: { self.clock.now.offset }), policy: policy,
      timers: clock.timers, deliveringOn: context, acknowledging: acknowledgement,
      makeKey: { IdempotencyKey(high: 0, low: self.lastKey.wrappingAdd(1, ordering: .relaxed).newValue) },
      observer: observer)
  }

  public func sendPushAccept(for order: OrderID, after delay: Duration) {
    clock.schedule(after: delay) { self.pushClient.send(.accepted, for: order) }
  }

  public func sendPushReject(for order: OrderID, after delay: Duration, reason: String) {
    clock.schedule(after: delay) { self.pushClient.send(.declined(reason), for: order) }
  }

  private func reply<Value>(
    _ kind: TakingRequest.Kind, _ order: OrderID, _ key: IdempotencyKey?,
    from replies: WritableKeyPath<Script, ArraySlice<Reply<Value>>>
  ) -> Future<Value, HTTPError> {
    let reply = script.withLock { script in
      script.requests.append(Request(kind: kind, order: order, at: clock.now.offset, key: key))
      return script[keyPath: replies].popFirst()
    }
    guard let result = reply?.result else { return Future() }
    guard let delay = reply?.delay else { return Future(result: result) }
    let promise = Promise<Value, HTTPError>()
    clock.schedule(after: delay) { promise.complete(result) }
    return promise.future
  }
}
