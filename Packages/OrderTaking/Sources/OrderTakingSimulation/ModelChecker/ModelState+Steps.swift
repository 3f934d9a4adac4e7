internal import OrderTaking

extension ModelState {
  typealias Step = (ModelState, String)

  func successors(in model: Model) -> [Step] {
    var steps: [Step] = []
    for index in messages.indices { steps += fates(of: index, in: model) }
    if truth == .processing {
      for decided in [Truth.accepted, .declined] { steps.append((with { $0.truth = decided }, "server: \(decided)")) }
    }
    guard !isGone else { return steps }
    func event(_ event: TakingEvent, _ name: String) { steps.append((after(event, in: model), name)) }

    switch truth {
    case .accepted: event(.pushed(.accepted, key: nil, cursor: nil), "push accepted")
    case .declined: event(.pushed(.declined("late"), key: nil, cursor: nil), "push declined")
    case .untouched, .processing: break
    }
    event(.pushed(.accepted, key: IdempotencyKey(high: 9, low: 9), cursor: nil), "foreign push")
    for timer in timers {
      let fired = with { $0.timers.remove(timer) }
      steps.append((fired.after(.timerFired(timer), in: model), "\(timer)"))
      if model.checker.policy.deadline != nil, timer != .deadline {
        steps.append((fired.after(.timerFired(timer), isLate: true, in: model), "\(timer) after the deadline"))
      }
    }
    event(.timerFired(.pause(number: 0)), "stale timer")
    if operation.activity == .token {
      event(.tokenRefreshed(number: operation.number, failure: nil), "token")
      event(.tokenRefreshed(number: operation.number, failure: .status(401)), "no token")
      event(.tokenRefreshed(number: operation.number, failure: .status(503)), "no log-in service")
    }
    event(.cancel, "cancel")
    steps += writeResults(in: model) + readResults(in: model) + deaths(in: model)
    return steps
  }

  // MARK: The journal

  private func writeResults(in model: Model) -> [Step] {
    guard let checkpoint = writes.first else { return [] }
    let performed = with { $0.writes.removeFirst() }
    let stored = performed.with { $0.store(checkpoint) }
    var steps: [Step] = [
      (stored.after(.persisted(checkpoint), in: model), "\(checkpoint) stored"),
      (performed.after(.notPersisted(checkpoint, .failed), in: model), "\(checkpoint) not stored"),
      (stored.after(.notPersisted(checkpoint, .unknown), in: model), "\(checkpoint) stored, unknown"),
      (performed.after(.notPersisted(checkpoint, .unknown), in: model), "\(checkpoint) not stored, unknown"),
      (performed.with { $0.isGone = true }.after(.notPersisted(checkpoint, .fenced), in: model), "fenced"),
    ]
    if model.checker.policy.deadline != nil {
      steps.append((stored.after(.persisted(checkpoint), isLate: true, in: model), "\(checkpoint) stored late"))
    }
    return steps
  }

  private mutating func store(_ checkpoint: TakingCheckpoint) {
    journal = checkpoint
    if checkpoint.mustSurvivePowerFailure { durable = checkpoint }
  }

  /// A read may fail, and sees the journal at any time.
  private func readResults(in model: Model) -> [Step] {
    readings.indices.flatMap { readResults(of: $0, in: model) }
  }

  private func readResults(of index: Int, in model: Model) -> [Step] {
    let reading = readings[index]
    let read = with { $0.readings.remove(at: index) }
    let isCurrent = journal == reading || reading != readings.last
    return (isCurrent ? [true, false] : [false]).map {
      (read.after(.recordRead(reading, isCurrent: $0), in: model), "read: \($0)")
    }
  }

  // MARK: Crashes

  private func deaths(in model: Model) -> [Step] {
    var dead = self
    dead.operation = TakingOperation(key: Self.key)
    dead.timers = []
    dead.writes = []
    dead.readings = []
    for index in dead.messages.indices {
      (dead.messages[index].isHeard, dead.messages[index].isAwaited) = (false, false)
    }
    dead.messages.removeAll { $0.request.kind != .put || $0.hasArrived }
    var steps = resumed(dead, "crash", in: model)
    // The first write may be performed before the process dies, and a power failure undoes writes without a sync.
    if let first = writes.first { steps += resumed(dead.with { $0.store(first) }, "crash after a write", in: model) }
    if durable != journal { steps += resumed(dead.with { $0.journal = $0.durable }, "power failure", in: model) }
    return steps
  }

