extension TakingOperation {
  mutating func answered(_ request: TakingRequest, _ answer: TakingAnswer, _ step: inout Step) {
    guard phase != .ready, request.kind != .details else { return }
    // A result counts even if its request was cancelled.
    let isAwaited = isAwaited(request)
    if isAwaited { requestEnded(&step) }
    switch (answer, phase) {
    case (.accepted, _): decide(.accepted, from: request.kind == .put ? .put : .get, &step)
    case (.processing, _) where step.policy.has(.processingIsAccepted): decide(.accepted, from: .get, &step)
    case (.declined(let reason), _): declined(reason, by: request, &step)
    case (.processing, .putting): acknowledge(&step)
    case (.processing, _) where isAwaited:
      failures = 0
      hasRefreshedToken = false
      pause(for: step.policy.polls.delay(after: attempts, random: random), &step)
    case (.processing, _): break
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
    if request.kind == .details, step.policy.has(.inventsDetails) { return end(.accepted(hasDetails: true), &step) }
    failures = failures == .max ? .max : failures + 1
    if disposition != .refreshToken { hasRefreshedToken = false }
    if case .putting = phase, error.mayHaveReachedServer { phase = .putting(mayHaveArrived: true) }
    switch disposition {
    case .refreshToken where !hasRefreshedToken: refreshToken(&step)
    case .retry(let notBefore): retry(notBefore: notBefore, &step)
    case .stop: stop(.expired, ifOpen: .expired, &step)
    case _ where request.kind == .details: retry(notBefore: error.retryAfter ?? .zero, &step)
    case .decline(let reason): declined(reason, by: request, &step)
    case .refreshToken: refused(.rejected(status: 401), status: 401, nil, &step)
    case .refuse(let status): refused(.rejected(status: status), status: status, error.problem, &step)
    case .keyMismatch: refused(.keyMismatch, status: error.status ?? 422, nil, &step)
    case .keyExpired: refused(.keyExpired, status: error.status ?? 422, nil, &step)
    }
  }

  mutating func detailsArrived(for request: TakingRequest, _ step: inout Step) {
    // The details of a cancelled request count too.
    guard phase == .fetchingDetails, request.kind == .details else { return }
    if isAwaited(request) { requestEnded(&step) } else { cancelPending(&step) }
    end(.accepted(hasDetails: true), &step)
  }

  mutating func pushed(_ result: TakingResult, _ key: IdempotencyKey?, _ cursor: UInt64?, _ step: inout Step) {
    guard phase != .ready else { return }
    guard key == nil || key == self.key || step.policy.has(.acceptsForeignPushes) else {
      return step(.report(.foreignPush))
    }
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
      if phase == .acknowledged { phase = .polling(ifNotTaken: nil) }
      send(&step)
    case .request(number) where activity == .request:
      let request = TakingRequest(kind: requestKind, number: number)
      step(.abandon(request))
      if request.kind == .put, step.policy.has(.timeoutIsDecline) {
        return decide(.declined("timeout"), from: .put, &step)
      }
      failed(request, .timedOut, &step)
    case .request(number) where activity == .token:
      step(.abandonToken(number: number))
      activity = .none
      retryWithoutToken(notBefore: .zero, &step)
    case .deadline: stop(.expired, ifOpen: .expired, &step)
    default: break
    }
  }

  mutating func refreshed(_ number: UInt32, _ failure: HTTPError?, _ step: inout Step) {
    guard activity == .token, number == self.number else { return }
    requestEnded(&step)
    guard let failure else { return send(&step) }
    if case .retry(let notBefore) = step.policy.disposition(of: failure) {
      retryWithoutToken(notBefore: notBefore, &step)
    } else if phase == .fetchingDetails {
      retry(notBefore: .zero, &step)
    } else {
      refused(.rejected(status: 401), status: 401, nil, &step)
    }
  }

  /// Retries the request: the log-in service has refused no token, and may respond to the next refresh.
  private mutating func retryWithoutToken(notBefore: Duration, _ step: inout Step) {
    hasRefreshedToken = false
    retry(notBefore: notBefore, &step)
  }

  private mutating func requestEnded(_ step: inout Step) {
    stopRequestTimer(&step)
    activity = .none
  }
}
