/// The operation that takes one order: a value that turns events into effects.
///
/// It uses no clock, network or disk. Pass each event to it, and perform the effects in their order. It ends once, with
/// ``TakingEffect/finish(_:)``. Every event is allowed in every phase. A late event, for example the response to a cancelled
/// request, has no effect.
///
/// ```swift
/// var operation = TakingOperation<Int, String>(TakingIntent(order: 7, key: key))
/// operation.handle(.begin)                                          // record, start the budget, send PUT 1
/// operation.handle(.answered(.init(kind: .put, number: 1), .success(.accepted)))  // record, send details 2
/// ```
///
/// <doc:Rules> lists the rules. Each has a test.
///
/// Source: *Reasons to love functional programming*, the `EtherTakingOperation` and its states.
public struct TakingOperation<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  /// The order, the body and the key of its PUTs.
  public let intent: TakingIntent<OrderID>

  /// The details of the order, when they have arrived.
  @inlinable public var details: Details? { arrived }

  @usableFromInline var arrived: Details?
  @usableFromInline package var machine: TakingMachine

  /// Creates an operation in its initial state.
  ///
  /// - Parameters:
  ///   - intent: The order, the body and the key of its PUTs.
  ///   - seed: The seed of its random pauses. Concurrent operations should have different seeds.
  @inlinable
  public init(_ intent: TakingIntent<OrderID>, seed: UInt64 = 0) {
    self.intent = intent
    machine = TakingMachine(key: intent.key, seed: seed)
  }

  /// The phase of the operation.
  @inlinable public var phase: TakingPhase { machine.phase }

  /// The event that it waits for.
  @inlinable public var activity: TakingActivity { machine.activity }

  /// The source of the result, when there is one.
  @inlinable public var winner: TakingSource? { machine.winner }

  /// Whether a PUT may have reached the server.
  @inlinable public var mayHaveReachedServer: Bool { machine.mayHaveReachedServer }

  /// The outcome, or `nil` before the end.
  @inlinable public var outcome: TakingOutcome? {
    if case .ended(let outcome) = machine.phase { outcome } else { nil }
  }

  /// Returns the operation after an event, and the effects to perform.
  @inlinable
  public func handling(
    _ event: TakingEvent<OrderID, Details>, under policy: TakingPolicy = .standard
  ) -> (TakingOperation, [TakingEffect]) {
    var next = self
    let effects = next.handle(event, under: policy)
    return (next, effects)
  }

  /// Handles an event, and returns the effects to perform.
  @inlinable
  @discardableResult
  public mutating func handle(
    _ event: TakingEvent<OrderID, Details>, under policy: TakingPolicy = .standard
  ) -> [TakingEffect] {
    var effects: [TakingEffect] = []
    handle(event, under: policy, into: &effects)
    return effects
  }

  /// Handles an event, and appends the effects to perform.
  ///
  /// It takes constant time, without an allocation while `effects` has capacity.
  @inlinable
  public mutating func handle(
    _ event: TakingEvent<OrderID, Details>, under policy: TakingPolicy, into effects: inout [TakingEffect]
  ) {
    switch event {
    case .begin: machine.handle(.begin, under: policy, into: &effects)
    case .resume(let last, let isExpired, let isLongPast):
      machine.handle(.resume(last: last, isExpired: isExpired, isLongPast: isLongPast), under: policy, into: &effects)
    case .announce(let outcome): machine.handle(.announce(outcome), under: policy, into: &effects)
    case .answered(let request, let result):
      machine.handle(.answered(request, result), under: policy, into: &effects)
    case .detailsAnswered(let request, .success(let details)):
      if machine.phase == .fetchingDetails, request.kind == .details { arrived = details }
      machine.handle(.detailsArrived(request), under: policy, into: &effects)
    case .detailsAnswered(let request, .failure(let error)):
      machine.handle(.detailsFailed(request, error), under: policy, into: &effects)
    case .pushed(let order, let key, let result, let cursor):
      machine.handle(
        .pushed(isOwnOrder: isSameOrder(order, intent.order), key: key, result, cursor: cursor), under: policy,
        into: &effects)
    case .timerFired(let timer): machine.handle(.timerFired(timer), under: policy, into: &effects)
    case .tokenRefreshed(let number, let succeeded):
      machine.handle(.tokenRefreshed(number: number, succeeded: succeeded), under: policy, into: &effects)
    case .recordingFailed(let change): machine.handle(.recordingFailed(change), under: policy, into: &effects)
    case .cancel: machine.handle(.cancel, under: policy, into: &effects)
    }
  }
}
