internal import Futures
internal import OrderTaking
internal import OrderTakingDispatch

/// A condition that holds in every simulated world.
public enum Invariant: String, Hashable, Sendable, CaseIterable {
  /// No PUT has another key than the one that the server accepts or processes for the same driver.
  case oneKey = "one key for one intent"

  /// An intent that is reported as declined, rejected, cancelled or expired is not accepted on the server, then or later.
  case noFalseFailure = "no false failure"

  case noFalseAcceptance = "no false acceptance"

  case trueDetails = "true details"

  /// An operation sends no PUT before its record is stored and survives a power failure, and nothing after its end.
  case putIsRecorded = "no PUT before its record is stored"

  /// An outcome is reported after it is stored, unless it is unknown, unrecorded or accepted.
  case endIsRecorded = "no report before the outcome is stored"

  /// After a write fails because another process has taken over the operation, it sends nothing more, and ends as unknown.
  case fencedProcessStops = "a fenced process stops"

  case everyAcceptanceIsRecorded = "every acceptance is recorded"

  /// After the faults, every recorded outcome is reported, in this process or the next.
  case everyEndIsReported = "every end is reported"

  /// After the faults, every operation ends within ten minutes, in this process or the next.
  case everyOperationEnds = "every operation ends"

  /// After the faults, every unknown outcome becomes known.
  case everyOutcomeIsKnown = "every outcome becomes known"
}

public struct Violation: Hashable, Sendable, CustomStringConvertible {
  public let invariant: Invariant
  public let seed: UInt64
  /// The virtual time.
  public let at: Duration
  public let seen: String

  public var description: String { "seed \(seed): \(invariant.rawValue), at \(at): \(seen)" }
}

/// The facts that the checks need about one operation of a taker.
///
/// `@unchecked Sendable`: only the thread of its world uses it.
final class Operation: @unchecked Sendable, CustomStringConvertible {
  let number: Int
  let id: TakingID
  let process: Process
  let begunAt: Int64
  var key: IdempotencyKey?
  private(set) var stored: TakingCheckpoint?
  /// Whether the journal contains the intent of the next PUT.
  var mayPut = false
  var hasFailedWrite = false
  var isInDoubt = false
  var isFenced = false
  var outcome: TakingOutcome?
  /// The outcome that its caller has received.
  var reported: TakingOutcome?

  init(number: Int, id: TakingID, process: Process, at begunAt: Int64, after record: TakingRecord?) {
    (self.number, self.id, self.process, self.begunAt) = (number, id, process, begunAt)
    (key, stored) = (record?.intent.key, record?.checkpoint)
  }

  var description: String { "\(process), \(id.text), operation \(number)" }

  func noteStored(_ record: TakingRecord?) {
    isInDoubt = false
    guard let record, record.intent.key == key else { return }
    stored = record.checkpoint
    if record.checkpoint == .begun { mayPut = true }
  }
}

extension TakingID {
  var text: String { "driver \(driver), order \(order)" }
}

struct Checks {
  var operations: [Operation] = []
  var violations: [Violation] = []
  var acceptances: [TakingID: IdempotencyKey] = [:]
}

extension Process {
  /// A crash may lose an outcome that is acknowledged before its caller could wait for it.
  func noteDelivery(of id: TakingID) {
    guard isAlive, !world.hasWorker, !watched.contains(id), let operation = operations[id], operation.reported == nil
    else {
      return
    }
    operation.reported = operation.outcome
  }
}

extension World {
  private func violate(_ invariant: Invariant, _ seen: @autoclosure () -> String) {
    let violation = Violation(invariant: invariant, seed: simulation.seed, at: .nanoseconds(now), seen: seen())
    checks.violations.append(violation)
    note { "VIOLATION \(violation)" }
  }

  func check(_ kind: TakingRequest.Kind, by operation: Operation) {
    if operation.isFenced { violate(.fencedProcessStops, "\(operation) sends \(kind)") }
    guard kind == .put else { return }
    if !operation.mayPut { violate(.putIsRecorded, "\(operation) sends a PUT that the journal does not contain") }
    operation.mayPut = false
  }

