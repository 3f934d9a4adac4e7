/// The taking of one order: a value that turns events into effects, and does nothing itself.
///
/// It knows no clock, no network and no disk. Feed it what happened, perform what it asks for in the order given, and it
/// ends once, with ``TakingEffect/finish(_:_:)``. Every event is allowed in every phase; one that does not fit any more,
/// such as the answer to a request that was given up, changes nothing.
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

  /// Where the operation stands.
  public internal(set) var phase = TakingPhase.ready

  /// What it waits for.
  public internal(set) var activity = TakingActivity.none

  /// Who brought the result, once there is one.
  public internal(set) var winner: TakingSource?

  /// The number of the present request, pause or wait for a token.
  package internal(set) var number: UInt32 = 0

  /// How many requests of the present kind were sent.
  var attempts: UInt32 = 0

  /// How many of them failed in a row.
  package internal(set) var failures: UInt32 = 0

  /// Whether a PUT before the present one may have reached the server.
  package internal(set) var hasOpenPut = false

  /// Whether a token was asked for, and no request has been answered otherwise than with 401 since.
  package internal(set) var hasAskedForToken = false

  /// A decline of a PUT that was not believed, while GET is to tell.
  package internal(set) var doubted: String?

  /// The latest push that was heeded.
  var lastCursor: UInt64?

  /// Where the jitter comes from.
  let seed: UInt64

  /// Creates an operation to which nothing has happened yet.
  ///
  /// - Parameters:
  ///   - intent: What is wanted.
  ///   - seed: What the jitter of its pauses depends on; operations that run at the same time should not have the same.
  public init(_ intent: TakingIntent<OrderID>, seed: UInt64 = 0) {
    self.intent = intent
    self.seed = seed
  }

  /// Whether a PUT may have reached the server.
  public var mayHaveReachedServer: Bool {
    hasOpenPut || phase == .putNotAcknowledged && activity == .request
  }

  /// How it ended, or `nil` while it has not.
  public var outcome: TakingOutcome? {
    if case .ended(let outcome) = phase { outcome } else { nil }
  }

  /// The operation after an event, and what it asks for.
  public func handling(
    _ event: TakingEvent<OrderID, Details>, under policy: TakingPolicy = .standard
  ) -> (TakingOperation, [TakingEffect<Details>]) {
    var next = self
    let effects = next.handle(event, under: policy)
    return (next, effects)
  }

  /// Takes in an event, and says what it asks for.
  @discardableResult
  public mutating func handle(
    _ event: TakingEvent<OrderID, Details>, under policy: TakingPolicy = .standard
  ) -> [TakingEffect<Details>] {
    var effects: [TakingEffect<Details>] = []
    handle(event, under: policy, into: &effects)
    return effects
  }

  /// Takes in an event, and appends what it asks for.
  ///
  /// Costs constant time, and no allocation while `effects` has room.
  public mutating func handle(
    _ event: TakingEvent<OrderID, Details>, under policy: TakingPolicy, into effects: inout [TakingEffect<Details>]
  ) {
    var step = Step(policy: policy, effects: effects)
    effects = []
    defer { effects = step.effects }
    switch event {
    case .begin: begin(&step)
    case .resume(let last, let isExpired): resume(from: last, isExpired: isExpired, &step)
    case .answered(let request, .success(let answer)): answered(request, answer, &step)
    case .answered(let request, .failure(let error)): failed(request, error, &step)
    case .detailsAnswered(let request, .success(let details)): arrived(details, for: request, &step)
    case .detailsAnswered(let request, .failure(let error)): failed(request, error, &step)
    case .pushed(let order, let key, let result, let cursor): pushed(order, key, result, cursor, &step)
    case .timerFired(let timer): fired(timer, &step)
    case .tokenRefreshed(let number, let succeeded): refreshed(number, succeeded, &step)
    case .recordingFailed(let change): recordingFailed(change, &step)
    case .cancel: stop(.cancelled, ifOpen: .cancelled, &step)
    }
  }

  /// One event's surroundings: the rules, and what was asked for so far.
  struct Step {
    let policy: TakingPolicy
    var effects: [TakingEffect<Details>]

    mutating func callAsFunction(_ effect: TakingEffect<Details>) { effects.append(effect) }
  }
}
