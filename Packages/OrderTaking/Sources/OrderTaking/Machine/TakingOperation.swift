/// The operation that takes one order: a value that turns events into effects.
///
/// It uses no clock, network or disk. Pass each event to it with its time, and perform the effects in their order. It ends
/// once, with ``TakingEffect/finish(_:)``. Every event is allowed in every phase. A late event, for example of a stopped
/// timer, has no effect, except that a late result counts: the server has decided.
///
/// ```swift
/// var operation = TakingOperation(key: key)
/// operation.handle(.begin, at: now)             // start the deadline, persist begun
/// operation.handle(.persisted(.begun), at: now)  // start a timer, send PUT 1
/// operation.handle(.answered(.init(kind: .put, number: 1), .success(.accepted)), at: now)  // persist, send details 2
/// ```
///
/// <doc:Rules> lists the rules. Each has a test.
///
/// It is not generic over the order and its details, because generic code costs several times as much.
///
/// Source: *Reasons to love functional programming*, the `EtherTakingOperation` and its states.
public struct TakingOperation: Sendable {
  /// The phase of the operation.
  public internal(set) var phase = TakingPhase.ready

  /// The event that it waits for.
  public internal(set) var activity = TakingActivity.none

  /// The source of the result, when there is one.
  public internal(set) var winner: TakingSource?

  /// The number of the current request, pause or wait for a token.
  package internal(set) var number: UInt32 = 0

  /// The number of requests of the current kind.
  var attempts: UInt32 = 0

  /// The number of consecutive failures.
  package internal(set) var failures: UInt32 = 0

  /// Whether a fresh token was requested, and every response since then was a 401.
  package internal(set) var hasRefreshedToken = false

  /// The end of the operation, as a time since the machine started.
  var deadline: Duration?

  /// The cursor of the last push to this operation.
  var lastCursor: UInt64?

  /// The key of the intent.
  let key: IdempotencyKey

  /// The seed of the random pauses.
  let seed: UInt64

  /// Creates an operation in its initial state.
  ///
  /// - Parameters:
  ///   - key: The key of the intent.
  ///   - seed: The seed of its random pauses. Concurrent operations should have different seeds.
  public init(key: IdempotencyKey, seed: UInt64 = 0) {
    self.key = key
    self.seed = seed
  }

  /// Whether a PUT may have reached the server.
  public var mayHaveReachedServer: Bool {
    switch phase {
    case .ready, .ending, .ended: false
    case .putting(let mayHaveArrived): mayHaveArrived || activity == .request
    case .acknowledged, .polling, .fetchingDetails: true
    }
  }

  /// The outcome, or `nil` before the end.
  public var outcome: TakingOutcome? {
    if case .ended(let outcome) = phase { outcome } else { nil }
  }

  /// Handles an event, and returns the effects to perform.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The time of the event.
  ///   - policy: The rules. Pass the same ones each time.
  @discardableResult
  public mutating func handle(
    _ event: TakingEvent, at now: Moment, under policy: TakingPolicy = .standard
  ) -> [TakingEffect] {
    var effects: [TakingEffect] = []
    handle(event, at: now, under: policy, into: &effects)
    return effects
  }

  /// Handles an event, and appends the effects to perform.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The time of the event.
  ///   - policy: The rules. Pass the same ones each time.
  ///   - effects: The effects before, which stay. No memory is allocated while it has capacity.
  public mutating func handle(
    _ event: TakingEvent, at now: Moment, under policy: TakingPolicy, into effects: inout [TakingEffect]
  ) {
    var step = Step(now: now, policy: policy, effects: effects)
    effects = []
    handle(event, &step)
    checkInvariants(after: event)
    effects = step.effects
  }

  /// One event's time and rules, and the effects so far.
  struct Step {
    let now: Moment
    let policy: TakingPolicy
    var effects: [TakingEffect]

    mutating func callAsFunction(_ effect: TakingEffect) { effects.append(effect) }
  }

  private mutating func handle(_ event: TakingEvent, _ step: inout Step) {
    switch event {
    case .begin: begin(&step)
    case .resume(let history, let purpose): resume(from: history, for: purpose, &step)
    case .persisted(let checkpoint): persisted(checkpoint, &step)
    case .notPersisted(let checkpoint, let failure): notPersisted(checkpoint, failure, &step)
    case .recordRead(let checkpoint, let isCurrent): recordRead(checkpoint, isCurrent, &step)
    case .answered(let request, .success(let answer)): answered(request, answer, &step)
    case .answered(let request, .failure(let error)): failed(request, error, &step)
    case .detailsArrived(let request): detailsArrived(for: request, &step)
    case .pushed(let result, let key, let cursor): pushed(result, key, cursor, &step)
    case .timerFired(let timer): fired(timer, &step)
    case .tokenRefreshed(let number, let failure): refreshed(number, failure, &step)
    case .cancel: stop(.cancelled, ifOpen: .cancelled, &step)
    }
  }

  /// Stops the program in an impossible state, in release builds too: such an operation could send a second request.
  private func checkInvariants(after event: TakingEvent) {
    let isPossible =
      switch phase {
      case .ready, .ended: activity == .none
      case .ending: activity == .persisting || activity == .reading
      case .acknowledged: activity == .pause
      case .putting: activity != .none
      case .polling, .fetchingDetails: activity == .request || activity == .pause || activity == .token
      }
    precondition(isPossible, "\(phase) waits for \(activity) after \(event)")
  }
}
