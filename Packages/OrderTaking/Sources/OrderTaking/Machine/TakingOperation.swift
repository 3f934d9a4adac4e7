/// The taking of one order: a value that turns events into effects, and does nothing itself.
///
/// It knows no clock, no network and no disk. Feed it what happened, perform what it asks for in the order given, and it
/// ends once, with ``TakingEffect/finish(_:)``. Every event is allowed in every phase; one that does not fit any more, such
/// as the answer to a request that was given up, changes nothing.
///
/// ```swift
/// var operation = TakingOperation<Int, String>(TakingIntent(order: 7, key: key))
/// operation.handle(.begin)                                          // record, start the budget, send PUT 1
/// operation.handle(.answered(.init(kind: .put, number: 1), .success(.accepted)))  // record, send details 2
/// ```
///
/// The rules are in <doc:Rules>, one test for each.
///
/// Source: *Reasons to love functional programming*, the `EtherTakingOperation` and its states.
public struct TakingOperation<OrderID: Hashable & Sendable, Details: Sendable>: Sendable {
  /// What is wanted.
  public let intent: TakingIntent<OrderID>

  /// What the server says about the order, once it is ours and has said it.
  @inlinable public var details: Details? { arrived }

  @usableFromInline var arrived: Details?
  @usableFromInline package var machine: TakingMachine

  /// Creates an operation to which nothing has happened yet.
  ///
  /// - Parameters:
  ///   - intent: What is wanted.
  ///   - seed: What the jitter of its pauses depends on; operations that run at the same time should not have the same.
  @inlinable
  public init(_ intent: TakingIntent<OrderID>, seed: UInt64 = 0) {
    self.intent = intent
    machine = TakingMachine(key: intent.key, seed: seed)
  }

  /// Where the operation stands.
  @inlinable public var phase: TakingPhase { machine.phase }

  /// What it waits for.
  @inlinable public var activity: TakingActivity { machine.activity }

  /// Who brought the result, once there is one.
  @inlinable public var winner: TakingSource? { machine.winner }

  /// Whether a PUT may have reached the server.
  @inlinable public var mayHaveReachedServer: Bool { machine.mayHaveReachedServer }

  /// How it ended, or `nil` while it has not.
  @inlinable public var outcome: TakingOutcome? {
    if case .ended(let outcome) = machine.phase { outcome } else { nil }
  }

  /// The operation after an event, and what it asks for.
  @inlinable
  public func handling(
    _ event: TakingEvent<OrderID, Details>, under policy: TakingPolicy = .standard
  ) -> (TakingOperation, [TakingEffect]) {
    var next = self
    let effects = next.handle(event, under: policy)
    return (next, effects)
  }

  /// Takes in an event, and says what it asks for.
  @inlinable
  @discardableResult
  public mutating func handle(
    _ event: TakingEvent<OrderID, Details>, under policy: TakingPolicy = .standard
  ) -> [TakingEffect] {
    var effects: [TakingEffect] = []
    handle(event, under: policy, into: &effects)
    return effects
  }

  /// Takes in an event, and appends what it asks for.
  ///
  /// Costs constant time, and no allocation while `effects` has room.
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
