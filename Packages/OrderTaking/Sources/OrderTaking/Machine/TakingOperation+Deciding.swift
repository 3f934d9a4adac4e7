extension TakingOperation {
  mutating func acknowledge(_ step: inout Step) {
    cancelPending(&step)
    enter(.acknowledged)
    step(.persist(.acknowledged))
    step(.report(.acknowledged))
    pause(for: step.policy.has(.waitsForAnHour) ? .seconds(3_600) : step.policy.delayBeforeFirstGet, &step)
  }

  /// Handles a decline: accepts it as the result, unless a PUT of this operation may be its reason.
  ///
  /// The first PUT can be the reason too, because the network may have sent it twice.
  mutating func declined(_ reason: String, by request: TakingRequest, _ step: inout Step) {
    guard request.kind == .put, step.policy.ambiguousDeclineReasons.contains(reason),
      !step.policy.has(.believesEcho)
    else {
      return decide(.declined(reason), from: request.kind == .put ? .put : .get, &step)
    }
    step(.report(.doubtful(reason: reason)))
    // If the server then has recorded no PUT of ours, another driver has the order.
    if case .putting = phase { poll(ifNotTaken: .declined(reason: reason), &step) }
  }

  mutating func refused(
    _ outcome: TakingOutcome, status: Int, _ problem: HTTPError.Problem?, _ step: inout Step
  ) {
    switch phase {
    // The server knows the result of the earlier PUT. A PUT with an expired key that arrives later is refused.
    case .putting(mayHaveArrived: true): poll(ifNotTaken: outcome == .keyExpired ? .keyExpired : nil, &step)
    case .putting(mayHaveArrived: false): end(outcome, &step)
    // Only with this problem: any other 404 may come from a proxy.
    case .polling(let ifNotTaken?) where status == 404 && problem == .noSuchTaking: end(ifNotTaken, &step)
    case .polling where status == 404 && step.policy.has(.believesAnyNotFound): end(.expired, &step)
    default: end(.unknown(.refused(status: status)), &step)
    }
  }

  /// Sends GET at once, and no PUT from now on.
  private mutating func poll(ifNotTaken: TakingOutcome?, _ step: inout Step) {
    cancelPending(&step)
    enter(.polling(ifNotTaken: ifNotTaken))
    send(&step)
  }

  /// The first one counts.
  mutating func decide(_ result: TakingResult, from source: TakingSource, _ step: inout Step) {
    switch phase {
    case .ready: break
    case .putting, .acknowledged, .polling:
      cancelPending(&step)
      winner = source
      switch result {
      case .accepted:
        enter(.fetchingDetails)
        step(.persist(.accepted))
        step(.report(.won(result, by: source)))
        send(&step)
      case .declined(let reason):
        step(.report(.won(result, by: source)))
        end(.declined(reason: reason), &step)
      }
    case .fetchingDetails, .ending(.accepted), .ended(.accepted): compare(.accepted, with: result, from: source, &step)
    case .ending(.declined(let reason)), .ended(.declined(let reason)):
      compare(.declined(reason), with: result, from: source, &step)
    case .ending, .ended: step(.report(.late(result, from: source)))
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
}
