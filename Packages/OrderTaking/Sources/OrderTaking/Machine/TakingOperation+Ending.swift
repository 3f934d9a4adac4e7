extension TakingOperation {
  /// Ends the operation without a result.
  ///
  /// - Parameters:
  ///   - outcome: The outcome if no PUT can have reached the server.
  ///   - cause: The reason for the unknown outcome, if a PUT may have reached the server.
  mutating func stop(
    _ outcome: TakingOutcome, ifOpen cause: TakingOutcome.UnknownCause, _ step: inout Step
  ) {
    switch phase {
    case .ready:
      if outcome == .cancelled { endUnrecorded(outcome, &step) }
    case .putting, .acknowledged, .polling:
      let isOpen = mayHaveReachedServer && !(outcome == .cancelled && step.policy.has(.cancelIsFinal))
      cancelPending(&step)
      end(isOpen ? step.policy.has(.unknownIsExpired) ? .expired : .unknown(cause) : outcome, &step)
    case .fetchingDetails:
      cancelPending(&step)
      end(step.policy.has(.detailsDecide) ? .expired : .accepted(hasDetails: false), &step)
    case .ending, .ended: break
    }
  }

  mutating func end(_ outcome: TakingOutcome, _ step: inout Step) {
    if step.policy.deadline != nil { step(.stopTimer(.deadline)) }
    phase = .ending(outcome)
    activity = .persisting
    step(.persist(.ended(outcome)))
  }

  /// Reports an outcome that the journal contains already, or that needs no record.
  mutating func endUnrecorded(_ outcome: TakingOutcome, _ step: inout Step) {
    phase = .ended(outcome)
    activity = .none
    step(.finish(outcome))
    if step.policy.has(.finishesTwice) { step(.finish(outcome)) }
    if step.policy.has(.neverStopsPolling) { step(.send(TakingRequest(kind: .get, number: number &+ 1))) }
  }

  // MARK: The journal

  mutating func persisted(_ checkpoint: TakingCheckpoint, _ step: inout Step) {
    switch (checkpoint, phase) {
    case (.begun, .putting) where activity == .persisting: sendPut(&step)
    case (.ended, .ending(let outcome)) where activity == .persisting: endUnrecorded(outcome, &step)
    default: break
    }
  }

  /// Sends the PUT that the journal has recorded, unless the deadline has passed during the write.
  private mutating func sendPut(_ step: inout Step) {
    if isTooLate(step) { return stop(.expired, ifOpen: .expired, &step) }
    sendNow(&step)
  }

  /// Decides whether a PUT is sent, or how an outcome is reported.
  ///
  /// Any other lost write only costs requests after a restart.
  mutating func notPersisted(_ checkpoint: TakingCheckpoint, _ failure: PersistenceFailure, _ step: inout Step) {
    if outcome != nil { return }
    step(.report(.notPersisted(checkpoint, failure)))
    guard failure != .fenced || step.policy.has(.ignoresFencing) else { return fenced(&step) }
    switch (checkpoint, phase) {
    case (.begun, .putting), (.ended, .ending):
      guard activity == .persisting else { return }
      if failure == .unknown {
        activity = .reading
        step(.readRecord)
      } else {
        isNotRecorded(isCertain: true, &step)
      }
    default: break
    }
  }

  mutating func recordRead(_ checkpoint: TakingCheckpoint, _ isCurrent: Bool, _ step: inout Step) {
    guard activity == .reading else { return }
    switch (checkpoint, phase) {
    case (.begun, .putting) where isCurrent: sendPut(&step)
    case (.ended, .ending(let outcome)) where isCurrent: endUnrecorded(outcome, &step)
    case (.begun, .putting), (.ended, .ending): isNotRecorded(isCertain: false, &step)
    // A read before a cancellation decides nothing after it.
    default: break
    }
  }

  private mutating func isNotRecorded(isCertain: Bool, _ step: inout Step) {
    switch phase {
    case .ending(let outcome) where step.policy.has(.ignoresFailedEnd): endUnrecorded(outcome, &step)
    case .putting(mayHaveArrived: false) where number == 0 && isCertain:
      if step.policy.deadline != nil { step(.stopTimer(.deadline)) }
      endUnrecorded(.unrecorded, &step)
    case .putting(mayHaveArrived: false) where number == 0: end(.unknown(.journal), &step)
    case .putting:
      // The journal has the intent, so the PUT can wait.
      activity = .none
      failures = failures == .max ? .max : failures + 1
      retry(notBefore: .zero, &step)
    case .ending(let outcome): endUnrecorded(outcome.ifNotRecorded, &step)
    default: break
    }
  }

  /// Ends the operation, because another process has taken it over and reports the outcome.
  private mutating func fenced(_ step: inout Step) {
    if case .ending = phase {} else if step.policy.deadline != nil { step(.stopTimer(.deadline)) }
    cancelPending(&step)
    endUnrecorded(.unknown(.fenced), &step)
  }
}

extension TakingOutcome {
  /// The outcome to report if the journal does not contain it.
  ///
  /// After a restart, an earlier checkpoint could lead to a PUT that the server accepts, so no failure can be reported.
  fileprivate var ifNotRecorded: TakingOutcome {
    switch self {
    case .accepted, .unknown: self
    default: .unknown(.journal)
    }
  }
}
