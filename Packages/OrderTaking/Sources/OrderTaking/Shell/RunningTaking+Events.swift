// How the events of an operation are passed to its `TakingOperation`, one at a time, and how the effects are performed.
//
// A thread that delivers an event does the work, unless another thread is working on the operation. Then it leaves the
// event in the mailbox of that thread. Effects are performed without a lock, and an effect can cause an event
// immediately. An operation that polls forever uses constant stack space.

extension RunningTaking {
  func receive(_ event: TakingEvent) {
    shard.lock()
    guard !isWorking else {
      mailbox.append(event)
      return shard.unlock()
    }
    isWorking = true
    shard.unlock()
    work(event)
  }

  func work(_ first: TakingEvent) {
    let environment = taker.environment
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
        if environment.isLogged { report(effect, at: now.sinceEpoch) }
        perform(effect, at: now)
      }
      next = nextEvent()
    }
  }

  private func nextEvent() -> TakingEvent? {
    shard.lock()
    defer { shard.unlock() }
    guard !mailbox.isEmpty else {
      isWorking = false
      return nil
    }
    let event = mailbox.removeFirst()
    // A waiting operation needs no buffer, so its memory is released.
    if mailbox.isEmpty { mailbox = [] }
    return event
  }

  private func perform(_ effect: TakingEffect, at now: Moment) {
    switch effect {
    case .persist(let checkpoint): persist(checkpoint, at: now)
    case .readRecord: readRecord()
    case .send(let request): send(request)
    case .refreshToken(let number): refreshToken(number)
    case .abandon, .abandonToken: cancelRequest()
    case .startTimer(let timer, let delay):
      // A pause follows a request that has ended.
      if case .pause = timer { releaseRequest() }
      keep(taker.environment.timers.schedule(delay) { self.receive(.timerFired(timer)) }, for: timer)
    case .stopTimer(let timer): keep(nil, for: timer)
    case .report: break
    case .finish(let outcome): finish(outcome)
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
