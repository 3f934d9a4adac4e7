/// The work on one operation: it passes events to the ``TakingOperation``, one at a time, and performs the effects.
///
/// A thread that delivers an event does the work, unless another thread is working on the operation. Then it leaves the event
/// in the mailbox of that thread. So no lock is held while effects are performed, an effect can cause an event immediately,
/// and an operation that polls forever uses constant stack space.
///
/// It is not generic over the order and its details, because generic code costs several times as much.
///
/// `@unchecked Sendable`: the lock guards `mailbox` and `isWorking`. Only the thread that has set `isWorking` uses the other fields,
/// and the lock passes them to the next one.
final class TakingLoop: @unchecked Sendable {
  private let lock: Lock
  private let environment: TakingEnvironment
  private let policy: SharedPolicy

  @exclusivity(unchecked) private var mailbox: [TakingEvent] = []
  @exclusivity(unchecked) private var isWorking = true  // until the start

  @exclusivity(unchecked) private var operation = TakingOperation(key: IdempotencyKey(high: 0, low: 0))
  @exclusivity(unchecked) private var cancelPause: (@Sendable () -> Void)?
  @exclusivity(unchecked) private var cancelTimeout: (@Sendable () -> Void)?
  @exclusivity(unchecked) private var cancelDeadline: (@Sendable () -> Void)?

  /// Returns whether the operation has a mistake; always `false` in release builds.
  func has(_ mistake: Mutant) -> Bool { policy.value.has(mistake) }

  /// The maximum time of a request.
  var requestTimeout: Duration? { policy.value.requestTimeout }

  init(_ lock: Lock, _ environment: TakingEnvironment, _ policy: SharedPolicy) {
    self.lock = lock
    self.environment = environment
    self.policy = policy
  }

  /// Handles the first event.
  func start(_ event: TakingEvent, key: IdempotencyKey, for performer: any EffectPerformer) {
    operation = TakingOperation(key: key, seed: key.low)
    work(event, for: performer)
  }

  func receive(_ event: TakingEvent, for performer: any EffectPerformer) {
    lock.lock()
    guard !isWorking else {
      mailbox.append(event)
      return lock.unlock()
    }
    isWorking = true
    lock.unlock()
    work(event, for: performer)
  }

  private func work(_ first: TakingEvent, for performer: any EffectPerformer) {
    var next: TakingEvent? = first
    var effects: [TakingEffect] = []
    effects.reserveCapacity(4)
    while let event = next {
      let now = environment.timers.now()
      effects.removeAll(keepingCapacity: true)
      let before = environment.observe == nil ? nil : operation.phase
      operation.handle(event, at: now, under: policy.value, into: &effects)
      if let before, !effects.isEmpty { environment.observe?(before, event, operation.phase) }
      for effect in effects {
        if environment.isLogged { performer.report(effect, at: now.sinceEpoch) }
        perform(effect, at: now, for: performer)
      }
      next = nextEvent()
    }
  }

  private func nextEvent() -> TakingEvent? {
    lock.lock()
    defer { lock.unlock() }
    guard !mailbox.isEmpty else {
      isWorking = false
      return nil
    }
    let event = mailbox.removeFirst()
    // A waiting operation needs no buffer, so its memory is released.
    if mailbox.isEmpty { mailbox = [] }
    return event
  }

  private func perform(_ effect: TakingEffect, at now: Moment, for performer: any EffectPerformer) {
    switch effect {
    case .persist(let checkpoint): performer.persist(checkpoint, at: now)
    case .readRecord: performer.readRecord()
    case .send(let request): performer.send(request)
    case .refreshToken(let number): performer.refreshToken(number)
    case .abandon, .abandonToken: performer.cancelRequest()
    case .startTimer(let timer, let delay):
      // A pause follows a request that has ended.
      if case .pause = timer { performer.releaseRequest() }
      keep(environment.timers.schedule(delay) { self.receive(.timerFired(timer), for: performer) }, for: timer)
    case .stopTimer(let timer): keep(nil, for: timer)
    case .report: break
    case .finish(let outcome): performer.finish(outcome)
    }
  }

  private func keep(_ cancel: (@Sendable () -> Void)?, for timer: TakingTimer) {
    switch timer {
    case .pause:
      if cancel == nil { cancelPause?() }
      cancelPause = cancel
    case .request:
      if cancel == nil { cancelTimeout?() }
      cancelTimeout = cancel
    case .deadline:
      if cancel == nil { cancelDeadline?() }
      cancelDeadline = cancel
    }
  }
}

/// The effects of an operation that depend on the types of the order and its details.
protocol EffectPerformer: AnyObject, Sendable {
  func persist(_ checkpoint: TakingCheckpoint, at now: Moment)
  func readRecord()
  func send(_ request: TakingRequest)
  func refreshToken(_ number: UInt32)
  func cancelRequest()
  func releaseRequest()
  func report(_ effect: TakingEffect, at now: Duration)
  func finish(_ outcome: TakingOutcome)
}

/// The values that all operations of a taker share, and that do not depend on its types.
///
/// `@unchecked Sendable`: `observe` does not change after the first operation, and the other fields are constants.
final class TakingEnvironment: @unchecked Sendable {
  let timers: Timers
  let policy: SharedPolicy
  let isLogged: Bool
  /// Called with each event that has effects, and the phases before and after it.
  ///
  /// It is set before the first operation.
  @exclusivity(unchecked) var observe: (@Sendable (TakingPhase, TakingEvent, TakingPhase) -> Void)?

  init(_ timers: Timers, _ policy: TakingPolicy, isLogged: Bool) {
    self.timers = timers
    self.policy = SharedPolicy(policy)
    self.isLogged = isLogged
  }
}

/// One policy for many operations, because a policy is much larger than a reference.
final class SharedPolicy: Sendable {
  let value: TakingPolicy

  init(_ value: TakingPolicy) { self.value = value }
}
