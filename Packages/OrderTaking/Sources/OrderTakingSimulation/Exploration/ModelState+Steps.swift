internal import OrderTaking

// What can happen next.

extension ModelState {
  typealias Step = (ModelState, String)

  /// The wish to take the order, with a journal that works and one that does not.
  static func first(_ exploration: Exploration) -> [Step] {
    let begun = ModelState().after(.begin, in: exploration)
    var refused = ModelState()
    refused.operation.handle(.begin, under: exploration.policy)
    refused.operation.handle(.recordingFailed(.begun), under: exploration.policy)
    return [(begun, "begin"), (refused, "begin, unrecorded")]
  }

  /// Every state that can come next, and how.
  func successors(in exploration: Exploration) -> [Step] {
    var steps: [Step] = []
    for index in messages.indices { steps += fates(of: index, in: exploration) }
    if truth == .processing {
      for decided in [Truth.accepted, .declined] { steps.append((with { $0.truth = decided }, "server: \(decided)")) }
    }
    guard !isGone else { return steps }
    func event(_ event: Event, _ name: String) { steps.append((after(event, in: exploration), name)) }

    switch truth {
    case .accepted: event(.pushed(order: Self.order, key: nil, .accepted, cursor: nil), "push accepted")
    case .declined: event(.pushed(order: Self.order, key: nil, .declined("late"), cursor: nil), "push declined")
    case .untouched, .processing: break
    }
    event(.pushed(order: Self.order + 1, key: nil, .accepted, cursor: nil), "foreign push")
    for timer in timers {
      steps.append((with { $0.timers.remove(timer) }.after(.timerFired(timer), in: exploration), "\(timer)"))
    }
    event(.timerFired(.pause(number: 0)), "stale timer")
    if operation.activity == .token {
      event(.tokenRefreshed(number: operation.machine.number, succeeded: true), "token")
      event(.tokenRefreshed(number: operation.machine.number, succeeded: false), "no token")
    }
    event(.cancel, "cancel")
    steps += deaths(in: exploration)
    return steps
  }

  /// The process dies, and the next one looks into the journal.
  private func deaths(in exploration: Exploration) -> [Step] {
    var dead = self
    dead.operation = Operation(Self.intent)
    dead.timers = []
    for index in dead.messages.indices {
      (dead.messages[index].isHeard, dead.messages[index].isAwaited) = (false, false)
    }
    dead.messages.removeAll { $0.request.kind != .put || $0.hasArrived }
    guard let journal else {
      dead.isGone = true
      return [(dead, "crash")]
    }
    // Whoever had not been told yet is told by the next process; later somebody may want to know more.
    if let outcome = operation.outcome, journal == .ended(outcome) {
      let told = (dead.after(.announce(outcome), in: exploration), "crash, announced \(outcome)")
      return [told] + (isUnknown ? resumed(dead, from: journal, in: exploration) : [])
    }
    return resumed(dead, from: journal, in: exploration)
  }

  private func resumed(_ dead: ModelState, from journal: TakingChange, in exploration: Exploration) -> [Step] {
    [false, true].map { isExpired in
      (dead.after(.resume(last: journal, isExpired: isExpired), in: exploration), "crash, resumed from \(journal)")
    }
  }

  private var isUnknown: Bool {
    if case .unknown? = operation.outcome { true } else { false }
  }

  /// What can become of a message.
  private func fates(of index: Int, in exploration: Exploration) -> [Step] {
    let message = messages[index]
    var steps: [Step] = [(without(index), "\(message.request.kind) lost")]
    func answer(_ result: Result<TakingAnswer, HTTPError>, _ name: String, keeping: Bool = false) {
      guard message.isHeard else { return }
      var next = keeping ? with { $0.messages[index].isHeard = false } : without(index)
      // Whoever is answered waits no more.
      if keeping { next.messages[index].isAwaited = false }
      steps.append((next.after(.answered(message.request, result), in: exploration), "\(message.request.kind) \(name)"))
    }
    func errors(_ statuses: [Int]) {
      for status in statuses { answer(.failure(.status(status)), "\(status)") }
    }
    switch message.request.kind {
    case .put where !message.hasArrived:
      let outcomes: [Truth] = truth == .untouched ? [.processing, .accepted, .declined] : [truth]
      for outcome in outcomes {
        let next = with {
          $0.truth = outcome
          $0.messages[index].hasArrived = true
        }
        steps.append((next, "put arrives, \(outcome)"))
      }
      // Turned away unread; the connection refused; the connection lost while the PUT goes on.
      errors([429, 503, 401, 400])
      answer(.failure(.notConnected), "not connected")
      answer(.failure(.connectionLost), "connection lost", keeping: true)
    case .put, .get:
      let isPut = message.request.kind == .put
      errors(isPut ? [500] : [500, 429, 401, 403, 404])
      switch truth {
      case .untouched: answer(.failure(.status(404, problem: .noSuchTaking)), "no such taking")
      case .processing:
        answer(.success(.processing), "processing")
        if isPut { answer(.failure(.status(409, problem: .inProgress)), "in progress") }
      case .accepted:
        answer(.success(.accepted), "accepted")
        if isPut && !exploration.honoursKeys {
          answer(.failure(.status(422, declineReason: "already_taken")), "already taken")
        }
      case .declined:
        answer(.success(.declined("late")), "declined")
        answer(.failure(.status(422, declineReason: "late")), "declined by error")
      }
    case .details:
      guard message.isHeard else { break }
      for result in [.success(true), .failure(.status(500)), .failure(.status(401)), .failure(.status(404))]
        as [Result<Bool, HTTPError>]
      {
        steps.append(
          (without(index).after(.detailsAnswered(message.request, result), in: exploration), "details \(result)"))
      }
    }
    return steps
  }

  private func with(_ change: (inout ModelState) -> Void) -> ModelState {
    var next = self
    change(&next)
    return next
  }

  private func without(_ index: Int) -> ModelState { with { $0.messages.remove(at: index) } }
}
