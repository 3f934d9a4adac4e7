extension TakingOperation {
  mutating func begin(_ step: inout Step) {
    guard phase == .ready else { return }
    if hasNoTime(step.policy) { return endUnrecorded(.expired, &step) }
    phase = .putting(mayHaveArrived: false)
    startDeadline(&step)
    send(&step)
  }

  mutating func resume(from history: TakingHistory, for purpose: TakingPurpose, _ step: inout Step) {
    guard phase == .ready else { return }
    switch (history.checkpoint, purpose) {
    case (.accepted, _), (.ended(.accepted), _):
      // The journal contains no details, so they are requested again.
      if hasNoTime(step.policy) { return endUnrecorded(.accepted(hasDetails: false), &step) }
      winner = .journal
      phase = .fetchingDetails
    case (.ended(let outcome), .recover): return endUnrecorded(outcome, &step)
    case (.begun, _), (.acknowledged, _), (.ended(.unknown), _):
      if hasNoTime(step.policy) { return endUnrecorded(.unknown(.expired), &step) }
      phase = phase(after: history, for: purpose, at: step.now, step.policy)
    case (.ended(let outcome), _): return endUnrecorded(outcome, &step)
    }
    startDeadline(&step)
    send(&step)
  }

  /// A PUT with the same key is harmless, whether or not an earlier one has arrived.
  private func phase(after history: TakingHistory, for purpose: TakingPurpose, at now: Moment, _ policy: TakingPolicy)
    -> TakingPhase
  {
    let putsAgain =
      switch purpose {
      case .take: history.checkpoint != .acknowledged
      case .reconcile: false
      case .recover(let ageLimit): history.checkpoint == .begun && !isOld(history, ageLimit, at: now)
      }
    guard !putsAgain else { return .putting(mayHaveArrived: true) }
    return .polling(ifNotTaken: canStillArrive(history, at: now, policy) ? nil : .expired)
  }

  /// A wrong answer is harmless: both a PUT with the same key and a GET lead to the order's outcome.
  private func isOld(_ history: TakingHistory, _ limit: Duration?, at now: Moment) -> Bool {
    guard let limit else { return false }
    let proven = history.lastPutAt.map { now.provenTime(since: $0) } ?? .zero
    return max(now.sinceEpoch - history.begunAt, proven) > limit
  }

  /// Returns whether a PUT can still arrive: a request is never delayed by more than ten minutes.
  ///
  /// Only a clock that cannot be set decides this. Otherwise an order could be reported as failed, and then be accepted.
  private func canStillArrive(_ history: TakingHistory, at now: Moment, _ policy: TakingPolicy) -> Bool {
    guard let lastPutAt = history.lastPutAt else { return true }
    if policy.has(.trustsWallTime) { return now.sinceEpoch - lastPutAt.sinceEpoch <= .seconds(600) }
    return now.provenTime(since: lastPutAt) <= .seconds(600)
  }

  private func hasNoTime(_ policy: TakingPolicy) -> Bool {
    policy.deadline.map { $0 <= .zero } ?? false
  }

  private mutating func startDeadline(_ step: inout Step) {
    guard let limit = step.policy.deadline else { return }
    deadline = step.now.sinceBoot + limit
    step(.startTimer(.deadline, after: limit))
  }
}