  func checkKey(of intent: TakingIntent, by driver: DriverID, after taking: ServedOrder.Taking?) {
    guard let taking, taking.driver == driver, taking.key != intent.key else { return }
    if case .declined = taking.answer { return }
    violate(.oneKey, "driver \(driver), order \(intent.order): key \(intent.key.low) follows key \(taking.key.low)")
  }

  func checkEnd(of operation: Operation, as outcome: TakingOutcome) {
    operation.outcome = outcome
    mix(UInt64(operation.number))
    if operation.isFenced, outcome != .unknown(.fenced) {
      violate(.fencedProcessStops, "\(operation) ends as \(outcome)")
    }
    switch outcome {
    case .unknown, .unrecorded: break
    // An acceptance can be reported if the journal cannot store it: the server reports it again.
    case .accepted where operation.hasFailedWrite: break
    case _ where operation.stored == .ended(outcome): break
    default: violate(.endIsRecorded, "\(operation) ends as \(outcome), which is not stored")
    }
  }

  /// Checks a result that a driver receives.
  func check(_ result: Result<AcceptedOrder<UInt64>, OrderTakingFailure>, of id: TakingID, by process: Process) {
    note { "\(process), \(id.text): the driver gets \(result)" }
    if case .success(let accepted) = result {
      if checks.acceptances[id] == nil { violate(.noFalseAcceptance, "\(id.text): the server has not accepted it") }
      let isFalse = accepted.details.map { $0 != SimulatedServer.details(of: id.order) } ?? false
      if isFalse { violate(.trueDetails, "\(id.text): \(accepted.details ?? 0)") }
    }
    // No operation has ended if the journal could not be read.
    if let error = result.error, error.outcome == nil { return }
    let ended = checks.operations.filter { operation in
      guard operation.process === process, operation.id == id, let outcome = operation.outcome else { return false }
      return OrderTakingFailure(outcome)?.outcome == result.error?.outcome
    }
    // Details can arrive after the record without them was written.
    (ended.last { $0.reported == nil } ?? ended.last)?.reported =
      result.error?.outcome ?? .accepted(hasDetails: result.value?.details != nil)
  }

  func checkOperations() {
    for operation in checks.operations where operation.process.isAlive && operation.outcome == nil {
      if operation.begunAt < now - 10 * World.minute { violate(.everyOperationEnds, "\(operation) has not ended") }
    }
  }

  func checkTheEnd() {
    checkOperations()
    for operation in checks.operations {
      guard let key = checks.acceptances[operation.id], key == operation.key else { continue }
      switch operation.reported {
      case nil, .accepted, .unknown: break
      case let reported?: violate(.noFalseFailure, "\(operation) is accepted, and was reported as \(reported)")
      }
    }
    for driver in World.drivers {
      for order in server.orders { checkTheEnd(of: TakingID(driver: driver, order: order)) }
    }
  }

  private func checkTheEnd(of id: TakingID) {
    let record = disk.records[id]
    if let key = checks.acceptances[id], key != record?.intent.key {
      violate(.everyAcceptanceIsRecorded, "\(id.text): no record of key \(key.low)")
    }
    guard let record else { return }
    let seen = "\(id.text) was left as \(record.checkpoint)"
    switch record.state {
    case .unfinished: violate(.everyOperationEnds, seen)
    // A worker sends no PUT again, so an order that the server does not know stays unknown after a restart of the machine.
    case .unknown where hasWorker && server.state[id.order]?.taking?.driver != id.driver: break
    case .unknown: violate(.everyOutcomeIsKnown, seen)
    case .accepted, .failed, .discarded:
      // A caller who has the details knows that the order was accepted, even if the details could not be recorded.
      let isReported = checks.operations.contains { operation in
        guard operation.id == id, operation.key == record.intent.key, let reported = operation.reported else {
          return false
        }
        return record.checkpoint == .ended(reported)
          || record.checkpoint == .ended(.accepted(hasDetails: false)) && reported == .accepted(hasDetails: true)
      }
      if record.needsResuming || !isReported { violate(.everyEndIsReported, seen) }
    }
  }
}
