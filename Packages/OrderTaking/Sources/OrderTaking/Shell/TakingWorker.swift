internal import Synchronization

/// What all operations of a taker share and no type of its user's occurs in.
class TakingEnvironment: @unchecked Sendable {  // it has nothing that changes but the counters, which are atomic
  final let timers: Timers
  final let policy: SharedPolicy
  final let isLogged: Bool
  final let counters = TakingCounterCells()

  init(_ timers: Timers, _ policy: TakingPolicy, isLogged: Bool) {
    self.timers = timers
    self.policy = SharedPolicy(policy)
    self.isLogged = isLogged
  }
}

/// One policy for many operations.
final class SharedPolicy: Sendable {
  let value: TakingPolicy
  init(_ value: TakingPolicy) { self.value = value }
}

/// One operation under way: feeds events to the machine, one at a time, and performs what it asks for.
///
/// Whoever brings an event when nobody is at work does the work; everybody else leaves the event in the mailbox. So no
/// lock is held while effects are performed, they may bring events at once, and an operation that polls for ever uses no
/// stack. A request that is answered already brings its event without a lock and without the mailbox.
///
/// It has no type of the user's in it, since code that is generic is several times as slow; `RunningTaking` has.
///
/// `@unchecked Sendable`: what is marked *the lock's* is touched only while `lock` is held. What is marked *the worker's* is
/// touched only by the thread that has set `isAtWork`, which passes from one thread to the next under that lock.
class TakingWorker: @unchecked Sendable {
  typealias Event = TakingMachine.Event

  final let lock: TakingLock
  final let environment: TakingEnvironment
  private final let policy: SharedPolicy
  final let isWatched = Atomic(false)

  // The lock's:
  @exclusivity(unchecked) private final var mailbox: [Event] = []
  /// At first the one who made it is at work, until it has been started.
  @exclusivity(unchecked) private final var isAtWork = true

  // The worker's:
  @exclusivity(unchecked) private final var machine = TakingMachine(key: IdempotencyKey(high: 0, low: 0), seed: 0)
  @exclusivity(unchecked) final var begunAt = Duration.zero
  @exclusivity(unchecked) final var endRequest: (@Sendable () -> Void)?
  @exclusivity(unchecked) private final var pauseTimer: (@Sendable () -> Void)?
  @exclusivity(unchecked) private final var requestTimer: (@Sendable () -> Void)?
  @exclusivity(unchecked) private final var budgetTimer: (@Sendable () -> Void)?

  init(_ lock: TakingLock, _ environment: TakingEnvironment, _ policy: TakingPolicy?) {
    self.lock = lock
    self.environment = environment
    self.policy = policy.map { SharedPolicy($0) } ?? environment.policy
  }

  // MARK: What an operation of certain types does

  /// Makes a change safe, and says whether it is.
  func write(_ change: TakingChange) -> Bool { false }

  /// Sends a request, and gives its answer if that is there already.
  func send(_ request: TakingRequest) -> Event? { nil }

  /// Gets a fresh token, and says how that went if it is known already.
  func refreshToken(_ number: UInt32) -> Event? { nil }

  /// Tells those who want to know.
  func tell(_ effect: TakingEffect) {}

  /// Tells the callers how it ended.
  func finish(_ outcome: TakingOutcome) {}

  // MARK: Events

  /// Begins the work, for the one who made it.
  final func start(_ event: Event, _ key: IdempotencyKey, at begunAt: Duration) {
    machine = TakingMachine(key: key, seed: key.low)
    self.begunAt = begunAt
    lock.lock()
    let effects = takeSpareEffects()
    lock.unlock()
    work(event, effects)
  }

  final func receive(_ event: Event) {
    lock.lock()
    guard !isAtWork else {
      mailbox.append(event)
      return lock.unlock()
    }
    isAtWork = true
    let effects = takeSpareEffects()
    lock.unlock()
    work(event, effects)
  }

  private final func takeSpareEffects() -> [TakingEffect] {
    defer { lock.spareEffects = [] }
    return lock.spareEffects
  }

  private final func work(_ first: Event, _ room: consuming [TakingEffect]) {
    var effects = room
    handle(first, &effects)
    while true {
      lock.lock()
      guard !mailbox.isEmpty else {
        isAtWork = false
        lock.spareEffects = effects
        return lock.unlock()
      }
      let events = mailbox
      mailbox = []
      lock.unlock()
      for event in events { handle(event, &effects) }
    }
  }

  private final func handle(_ event: Event, _ effects: inout [TakingEffect]) {
    var next: Event? = event
    var answer: Event?
    while let event = next {
      next = nil
      machine.handle(event, under: policy.value, into: &effects)
      for effect in effects {
        guard case .record(let change) = effect else {
          answer = perform(effect) ?? answer
          continue
        }
        if !write(change) {
          next = .recordingFailed(change)
          if change == .begun { break }
        }
      }
      effects.removeAll(keepingCapacity: true)
      if next == nil { swap(&next, &answer) }
    }
  }

  // MARK: Effects

  private final func perform(_ effect: TakingEffect) -> Event? {
    count(effect)
    if environment.isLogged || isWatched.load(ordering: .relaxed) { tell(effect) }
    switch effect {
    case .send(let request): return send(request)
    case .refreshToken(let number): return refreshToken(number)
    case .abandon, .abandonToken:
      endRequest?()
      endRequest = nil
    case .startTimer(let timer, let delay):
      if case .pause = timer { endRequest = nil }
      keep(environment.timers.schedule(delay) { self.receive(.timerFired(timer)) }, for: timer)
    case .stopTimer(let timer): keep(nil, for: timer)
    case .finish(let outcome): finish(outcome)
    case .record, .report: break
    }
    return nil
  }

  private final func count(_ effect: TakingEffect) {
    if case .finish(let outcome) = effect {
      environment.counters.count(outcome, age: environment.timers.now() - begunAt)
    } else {
      environment.counters.count(effect)
    }
  }

  private final func keep(_ cancel: (@Sendable () -> Void)?, for timer: TakingTimer) {
    switch timer {
    case .pause:
      if cancel == nil { pauseTimer?() }
      pauseTimer = cancel
    case .request:
      if cancel == nil { requestTimer?() }
      requestTimer = cancel
    case .budget:
      if cancel == nil { budgetTimer?() }
      budgetTimer = cancel
    }
  }
}
