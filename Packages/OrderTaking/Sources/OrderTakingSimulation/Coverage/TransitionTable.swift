internal import OrderTaking

/// All transitions of the code, found by passing every event to every state that a sequence of events can reach.
package enum TransitionTable {
  package static let all: Set<Transition> = {
    let counter = TransitionCounter()
    for policy in [ModelChecker.boundedPolicy, .deck] { explore(policy, counter) }
    return Set(counter.counts.keys)
  }()

  /// Transitions of the code that no server, network and journal can cause.
  package static let impossible: Set<Transition> = [
    // The taker passes no event to an operation before its record is read.
    Transition(.ready, .notPersisted, .ready), Transition(.ready, .persistenceUnknown, .ready),
    Transition(.ready, .fenced, .ended), Transition(.ready, .cancel, .ended),
    // The last PUT has its response then, and earlier ones were cancelled.
    Transition(.acknowledged, .accepted, .fetchingDetails), Transition(.acknowledged, .accepted, .ending),
    Transition(.acknowledged, .declined, .ending), Transition(.acknowledged, .declined, .acknowledged),
    Transition(.acknowledged, .failed, .acknowledged), Transition(.acknowledged, .failed, .ending),
    Transition(.polling, .declined, .polling), Transition(.pollingIfNotTaken, .declined, .pollingIfNotTaken),
    // No write is pending then: PUTs wait for their writes.
    Transition(.pollingIfNotTaken, .notPersisted, .pollingIfNotTaken),
    Transition(.pollingIfNotTaken, .persistenceUnknown, .pollingIfNotTaken),
    Transition(.pollingIfNotTaken, .fenced, .ended),
    // The server keeps its decision, and accepts an order for one driver.
    Transition(.fetchingDetails, .declined, .fetchingDetails),
    Transition(.fetchingDetails, .pushAccepted, .fetchingDetails),
    // Only a PUT is declined with an error, and no PUT is in transit then.
    Transition(.ended, .failed, .ended),
  ]

  package static func missing(_ taken: TransitionCounter) -> [Transition] {
    sorted.filter { taken.counts[$0] == nil && !impossible.contains($0) }
  }

  package static func report(_ worlds: TransitionCounter, _ checked: TransitionCounter) -> [String] {
    sorted.map { transition in
      let note = impossible.contains(transition) ? " (impossible)" : ""
      return "\(transition): \(worlds.counts[transition] ?? 0), \(checked.counts[transition] ?? 0)\(note)"
    }
  }

  private static var sorted: [Transition] { all.sorted { $0.place.lexicographicallyPrecedes($1.place) } }

  private static func explore(_ policy: TakingPolicy, _ counter: TransitionCounter) {
    var states = [TakingOperation(key: ModelState.key)]
    var seen: Set<ModelState.OperationKey> = []
    while let state = states.popLast() {
      guard seen.insert(ModelState.OperationKey(state)).inserted else { continue }
      for event in events(state) {
        for sleep in state.phase == .ready ? [Duration.zero] : [.zero, .seconds(10_000)] {
          var (next, now) = (state, ModelState.start)
          now.sinceBoot += sleep
          guard !next.handle(event, at: now, under: policy).isEmpty else { continue }
          counter.count(state.phase, event, next.phase)
          states.append(next)
        }
      }
    }
  }

  private static func events(_ state: TakingOperation) -> [TakingEvent] {
    let number = state.number
    var events: [TakingEvent] = [
      .begin, .cancel, .timerFired(.deadline),
      .timerFired(.pause(number: number)), .timerFired(.request(number: number)),
    ]
    events += [nil, .status(401), .status(503)].map { .tokenRefreshed(number: number, failure: $0) }
    for result in [TakingResult.accepted, .declined("late")] {
      events += [
        .pushed(result, key: nil, cursor: nil), .pushed(result, key: IdempotencyKey(high: 9, low: 9), cursor: nil),
      ]
    }
    let checkpoints: [TakingCheckpoint] = [
      .begun, .acknowledged, .accepted, .ended(.accepted(hasDetails: true)), .ended(.cancelled),
      .ended(.unknown(.expired)),
    ]
    for checkpoint in checkpoints {
      events += [.persisted(checkpoint)] + [true, false].map { .recordRead(checkpoint, isCurrent: $0) }
      for failure in [PersistenceFailure.failed, .unknown, .fenced] {
        events.append(.notPersisted(checkpoint, failure))
      }
      for age in [Duration.zero, .seconds(1_000)] {
        var lastPutAt = ModelState.start
        lastPutAt.sinceBoot -= age
        let history = TakingHistory(checkpoint, begunAt: ModelState.start.sinceEpoch - age, lastPutAt: lastPutAt)
        events += [TakingPurpose.take, .reconcile, .recover(ageLimit: .seconds(120))].map { .resume(history, $0) }
      }
    }
    let errors: [HTTPError] = [
      .status(500), .status(503), .status(401), .status(400), .notConnected, .timedOut, HTTPError(.insecure),
      .status(404, problem: .noSuchTaking),
      .status(422, declineReason: "late"), .status(422, declineReason: "already_taken"),
      .status(422, problem: .idempotencyKeyMismatch), .status(410, problem: .idempotencyKeyExpired),
    ]
    let all: [TakingRequest] = [.put, .get, .details].map { TakingRequest(kind: $0, number: number &+ 7) }
    // The current number belongs to a request of the phase.
    for request in all + [TakingRequest(kind: state.requestKind, number: number)] {
      events += errors.map { .answered(request, .failure($0)) }
      events += [.accepted, .processing, .declined("late"), .declined("already_taken")].map {
        .answered(request, .success($0))
      }
      events.append(.detailsArrived(request))
    }
    return events
  }
}
