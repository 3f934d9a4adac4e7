// How an operation comes to its result and to its end.

extension TakingMachine {
  /// The server has taken up the PUT.
  mutating func acknowledge(_ step: inout Step) {
    standDown(&step)
    enter(.acknowledgedGetNotStarted)
    hasOpenPut = true
    step(.record(.acknowledged))
    step(.report(.acknowledged))
    pause(for: step.policy.delayBeforeFirstGet, &step)
  }

  /// The server says no: believe it, unless it may speak of our own PUT.
  ///
  /// That may be so for the first PUT too: what carries it may have sent it twice.
  mutating func declined(_ reason: String, by request: TakingRequest, _ step: inout Step) {
    guard request.kind == .put, step.policy.ambiguousDeclineReasons.contains(reason) else {
      return decide(.declined(reason), from: request.kind == .put ? .put : .get, &step)
    }
    step(.report(.doubtful(reason: reason)))
    guard phase == .putNotAcknowledged else { return }
    doubted = reason
    ask(&step)
  }

  /// The server will not do what was asked; if an earlier PUT may have reached it, it knows what became of that.
  mutating func refused(
    _ outcome: TakingOutcome, status: Int, _ problem: HTTPError.Problem?, _ step: inout Step
  ) {
    // In the server's own word: any other 404 may come from whatever stands before it.
    let isUntaken = status == 404 && problem == .noSuchTaking
    if let doubted, isUntaken {
      // The order is taken, and we have not taken it.
      decide(.declined(doubted), from: .put, &step)
    } else if isUntaken, hasExpiredKey, phase != .putNotAcknowledged {
      // Nor can we take it any more: a PUT that is still on its way carries a key that is refused.
      end(.keyExpired, &step)
    } else if isUntaken, hasNothingOnItsWay, phase != .putNotAcknowledged {
      end(.expired, &step)
    } else if phase != .putNotAcknowledged {
      end(.unknown(.refused(status: status)), &step)
    } else if hasOpenPut {
      hasExpiredKey = outcome == .keyExpired
      ask(&step)
    } else {
      end(outcome, &step)
    }
  }

  /// Asks for the result at once, and sends no PUT any more.
  private mutating func ask(_ step: inout Step) {
    standDown(&step)
    enter(.runningGets)
    send(&step)
  }

  /// A result has come; the first one counts.
  mutating func decide(_ result: TakingResult, from source: TakingSource, _ step: inout Step) {
    switch phase {
    case .ready: break
    case .putNotAcknowledged, .acknowledgedGetNotStarted, .runningGets:
      standDown(&step)
      winner = source
      switch result {
      case .accepted:
        enter(.fetchingDetails)
        step(.record(.accepted))
        step(.report(.won(result, by: source)))
        send(&step)
      case .declined(let reason):
        step(.report(.won(result, by: source)))
        end(.declined(reason: reason), &step)
      }
    case .fetchingDetails, .ended(.accepted): compare(.accepted, with: result, from: source, &step)
    case .ended(.declined(let reason)): compare(.declined(reason), with: result, from: source, &step)
    case .ended: step(.report(.late(result, from: source)))
    }
  }

  private func compare(
    _ first: TakingResult, with second: TakingResult, from source: TakingSource, _ step: inout Step
  ) {
    switch (first, second) {
    case (.accepted, .accepted), (.declined, .declined): break
    default:
      step(.report(.contradiction(first, by: winner ?? .journal, with: second, from: source)))
    }
  }

  /// Ends the operation for want of a result.
  ///
  /// - Parameters:
  ///   - outcome: How it ends when no PUT can have reached the server.
  ///   - cause: Why nobody knows, when one may have.
  mutating func stop(
    _ outcome: TakingOutcome, ifOpen cause: TakingOutcome.UnknownCause, _ step: inout Step
  ) {
    switch phase {
    case .ready:
      if outcome == .cancelled { endUnbegun(outcome, &step) }
    case .putNotAcknowledged:
      let isOpen = mayHaveReachedServer
      standDown(&step)
      end(isOpen ? .unknown(cause) : outcome, &step)
    case .acknowledgedGetNotStarted, .runningGets:
      standDown(&step)
      end(.unknown(cause), &step)
    case .fetchingDetails:
      standDown(&step)
      end(.accepted(hasDetails: false), &step)
    case .ended: break
    }
  }

  mutating func end(_ outcome: TakingOutcome, _ step: inout Step) {
    if step.policy.budget != nil { step(.stopTimer(.budget)) }
    phase = .ended(outcome)
    activity = .none
    step(.record(.ended(outcome)))
    step(.finish(outcome))
  }

  /// A change is not safe.
  ///
  /// Before the first PUT that ends the operation; later it goes on, since what the journal holds already leads a restart
  /// to the same end.
  mutating func recordingFailed(_ change: TakingChange, _ step: inout Step) {
    step(.report(.recordingFailed(change)))
    guard change == .begun, phase == .putNotAcknowledged, number == 1 else { return }
    endUnbegun(.unrecorded, &step)
  }
}
