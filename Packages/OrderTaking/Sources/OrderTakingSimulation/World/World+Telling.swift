internal import OrderTaking

// A world's story, a line for each thing that happens.

extension World {
  /// Adds a line to the trace; it is only made when there is one.
  func tell(_ line: () -> String) {
    guard let trace else { return }
    trace("\(milliseconds(now))  \(line())")
  }

  func told(_ occurrence: Occurrence) -> String {
    switch occurrence {
    case .tap(let client, let order): "client \(client), order \(order): the driver presses take"
    case .settle(let client, let order): "client \(client), order \(order): the driver asks for the outcome"
    case .cancel(let index): "\(who(index)): the driver cancels"
    case .timer(let index, .pause): "\(who(index)): the pause ends"
    case .timer(let index, .request(let number)): "\(who(index)): request \(number) times out"
    case .timer(let index, .budget): "\(who(index)): the retry budget expires"
    case .request(let index, let request, let key, let fate):
      "\(who(index)): \(told(request)) under key \(key) reaches the server\(told(fate))"
    case .answer(let index, let request, let answer): "\(who(index)): \(told(request)) gets \(told(answer))"
    case .token(let index, _, let succeeded):
      "\(who(index)): \(succeeded ? "a new token arrives" : "no new token is available")"
    case .decide: "server: decides"
    case .push(let client, let order, let key, let isAccepted, let cursor):
      "client \(client), order \(order): push \(cursor) arrives, key \(key) is \(isAccepted ? "accepted" : "declined")"
    case .restart(let client): "client \(client): the process restarts"
    }
  }

  func told(_ change: TakingChange) -> String {
    switch change {
    case .begun: "begun"
    case .acknowledged: "acknowledged"
    case .accepted: "accepted"
    case .ended(let outcome): "ended, \(told(outcome))"
    }
  }

  func told(_ outcome: TakingOutcome) -> String {
    switch outcome {
    case .declined(let reason): "declined: \(reason)"
    case .rejected(let status): "rejected with \(status)"
    case .unknown(.cancelled): "unknown, cancelled"
    case .unknown(.expired): "unknown, expired"
    case .unknown(.refused(let status)): "unknown, refused with \(status)"
    case .accepted, .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded: name(of: outcome)
    }
  }

  func told(_ request: TakingRequest) -> String {
    switch request.kind {
    case .put: "PUT \(request.number)"
    case .get: "GET \(request.number)"
    case .details: "GET \(request.number) for details"
    }
  }

  private func told(_ fate: Occurrence.Fate) -> String {
    switch fate {
    case .served: ""
    case .tooMany: ", which rejects it with 429"
    case .unavailable: ", which rejects it with 503"
    case .unauthorized: ", which rejects it with 401"
    case .refused: ", which rejects it"
    case .misrouted: ", or a proxy before it, which answers 404"
    }
  }

  private func told(_ answer: Occurrence.Answer) -> String {
    switch answer {
    case .accepted: "accepted"
    case .processing: "processing"
    case .declined: "declined"
    case .details: "the details"
    case .declinedByError: "422 with a decline reason"
    case .alreadyTaken: "422 already_taken"
    case .noSuchTaking: "404 no_such_taking"
    case .status(let status): "\(status)"
    case .inProgress: "409 in progress"
    case .lost: "no answer, the connection is lost"
    case .notConnected: "no connection"
    }
  }

  private func milliseconds(_ time: Int64) -> String {
    let milliseconds = String(time / 1_000_000)
    return String(repeating: " ", count: max(0, 8 - milliseconds.count)) + milliseconds + " ms"
  }
}
