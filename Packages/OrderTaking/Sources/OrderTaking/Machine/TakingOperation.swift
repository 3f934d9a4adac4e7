/// The operation that takes one order: a value that turns events into effects.
///
/// It uses no clock, network or disk. Pass each event to it with its time, and perform the effects in their order. It
/// ends once, with ``TakingEffect/finish(_:)``. Every event is allowed in every phase. A late event, for example of a
/// stopped timer, has no effect. Only a late result counts, because the server has decided.
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
  public internal(set) var phase = TakingPhase.ready

  public internal(set) var activity = TakingActivity.none

  public internal(set) var winner: TakingSource?

  package internal(set) var number: UInt32 = 0

  var attempts: UInt32 = 0

  package internal(set) var failures: UInt32 = 0

  /// Whether a fresh token was requested, and every response since then was a 401.
  package internal(set) var hasRefreshedToken = false

  /// The end of the operation, as a time since the machine started.
  var deadline: Duration?

  var lastCursor: UInt64?

  let key: IdempotencyKey

  let seed: UInt64

  /// Creates an operation in its initial state.
  ///
  /// Concurrent operations should have different seeds.
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

  public var outcome: TakingOutcome? {
    if case .ended(let outcome) = phase { outcome } else { nil }
  }

  /// Handles an event, and returns the effects to perform.
  ///
  /// Pass the same policy each time.
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
  /// Pass the same policy each time. No memory is allocated while `effects` has capacity.
  public mutating func handle(
    _ event: TakingEvent, at now: Moment, under policy: TakingPolicy, into effects: inout [TakingEffect]
  ) {
    var step = Step(now: now, policy: policy, effects: effects)
    effects = []
    handle(event, &step)
    checkInvariants(after: event)
    effects = step.effects
  }

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
