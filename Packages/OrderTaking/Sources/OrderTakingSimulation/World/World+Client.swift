internal import OrderTaking

// What the drivers and their devices do: the shell around the machine, with an enemy at every write.

extension World {
  func tap(_ client: Int, _ order: Int) {
    guard clients[client].isUp, clients[client].running[order] == -1 else { return }
    if let record = clients[client].journal[order], goesOn(record) {
      // Wanted anew, as the shell has it.
      if record.change != .accepted, !isAccepted(record) { clients[client].journal[order]?.begunAt = .nanoseconds(now) }
      start(client, record, .resume(last: record.change, isExpired: false))
    } else {
      let intent = TakingIntent(order: order, key: IdempotencyKey(high: 0, low: newKey()))
      start(client, TakingRecord(intent: intent, begunAt: .nanoseconds(now)), .begin)
    }
  }

  /// Whether taking the order again goes on from its record.
  private func goesOn(_ record: TakingRecord<Int>) -> Bool {
    switch record.change {
    case .ended(.unknown): simulation.mutant != .freshKeyAfterUnknown
    case .ended(.accepted): true
    case .ended: false
    case .begun, .acknowledged, .accepted: true
    }
  }

  private func isAccepted(_ record: TakingRecord<Int>) -> Bool {
    if case .ended(.accepted) = record.change { true } else { false }
  }

  func settle(_ client: Int, _ order: Int) {
    guard clients[client].isUp, clients[client].running[order] == -1, let record = clients[client].journal[order] else {
      return
    }
    let age = Duration.nanoseconds(now) - record.begunAt
    start(client, record, .resume(last: record.change, isExpired: true, isLongPast: policy.isLongPast(age)))
  }

  func restart(_ client: Int) {
    clients[client].isUp = true
    guard simulation.mutant != .forgetsToResume else { return }
    for case let record? in clients[client].journal where record.needsResuming {
      guard clients[client].isUp else { return }
      if case .ended(let outcome) = record.change {
        if simulation.mutant != .forgetsUntoldEnds { start(client, record, .announce(outcome)) }
        continue
      }
      let age = Duration.nanoseconds(now) - record.begunAt
      let isExpired = policy.budget.map { age > $0 } ?? false
      start(
        client, record,
        .resume(last: record.change, isExpired: isExpired, isLongPast: policy.isLongPast(age)))
    }
  }

  func newKey() -> UInt64 {
    takingOfKey.append(-1)
    return UInt64(takingOfKey.count - 1)
  }

  private func start(_ client: Int, _ record: TakingRecord<Int>, _ event: TakingEvent<Int, UInt64>) {
    let index = operations.count
    operations.append(Running(operation: Operation(record.intent, seed: random.next()), client: client))
    clients[client].running[record.intent.order] = index
    if random.happens(faults.cancel) {
      agenda.plan(.cancel(operation: index), at: time(upTo: random.next(below: 2) == 0 ? 3 : 20))
    }
    feed(event, to: index)
  }

  // MARK: Events

  func feed(_ event: TakingEvent<Int, UInt64>, to index: Int) {
    guard !operations[index].isDead, operations[index].ends == 0 else { return }
    var effects = self.effects
    self.effects = []
    operations[index].operation.handle(event, under: policy, into: &effects)
    if simulation.mutant == .journalsAfterPut, case .begin = event { effects.append(effects.removeFirst()) }
    for effect in effects {
      perform(effect, of: index)
      if operations[index].isDead { break }
    }
    effects.removeAll(keepingCapacity: true)
    self.effects = effects
  }

  func timerFired(_ timer: TakingTimer, _ index: Int) {
    let running = operations[index]
    guard !running.isDead else { return }
    switch (simulation.mutant, timer) {
    case (.neverStopsPolling, .pause) where running.ends > 0:
      send(TakingRequest(kind: .get, number: .max), of: index)
    case (.timeoutIsDecline, .request(let number)):
      feed(.answered(TakingRequest(kind: .put, number: number), .success(.declined("time-out"))), to: index)
    default: feed(.timerFired(timer), to: index)
    }
  }

