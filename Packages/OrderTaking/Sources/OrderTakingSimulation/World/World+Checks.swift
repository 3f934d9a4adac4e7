internal import OrderTaking

struct Acceptance {
  let device: Int
  let order: Int
  let key: IdempotencyKey
}

extension World {
  func violate(_ invariant: Invariant, _ seen: @autoclosure () -> String) {
    let violation = Violation(invariant: invariant, at: .nanoseconds(now), seen: seen())
    violations.append(violation)
    note { "VIOLATION \(violation)" }
  }

  func log(_ progress: TakingProgress<Int>, of process: SimulatedProcess) {
    guard let number = process.operations[progress.order] else { return }
    note { "\(name(number)): \(progress.step)" }
    switch progress.step {
    case .noticed(.notPersisted(_, .fenced)): operations[number].isFenced = true
    case .ended(let outcome): ended(outcome, number)
    default: break
    }
  }

  private func ended(_ outcome: TakingOutcome, _ number: Int) {
    operations[number].hasEnded = true
    operations[number].ends += 1
    operations[number].outcome = outcome
    let operation = operations[number]
    if operation.ends > 1 { violate(.endsOnce, "\(name(number)) ends as \(outcome), for the second time") }
    hash = SplitMix64.mixed(hash ^ UInt64(number) &+ UInt64(operation.ends) << 32)
    if operation.isFenced, outcome != .unknown(.fenced) {
      violate(.fencedProcessStops, "\(name(number)) ends as \(outcome)")
    }
    let isStored = operation.stored == .ended(outcome)
    switch outcome {
    case .unknown, .unrecorded: break
    // An acceptance can be reported if the journal cannot store it: the server reports it again.
    case .accepted where operation.hasFailedWrite: break
    default: if !isStored { violate(.endIsRecorded, "\(name(number)) ends as \(outcome), which is not stored") }
    }
  }

  func checkRequest(_ kind: TakingRequest.Kind, _ order: Int, _ key: IdempotencyKey?, of process: SimulatedProcess) {
    guard let number = process.operations[order] else { return }
    let operation = operations[number]
    if operation.ends > 0 { violate(.silentAfterTheEnd, "\(name(number)) sends \(kind)") }
    if operation.isFenced { violate(.fencedProcessStops, "\(name(number)) sends \(kind)") }
    guard kind == .put else { return }
    if !operation.mayPut { violate(.putIsRecorded, "\(name(number)) sends a PUT that the journal does not contain") }
    if let deadline = policy.deadline, let begunAt = operation.begunAt, .nanoseconds(now - begunAt) >= deadline {
      violate(.noPutAfterTheDeadline, "\(name(number)) sends a PUT, but began at \(Duration.nanoseconds(begunAt))")
    }
    operations[number].mayPut = false
    operations[number].hasPut = true
  }

  func noteAcceptance(_ push: (device: Int, order: Int, key: IdempotencyKey, result: TakingResult, cursor: UInt64)) {
    if acceptances.contains(where: { $0.order == push.order }) {
      violate(.oneAcceptance, "order \(push.order) is accepted again, for device \(push.device)")
    }
    acceptances.append(Acceptance(device: push.device, order: push.order, key: push.key))
  }

  func check(
    _ result: Result<AcceptedOrder<Int, UInt64>, OrderTakingFailure>, of number: Int, _ device: Int
  ) {
    let operation = operations[number]
    hash = SplitMix64.mixed(hash ^ UInt64(number) &+ 7)
    if let outcome = operation.outcome {
      devices[device].reports.append(Report(key: operation.key, checkpoint: .ended(outcome)))
    }
    switch result {
    case .success(let accepted):
      if !acceptances.contains(where: { $0.device == device && $0.order == operation.order }) {
        violate(.noFalseAcceptance, "\(name(number)) reports accepted, but the server has not accepted the order")
      }
      let details = accepted.details
      // Details that arrive during a cancellation are reported, too.
      if details == nil && operation.outcome == .accepted(hasDetails: true)
        || details.map({ $0 != detailsOf(operation.order) }) ?? false
      {
        violate(
          .trueDetails, "\(name(number)) reports \(details ?? 0), but the server has \(detailsOf(operation.order))")
      }
    case .failure(let failure) where failure.kind == .unknown: break
    case .failure(let failure) where failure.kind == .journal && !operation.hasPut && operation.outcome == nil: break
    case .failure(let failure):
      failures.append((number, failure.kind))
      if isAccepted(number) { violate(.noFalseFailure, "\(name(number)) is accepted, but reported as \(failure.kind)") }
    }
  }

  /// A crash may lose it, as the taker documents.
  func acknowledges(_ record: TakingRecord<Int>, _ process: SimulatedProcess) {
    guard let operation = process.operations[record.intent.order], !operations[operation].isWatched else { return }
    devices[process.device].reports.append(Report(key: record.intent.key, checkpoint: record.checkpoint))
  }

  func end() {
    for failure in failures where isAccepted(failure.operation) {
      violate(.noFalseFailure, "\(name(failure.operation)) was accepted later, but was reported as \(failure.kind)")
    }
    for acceptance in acceptances
    where devices[acceptance.device].disk.records[acceptance.order]?.intent.key != acceptance.key {
      violate(
        .everyAcceptanceIsRecorded,
        "device \(acceptance.device) has no record of order \(acceptance.order), key \(acceptance.key.low)")
    }
    guard simulation.mode == .liveness else { return }
    for (number, operation) in operations.enumerated() where processes[operation.process].isAlive && !operation.hasEnded
    {
      violate(.everyOperationEnds, "\(name(number)) has not ended")
    }
    for (number, device) in devices.enumerated() {
      for record in device.disk.records.compactMap(\.self) {
        let order = record.intent.order
        guard record.isUnfinished || !isReported(record, by: device) else { continue }
        // An outcome that was not recorded for certain is left to the next process.
        let last = device.owner?.operations[order].map { operations[$0] }
        if let last, record.needsResuming, !last.hasEnded || last.hasFailedWrite { continue }
        violate(
          record.isUnfinished ? .everyOperationEnds : .everyEndIsReported,
          "device \(number), order \(order) was left as \(record.checkpoint)")
      }
    }
    if now > World.second * 660 {
      violate(.everyOperationEnds, "the last event came more than ten minutes after the faults")
    }
  }

  /// A caller who has the details of an order knows that it was accepted, even if the details could not be recorded.
  private func isReported(_ record: TakingRecord<Int>, by device: Device) -> Bool {
    let withDetails = TakingCheckpoint.ended(.accepted(hasDetails: true))
    return device.reports.contains { report in
      report.key == record.intent.key
        && (report.checkpoint == record.checkpoint
          || record.checkpoint == .ended(.accepted(hasDetails: false)) && report.checkpoint == withDetails)
    }
  }

  private func isAccepted(_ number: Int) -> Bool {
    let operation = operations[number]
    let device = processes[operation.process].device
    return acceptances.contains { $0.key == operation.key && $0.device == device && $0.order == operation.order }
  }

  func detailsOf(_ order: Int) -> UInt64 { SplitMix64.mixed(simulation.seed &+ UInt64(order)) }
}
