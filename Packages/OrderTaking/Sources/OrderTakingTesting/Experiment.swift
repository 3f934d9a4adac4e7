public import Futures
public import OrderTaking
public import ParallelTesting

/// A taker with a scripted server, a push channel and a manual clock.
///
/// ```swift
/// let experiment = Experiment<Int, String>(
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
public final class Experiment<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
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
    var lastKey: UInt64 = 0
  }

  public let clock = ManualClock()
  /// The client, for responses that are not in the script.
  public let httpClient = OrderHTTPClientMock<OrderID, Details>()
  public let pushClient = PushClientMock<OrderID>()
  private let script: Locked<Script>

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
    policy: TakingPolicy = .deck, journal: Journal<OrderID> = .inMemory(),
    deliveringOn context: @escaping ExecutionContext = immediateExecutionContext,
    acknowledging acknowledgement: ResultAcknowledgement = .automatic,
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
      timers: clock.timers, deliveringOn: context, acknowledging: acknowledgement, makeKey: { self.makeKey() }, log: log
    )
  }

  public func sendPushAccept(for order: OrderID, after delay: Duration, cursor: UInt64? = nil) {
    clock.schedule(after: delay) { self.pushClient.send(.accepted, for: order, cursor: cursor) }
  }

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