  func pushed(to client: Int, _ order: Int, _ key: UInt64, _ isAccepted: Bool, _ cursor: UInt64) {
    guard clients[client].isUp else { return }
    let result = isAccepted ? TakingResult.accepted : .declined("order_cancelled")
    for (own, index) in clients[client].running.enumerated() where index >= 0 {
      // A push that goes astray must not matter.
      guard own == order || simulation.mutant == .heedsForeignPushes || faults.duplicated > 0 else { continue }
      guard simulation.mutant != .heedsForeignPushes else {
        feed(.pushed(order: own, key: nil, result, cursor: cursor), to: index)
        continue
      }
      let named = honoursKeys ? IdempotencyKey(high: 0, low: key) : nil
      feed(.pushed(order: order, key: named, result, cursor: cursor), to: index)
    }
  }

  // MARK: Effects

  private func perform(_ effect: TakingEffect, of index: Int) {
    switch effect {
    case .send(let request): send(request, of: index)
    case .refreshToken(let number):
      guard !random.happens(faults.lost) else { return }
      agenda.plan(
        .token(operation: index, number: number, !random.happens(faults.turnedAway)), at: time(upTo: 1))
    // A timer that is stopped fires all the same here, since that must do no harm.
    case .startTimer(let timer, let delay):
      agenda.plan(.timer(operation: index, timer), at: now + nanoseconds(delay))
    case .record(let change): write(change, of: index)
    case .finish(let outcome): finish(outcome, operations[index].operation.details, of: index)
    case .abandon, .abandonToken, .stopTimer, .report: break
    }
  }

  private func write(_ change: TakingChange, of index: Int) {
    let client = operations[index].client
    let intent = operations[index].operation.intent
    if crashes(client) { return }
    let isKnown = clients[client].journal[intent.order]?.intent.key == intent.key
    if isKnown {
      clients[client].journal[intent.order]?.change = change
      clients[client].journal[intent.order]?.isDelivered = false
    } else {
      clients[client].journal[intent.order] = TakingRecord(intent: intent, begunAt: .nanoseconds(now), change: change)
    }
    tell { "\(who(index)): recorded as \(told(change))" }
    _ = crashes(client)
  }

  private func noteDelivery(of index: Int) {
    let (client, intent) = (operations[index].client, operations[index].operation.intent)
    guard clients[client].journal[intent.order]?.intent.key == intent.key, !crashes(client) else { return }
    clients[client].journal[intent.order]?.isDelivered = true
    tell { "\(who(index)): recorded as delivered" }
    _ = crashes(client)
  }

  /// Kills a process, perhaps.
  private func crashes(_ client: Int) -> Bool {
    let point = crashPoints
    crashPoints += 1
    guard random.happens(faults.crash) || simulation.crashPoint == point else { return false }
    tell { "client \(client): the process CRASHES" }
    crashes += 1
    clients[client].isUp = false
    for (order, index) in clients[client].running.enumerated() where index >= 0 {
      operations[index].isDead = true
      clients[client].running[order] = -1
    }
    agenda.plan(.restart(client: client), at: time(upTo: random.next(below: 4) == 0 ? 300 : 10))
    return true
  }

  private func finish(_ outcome: TakingOutcome, _ details: UInt64?, of index: Int) {
    let client = operations[index].client
    let order = operations[index].operation.intent.order
    clients[client].running[order] = -1
    let reported = mutated(outcome)
    see(reported, details, of: index)
    if simulation.mutant == .finishesTwice { see(reported, details, of: index) }
    noteDelivery(of: index)
    guard clients[client].isUp, clients[client].patience[order] > 0 else { return }
    switch outcome {
    case .unknown:
      clients[client].patience[order] -= 1
      let settles = random.next(below: 2) == 0
      agenda.plan(
        settles ? .settle(client: client, order: order) : .tap(client: client, order: order), at: time(upTo: 60))
    case .accepted, .declined, .rejected, .expired, .cancelled:
      guard random.next(below: 4) == 0 else { return }
      clients[client].patience[order] -= 1
      agenda.plan(.tap(client: client, order: order), at: time(upTo: 60))
    case .keyMismatch, .keyExpired, .unrecorded: break
    }
  }

  private func mutated(_ outcome: TakingOutcome) -> TakingOutcome {
    switch (simulation.mutant, outcome) {
    case (.cancelIsFinal, .unknown(.cancelled)): .cancelled
    case (.unknownIsExpired, .unknown): .expired
    case (.detailsDecide, .accepted(hasDetails: false)): .expired
    default: outcome
    }
  }

  private func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * World.second + attoseconds / World.second
  }
}
