internal import OrderTaking

// What happens to messages on their way.

extension World {
  func send(_ request: TakingRequest, of index: Int) {
    if operations[index].ends > 0 { violate(.silentAfterTheEnd, "\(who(index)) sends \(request.kind) after its end") }
    if random.happens(faults.refusedConnection) {
      return agenda.plan(.answer(operation: index, request, .notConnected), at: time(upTo: 1))
    }
    let intent = operations[index].operation.intent
    let key = simulation.mutant == .freshKeyForEachPut && request.kind == .put ? newKey() : intent.key.low
    let fate = random.happens(faults.turnedAway) ? drawFate() : .served
    if random.happens(faults.lost) {
      // Sometimes the client learns that the connection is gone, and sometimes it learns nothing.
      guard random.next(below: 2) == 0 else { return }
      return agenda.plan(.answer(operation: index, request, .lost), at: time(upTo: 5))
    }
    for _ in 0...(random.happens(faults.duplicated) ? 1 : 0) {
      agenda.plan(.request(operation: index, request, key: key, fate), at: arrival())
    }
  }

  private func drawFate() -> Occurrence.Fate {
    switch random.next(below: 5) {
    case 0: .tooMany
    case 1: .unavailable
    case 2: .unauthorized
    case 3: .misrouted
    default: .refused
    }
  }

  /// Sends an answer back to a client.
  func respond(_ answer: Occurrence.Answer, to request: TakingRequest, of index: Int) {
    var answer = answer
    if random.happens(faults.failedAfterWork) { answer = .status(500) }
    if random.happens(faults.lost) {
      guard random.next(below: 2) == 0 else { return }
      answer = .lost
    }
    for _ in 0...(random.happens(faults.duplicated) ? 1 : 0) {
      agenda.plan(.answer(operation: index, request, answer), at: arrival())
    }
  }

  /// Pushes a result to a client.
  func push(_ taking: Taking) {
    guard !random.happens(faults.lostPush) else { return }
    clients[taking.client].lastCursor += 1
    for _ in 0...(random.happens(faults.duplicated) ? 1 : 0) {
      agenda.plan(
        .push(
          client: taking.client, order: taking.order, key: taking.key, isAccepted: taking.state == .accepted,
          cursor: clients[taking.client].lastCursor),
        at: arrival())
    }
  }

  private func arrival() -> Int64 { time(upTo: random.happens(faults.slow) ? 60 : 1) }

  /// Hands an answer to the operation that waits for it, if it still lives.
  func deliver(_ answer: Occurrence.Answer, to request: TakingRequest, of index: Int) {
    guard request.kind == .details else { return feed(.answered(request, result(of: answer)), to: index) }
    switch answer {
    case .details(let details): feed(.detailsAnswered(request, .success(details)), to: index)
    default:
      guard simulation.mutant != .inventsDetails else {
        return feed(.detailsAnswered(request, .success(0)), to: index)
      }
      feed(.detailsAnswered(request, .failure(error(of: answer))), to: index)
    }
  }

  private func result(of answer: Occurrence.Answer) -> Result<TakingAnswer, HTTPError> {
    switch answer {
    case .accepted: .success(.accepted)
    case .processing: .success(simulation.mutant == .processingIsAccepted ? .accepted : .processing)
    case .declined: .success(.declined("order_cancelled"))
    default: .failure(error(of: answer))
    }
  }

  private func error(of answer: Occurrence.Answer) -> HTTPError {
    switch answer {
    case .declinedByError: HTTPError(.status(422), declineReason: "order_cancelled")
    case .alreadyTaken: HTTPError(.status(422), declineReason: "already_taken")
    case .noSuchTaking: HTTPError(.status(404), problem: .noSuchTaking)
    case .status(404) where simulation.mutant == .believesAnyNotFound:
      HTTPError(.status(404), problem: .noSuchTaking)
    case .status(let status): HTTPError(.status(status))
    case .inProgress: HTTPError(.status(409), problem: .inProgress)
    case .notConnected: .notConnected
    case .lost, .accepted, .processing, .declined, .details: .connectionLost
    }
  }
}
