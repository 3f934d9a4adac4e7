// How an operation begins, sends, waits and stops waiting.

extension TakingMachine {
  mutating func begin(_ step: inout Step) {
    guard phase == .ready else { return }
    if let budget = step.policy.budget, budget <= .zero { return endUnbegun(.expired, &step) }
    phase = .putNotAcknowledged
    step(.record(.begun))
    startBudget(&step)
    send(&step)
  }

  mutating func resume(from last: TakingChange, isExpired: Bool, _ step: inout Step) {
    guard phase == .ready else { return }
    if let budget = step.policy.budget, budget <= .zero { return endWithoutTime(last, &step) }
    switch last {
    case .begun where !isExpired, .ended(.unknown) where !isExpired:
      // Whether the PUT went out is not known: the same key makes a second one harmless.
      hasOpenPut = true
      phase = .putNotAcknowledged
    case .begun, .acknowledged, .ended(.unknown):
      hasOpenPut = true
      phase = .runningGets
    case .accepted, .ended(.accepted):
      winner = .journal
      phase = .fetchingDetails
    case .ended(let outcome):
      return endUnbegun(outcome, &step)
    }
    startBudget(&step)
    send(&step)
  }

  /// Ends an operation that goes on without any time for it: what is known is told, and nothing is sent.
  private mutating func endWithoutTime(_ last: TakingChange, _ step: inout Step) {
    switch last {
    case .begun, .acknowledged, .ended(.unknown): endUnbegun(.unknown(.expired), &step)
    case .accepted, .ended(.accepted): endUnbegun(.accepted(hasDetails: false), &step)
    case .ended(let outcome): endUnbegun(outcome, &step)
    }
  }

  /// Tells an end that was recorded and never told.
  mutating func announce(_ outcome: TakingOutcome, _ step: inout Step) {
    guard phase == .ready else { return }
    // What the journal does not hold of an acceptance is asked for again.
    if case .accepted = outcome { return resume(from: .ended(outcome), isExpired: false, &step) }
    endUnbegun(outcome, &step)
  }

  /// Ends an operation of which nothing has to be recorded or stopped.
  mutating func endUnbegun(_ outcome: TakingOutcome, _ step: inout Step) {
    phase = .ended(outcome)
    activity = .none
    step(.finish(outcome))
  }

  /// Sends the next request of the phase.
  mutating func send(_ step: inout Step) {
    number &+= 1
    attempts = attempts == .max ? .max : attempts + 1
    activity = .request
    if let timeout = step.policy.requestTimeout { step(.startTimer(.request(number: number), after: timeout)) }
    step(.send(TakingRequest(kind: requestKind, number: number)))
  }

  mutating func pause(for duration: Duration, _ step: inout Step) {
    number &+= 1
    activity = .pause
    step(.startTimer(.pause(number: number), after: duration))
  }

  mutating func askForToken(_ step: inout Step) {
    number &+= 1
    activity = .token
    hasAskedForToken = true
    if let timeout = step.policy.requestTimeout { step(.startTimer(.request(number: number), after: timeout)) }
    step(.refreshToken(number: number))
  }

  /// Stops whatever is being waited for.
  mutating func standDown(_ step: inout Step) {
    switch activity {
    case .none: break
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

  /// Begins a phase with requests of its own.
  mutating func enter(_ next: TakingPhase) {
    phase = next
    attempts = 0
    failures = 0
    hasAskedForToken = false
  }

  /// Whether it is the answer to this request that is awaited.
  func isAwaited(_ request: TakingRequest) -> Bool {
    activity == .request && request.number == number
  }

  /// What the phase asks the server.
  var requestKind: TakingRequest.Kind {
    switch phase {
    case .ready, .putNotAcknowledged, .ended: .put
    case .acknowledgedGetNotStarted, .runningGets: .get
    case .fetchingDetails: .details
    }
  }

  private func startBudget(_ step: inout Step) {
    if let budget = step.policy.budget { step(.startTimer(.budget, after: budget)) }
  }

  /// 64 bits that depend on the operation's seed and on which request or pause this is: one step of SplitMix64.
  var random: UInt64 {
    var bits = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    return bits.next()
  }
}
