/// What a `TakingOperation` decides by: everything but the order's identity and its details, so that it is no generic
/// type, and as fast in any module.
@usableFromInline
package struct TakingMachine: Sendable {
  /// Where the operation stands.
  @usableFromInline package internal(set) var phase = TakingPhase.ready

  /// What it waits for.
  @usableFromInline package internal(set) var activity = TakingActivity.none

  /// Who brought the result, once there is one.
  @usableFromInline package internal(set) var winner: TakingSource?

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

  /// Whether the server has refused a PUT because it has forgotten the key.
  package internal(set) var hasExpiredKey = false

  /// Whether no PUT of the wish can come to the server any more.
  package internal(set) var hasNothingOnItsWay = false

  /// The latest push that was heeded.
  var lastCursor: UInt64?

  /// Which intent it is about.
  let key: IdempotencyKey

  /// Where the jitter comes from.
  let seed: UInt64

  @usableFromInline
  package init(key: IdempotencyKey, seed: UInt64) {
    self.key = key
    self.seed = seed
  }

  @usableFromInline package var mayHaveReachedServer: Bool {
    hasOpenPut || phase == .putNotAcknowledged && activity == .request
  }

  /// A `TakingEvent` without what only an operation knows.
  @usableFromInline
  package enum Event {
    case begin
    case resume(last: TakingChange, isExpired: Bool, isLongPast: Bool)
    case announce(TakingOutcome)
    case answered(TakingRequest, Result<TakingAnswer, HTTPError>)
    case detailsArrived(TakingRequest)
    case detailsFailed(TakingRequest, HTTPError)
    case pushed(isOwnOrder: Bool, key: IdempotencyKey?, TakingResult, cursor: UInt64?)
    case timerFired(TakingTimer)
    case tokenRefreshed(number: UInt32, succeeded: Bool)
    case recordingFailed(TakingChange)
    case cancel
  }

  @usableFromInline
  package mutating func handle(_ event: Event, under policy: TakingPolicy, into effects: inout [TakingEffect]) {
    var step = Step(policy: policy, effects: effects)
    effects = []
    defer { effects = step.effects }
    switch event {
    case .begin: begin(&step)
    case .resume(let last, let isExpired, let isLongPast):
      hasNothingOnItsWay = isExpired && isLongPast && phase == .ready
      resume(from: last, isExpired: isExpired, &step)
    case .announce(let outcome): announce(outcome, &step)
    case .answered(let request, .success(let answer)): answered(request, answer, &step)
    case .answered(let request, .failure(let error)): failed(request, error, &step)
    case .detailsArrived(let request): detailsArrived(for: request, &step)
    case .detailsFailed(let request, let error): failed(request, error, &step)
    case .pushed(let isOwnOrder, let key, let result, let cursor):
      pushed(isOwnOrder && (key == nil || key == self.key), result, cursor, &step)
    case .timerFired(let timer): fired(timer, &step)
    case .tokenRefreshed(let number, let succeeded): refreshed(number, succeeded, &step)
    case .recordingFailed(let change): recordingFailed(change, &step)
    case .cancel: stop(.cancelled, ifOpen: .cancelled, &step)
    }
  }

  /// One event's surroundings: the rules, and what was asked for so far.
  struct Step {
    let policy: TakingPolicy
    var effects: [TakingEffect]

    mutating func callAsFunction(_ effect: TakingEffect) { effects.append(effect) }
  }
}