  private func resumed(_ dead: ModelState, _ name: String, in model: Model) -> [Step] {
    guard let journal = dead.journal else { return [(dead.with { $0.isGone = true }, name)] }
    var steps: [Step] = []
    // Printed once, because it takes as long as the step itself.
    let description = "\(name) with \(journal)"
    func resume(_ age: Duration, _ purpose: TakingPurpose, _ purposeName: String) {
      var lastPutAt = Self.start
      lastPutAt.sinceBoot -= age
      let history = TakingHistory(journal, begunAt: lastPutAt.sinceEpoch - age, lastPutAt: lastPutAt)
      steps.append(
        (
          dead.after(.resume(history, purpose), in: model),
          "\(description), \(purposeName) after \(age.components.seconds) s"
        ))
    }
    // A PUT is not in transit for more than ten minutes.
    for age in dead.hasPutInTransit ? [Duration.zero, .seconds(300)] : [.zero, .seconds(300), .seconds(1_000)] {
      resume(age, .recover(ageLimit: model.checker.policy.deadline), "recover")
      if case .ended(.unknown) = journal {
        resume(age, .take, "take")
        resume(age, .reconcile, "reconcile")
      }
    }
    return steps
  }

  // MARK: Messages

  private func fates(of index: Int, in model: Model) -> [Step] {
    let message = messages[index]
    var steps: [Step] = [(without(index), "\(message.request.kind) lost")]
    func answer(_ result: Result<TakingAnswer, HTTPError>, _ name: String, keeping: Bool = false) {
      guard message.isHeard else { return }
      var next = keeping ? with { $0.messages[index].isHeard = false } : without(index)
      if keeping { next.messages[index].isAwaited = false }
      steps.append((next.after(.answered(message.request, result), in: model), "\(message.request.kind) \(name)"))
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
      // Rejected unread; the connection refused; the connection lost while the PUT continues.
      errors([429, 503, 401, 400])
      if truth == .untouched { answer(.failure(.status(422, problem: .idempotencyKeyMismatch)), "key mismatch") }
      if truth != .untouched { answer(.failure(.status(410, problem: .idempotencyKeyExpired)), "key expired") }
      answer(.failure(.notConnected), "not connected")
      answer(.failure(HTTPError(.insecure)), "insecure")
      answer(.failure(.connectionLost), "connection lost", keeping: true)
    case .put, .get: fates(of: message.request, honoursKeys: model.checker.honoursKeys, errors) { answer($0, $1) }
    case .details:
      guard message.isHeard else { break }
      steps.append((without(index).after(.detailsArrived(message.request), in: model), "details"))
      errors([500, 401, 404])
    }
    return steps
  }

  private func fates(
    of request: TakingRequest, honoursKeys: Bool, _ errors: ([Int]) -> Void,
    _ answer: (Result<TakingAnswer, HTTPError>, String) -> Void
  ) {
    let isPut = request.kind == .put
    errors(isPut ? [500] : [500, 429, 401, 403, 404])
    switch truth {
    case .untouched: answer(.failure(.status(404, problem: .noSuchTaking)), "no such taking")
    case .processing:
      answer(.success(.processing), "processing")
      if isPut { answer(.failure(.status(409, problem: .inProgress)), "in progress") }
    case .accepted:
      answer(.success(.accepted), "accepted")
      if isPut && !honoursKeys { answer(.failure(.status(422, declineReason: "already_taken")), "already taken") }
    case .declined:
      answer(.success(.declined("late")), "declined")
      answer(.failure(.status(422, declineReason: "late")), "declined by error")
    }
  }

  private func with(_ change: (inout ModelState) -> Void) -> ModelState {
    var next = self
    change(&next)
    return next
  }

  private func without(_ index: Int) -> ModelState { with { $0.messages.remove(at: index) } }
}
