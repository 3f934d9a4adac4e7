internal import OrderTaking

// What is written down of a world, and what must hold in it.

extension World {
  func note(_ occurrence: Occurrence) {
    let words: (UInt64, UInt64, UInt64)
    switch occurrence {
    case .tap(let client, let order): words = (1, UInt64(client), UInt64(order))
    case .settle(let client, let order): words = (2, UInt64(client), UInt64(order))
    case .cancel(let operation): words = (3, UInt64(operation), 0)
    case .timer(let operation, let timer):
      switch timer {
      case .pause(let number): words = (4, UInt64(operation), UInt64(number))
      case .request(let number): words = (5, UInt64(operation), UInt64(number))
      case .budget: words = (6, UInt64(operation), 0)
      }
    case .request(let operation, let request, _, _): words = (7, UInt64(operation), UInt64(request.number))
    case .answer(let operation, let request, _): words = (8, UInt64(operation), UInt64(request.number))
    case .token(let operation, let number, _): words = (9, UInt64(operation), UInt64(number))
    case .decide(let taking): words = (10, UInt64(taking), 0)
    case .push(let client, let order, _, let isAccepted, let cursor):
      words = (isAccepted ? 11 : 12, UInt64(client) << 32 | UInt64(order), cursor)
    case .restart(let client): words = (13, UInt64(client), 0)
    }
    hash = SplitMix64.mixed(hash ^ UInt64(bitPattern: now) &+ words.0 << 56 &+ words.1 << 24 &+ words.2)
    tell { told(occurrence) }
  }

  func violate(_ invariant: Invariant, _ seen: @autoclosure () -> String) {
    let violation = Violation(invariant: invariant, at: .nanoseconds(now), seen: seen())
    violations.append(violation)
    tell { "VIOLATION \(violation)" }
  }

  /// Looks at what an operation reports.
  func see(_ outcome: TakingOutcome, _ details: UInt64?, of index: Int) {
    let running = operations[index]
    let (client, order) = (running.client, running.operation.intent.order)
    let key = running.operation.intent.key.low
    operations[index].ends += 1
    hash = SplitMix64.mixed(hash ^ UInt64(index) &+ UInt64(running.ends) << 32)
    tell { "\(who(index)): ended: \(told(outcome))" }
    if operations[index].ends > 1 { violate(.endsOnce, "\(who(index)) reports \(outcome) as its second outcome") }
    if case .accepted = outcome {
      if !isAccepted(key, client, order) {
        violate(.noFalseAcceptance, "\(who(index)) reports accepted, but the order is not accepted on the server")
      }
    } else if isFailure(outcome), isAccepted(key, client, order) {
      violate(.noFalseFailure, "\(who(index)) is accepted on the server, but reported as \(outcome)")
    }
    if let details, details != detailsOf(order) {
      violate(.trueDetails, "\(who(index)) reports \(details), but the server has \(detailsOf(order))")
    }
    reports.append((key, client, order, outcome))
  }

  /// Looks at the world when nothing happens in it any more.
  func end() {
    for report in reports where isFailure(report.outcome) && isAccepted(report.key, report.client, report.order) {
      violate(
        .noFalseFailure,
        "client \(report.client), order \(report.order) was accepted on the server later, but was reported as "
          + "\(report.outcome)")
    }
    for taking in takings where taking.state == .accepted && clients[taking.client].journal[taking.order] == nil {
      violate(
        .nothingForgotten,
        "client \(taking.client) has no journal record of order \(taking.order), which the server accepted")
    }
    guard simulation.mode == .liveness else { return }
    for (index, running) in operations.enumerated() where !running.isDead && running.ends == 0 {
      violate(.everyOperationEnds, "\(who(index)) has not ended: \(running.operation.phase)")
    }
    for (number, client) in clients.enumerated() {
      for record in client.journal.compactMap(\.self)
      where record.isUnfinished && client.running[record.intent.order] == -1 {
        violate(
          .everyOperationEnds, "client \(number), order \(record.intent.order) was left as \(record.change)")
      }
    }
    for (number, client) in clients.enumerated() {
      for record in client.journal.compactMap(\.self) where !record.isUnfinished && !record.isDelivered {
        violate(
          .everyEndIsTold, "client \(number), order \(record.intent.order) ended without a report: \(record.change)")
      }
    }
    if now > World.second * 660 {
      violate(.everyOperationEnds, "the last event came more than ten minutes after the faults")
    }
  }

  /// Whether it is a failure that says that the order is not ours.
  func isFailure(_ outcome: TakingOutcome) -> Bool {
    switch outcome {
    case .accepted, .unknown: false
    case .declined, .rejected, .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded: true
    }
  }

  func isAccepted(_ key: UInt64, _ client: Int, _ order: Int) -> Bool {
    takingsOfOrder[order].contains { index in takings[index].client == client && takings[index].key == key }
  }

  func detailsOf(_ order: Int) -> UInt64 { SplitMix64.mixed(simulation.seed &+ UInt64(order)) }

  func who(_ index: Int) -> String {
    "client \(operations[index].client), order \(operations[index].operation.intent.order), operation \(index)"
  }

  func name(of outcome: TakingOutcome) -> String {
    switch outcome {
    case .accepted(let hasDetails): hasDetails ? "accepted" : "accepted without details"
    case .declined: "declined"
    case .rejected: "rejected"
    case .cancelled: "cancelled"
    case .expired: "expired"
    case .keyMismatch: "key mismatch"
    case .keyExpired: "key expired"
    case .unrecorded: "unrecorded"
    case .unknown: "unknown"
    }
  }
}
