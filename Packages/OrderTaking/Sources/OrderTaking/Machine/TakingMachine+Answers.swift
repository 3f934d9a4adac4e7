// What an operation makes of answers, pushes and timers.

extension TakingMachine {
  mutating func answered(_ request: TakingRequest, _ answer: TakingAnswer, _ step: inout Step) {
    guard phase != .ready, request.kind != .details else { return }
    // An answer to a request that was given up is an answer all the same, unless it says nothing.
    let isAwaited = isAwaited(request)
    if isAwaited { requestEnded(&step) }
    switch answer {
    case .accepted: decide(.accepted, from: request.kind == .put ? .put : .get, &step)
    case .declined(let reason): declined(reason, by: request, &step)
    case .processing where phase == .putNotAcknowledged: acknowledge(&step)
    case .processing where isAwaited:
      failures = 0
      hasAskedForToken = false
      pause(for: step.policy.polls.delay(after: attempts, random: random), &step)
    case .processing: break
    }
  }

  mutating func failed(_ request: TakingRequest, _ error: HTTPError, _ step: inout Step) {
    guard phase != .ready else { return }
    let disposition = step.policy.disposition(of: error)
    guard isAwaited(request) else {
      if case .decline(let reason) = disposition, request.kind != .details {
        declined(reason, by: request, &step)
      }
      return
    }
    requestEnded(&step)
    step(.report(.failed(request, error)))
    failures = failures == .max ? .max : failures + 1
    if disposition != .refreshToken { hasAskedForToken = false }
    if request.kind == .put, error.mayHaveReachedServer { hasOpenPut = true }
    switch disposition {
    case .refreshToken where !hasAskedForToken: askForToken(&step)
    case .retry(let notBefore): retry(notBefore: notBefore, &step)
    case _ where request.kind == .details: retry(notBefore: error.retryAfter ?? .zero, &step)
    case .decline(let reason): declined(reason, by: request, &step)
    case .refreshToken: refused(.rejected(status: 401), status: 401, nil, &step)
    case .refuse(let status): refused(.rejected(status: status), status: status, error.problem, &step)
    case .keyMismatch: refused(.keyMismatch, status: error.status ?? 422, nil, &step)
    case .keyExpired: refused(.keyExpired, status: error.status ?? 422, nil, &step)
    }
  }

  mutating func detailsArrived(for request: TakingRequest, _ step: inout Step) {
    // Those of a request that was given up are the details too.
    guard phase == .fetchingDetails, request.kind == .details else { return }
    if isAwaited(request) { requestEnded(&step) } else { standDown(&step) }
    end(.accepted(hasDetails: true), &step)
  }

  mutating func pushed(_ isOwn: Bool, _ result: TakingResult, _ cursor: UInt64?, _ step: inout Step) {
    guard phase != .ready else { return }
    guard isOwn else { return step(.report(.foreignPush)) }
    if let cursor {
      if let lastCursor, cursor <= lastCursor { return }
      lastCursor = cursor
    }
    decide(result, from: .push, &step)
  }

  mutating func fired(_ timer: TakingTimer, _ step: inout Step) {
    switch timer {
    case .pause(number) where activity == .pause:
      activity = .none
      if phase == .acknowledgedGetNotStarted { phase = .runningGets }
      send(&step)
    case .request(number) where activity == .request:
      let request = TakingRequest(kind: requestKind, number: number)
      step(.abandon(request))
      failed(request, .timedOut, &step)
    case .request(number) where activity == .token:
      // The log-in service may respond to the next refresh, so this is no refusal.
      step(.abandonToken(number: number))
      activity = .none
      hasAskedForToken = false
      retry(notBefore: .zero, &step)
    case .budget: stop(.expired, ifOpen: .expired, &step)
    default: break
    }
  }

  mutating func refreshed(_ number: UInt32, _ succeeded: Bool, _ step: inout Step) {
    guard activity == .token, number == self.number else { return }
    requestEnded(&step)
    if succeeded {
      send(&step)
    } else if phase == .fetchingDetails {
      retry(notBefore: .zero, &step)
    } else {
      refused(.rejected(status: 401), status: 401, nil, &step)
    }
  }

  private mutating func requestEnded(_ step: inout Step) {
    stopRequestTimer(&step)
    activity = .none
  }

  private mutating func retry(notBefore: Duration, _ step: inout Step) {
    if let attempts = step.policy.attempts, failures >= attempts, phase != .fetchingDetails {
      return stop(.expired, ifOpen: .expired, &step)
    }
    // Nothing can come before the budget ends: neither a PUT of ours, nor an answer to one.
    if phase == .putNotAcknowledged, !hasOpenPut, let budget = step.policy.budget, notBefore >= budget {
      return stop(.expired, ifOpen: .expired, &step)
    }
    pause(for: max(notBefore, step.policy.retries.delay(after: failures, random: random)), &step)
  }
}
