extension TakingOperation {
  /// A PUT is sent only after the journal has recorded it.
  ///
  /// The deadline may have passed although its timer has not fired, because timers stop while a machine sleeps.
  mutating func send(_ step: inout Step) {
    if isTooLate(step) { return stop(.expired, ifOpen: .expired, &step) }
    if case .putting = phase {
      if step.policy.has(.recordsAfterPut) { sendNow(&step) }
      activity = .persisting
      step(.persist(.begun))
      if step.policy.has(.recordsAfterPut) { activity = .request }
      if step.policy.has(.putsBeforePersisted) { sendNow(&step) }
    } else {
      sendNow(&step)
    }
  }

  func isTooLate(_ step: Step) -> Bool {
    deadline.map { step.now.sinceBoot >= $0 && !step.policy.has(.ignoresDeadline) } ?? false
  }

  mutating func sendNow(_ step: inout Step) {
    number &+= 1
    attempts = attempts == .max ? .max : attempts + 1
    activity = .request
    if let timeout = step.policy.requestTimeout, !step.policy.has(.hasNoRequestTimeout) {
      step(.startTimer(.request(number: number), after: timeout))
    }
    step(.send(TakingRequest(kind: requestKind, number: number)))
  }

  mutating func pause(for duration: Duration, _ step: inout Step) {
    number &+= 1
    activity = .pause
    step(.startTimer(.pause(number: number), after: duration))
  }

  mutating func refreshToken(_ step: inout Step) {
    number &+= 1
    activity = .token
    hasRefreshedToken = true
    if let timeout = step.policy.requestTimeout { step(.startTimer(.request(number: number), after: timeout)) }
    step(.refreshToken(number: number))
  }

  mutating func retry(notBefore: Duration, _ step: inout Step) {
    if let attempts = step.policy.attempts, failures >= attempts, phase != .fetchingDetails {
      return stop(.expired, ifOpen: .expired, &step)
    }
    // No PUT has reached the server, and none can be sent before the deadline.
    if phase == .putting(mayHaveArrived: false), let deadline, step.now.sinceBoot + notBefore >= deadline {
      return stop(.expired, ifOpen: .expired, &step)
    }
    pause(for: max(notBefore, step.policy.retries.delay(after: failures, random: random)), &step)
  }

  mutating func cancelPending(_ step: inout Step) {
    switch activity {
    // A write cannot be cancelled. The next one follows it.
    case .none, .persisting, .reading: break
    case .request:
      step(.abandon(TakingRequest(kind: requestKind, number: number)))
      stopRequestTimer(&step)
    case .pause: step(.stopTimer(.pause(number: number)))
    case .token:
      step(.abandonToken(number: number))
      stopRequestTimer(&step)
    }
    activity = .none
  }

  func stopRequestTimer(_ step: inout Step) {
    if step.policy.requestTimeout != nil { step(.stopTimer(.request(number: number))) }
  }

  mutating func enter(_ next: TakingPhase) {
    phase = next
    attempts = 0
    failures = 0
    hasRefreshedToken = false
  }

  func isAwaited(_ request: TakingRequest) -> Bool {
    activity == .request && request.number == number
  }

  package var requestKind: TakingRequest.Kind {
    switch phase {
    case .ready, .putting, .ending, .ended: .put
    case .acknowledged, .polling: .get
    case .fetchingDetails: .details
    }
  }

  /// 64 bits that depend on the seed and on the number of the request or pause: one step of SplitMix64.
  var random: UInt64 {
    var bits = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    return bits.next()
  }
}
