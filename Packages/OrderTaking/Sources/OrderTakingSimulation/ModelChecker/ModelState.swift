internal import OrderTaking

/// A state of the world around one operation: the operation, the messages in transit, the journal and the server.
struct ModelState {
  enum Truth: Hashable { case untouched, processing, accepted, declined }

  struct Message: Hashable {
    var request: TakingRequest
    var hasArrived = false
    var isHeard = true
    var isAwaited = true
  }

  static let key = IdempotencyKey(high: 0, low: 1)
  static let start = Moment(sinceEpoch: .seconds(1_000_000), sinceBoot: .seconds(100_000), boot: 1)

  var operation = TakingOperation(key: key)
  var truth = Truth.untouched
  var messages: [Message] = []
  var timers: Set<TakingTimer> = []
  var journal: TakingCheckpoint?
  /// The checkpoint that survives a power failure.
  var durable: TakingCheckpoint?
  var writes: [TakingCheckpoint] = []
  var readings: [TakingCheckpoint] = []
  /// Whether the process is dead without a record in the journal, or another process has the operation.
  var isGone = false
  var wrong: String?

  struct OperationKey: Hashable {
    let phase: TakingPhase
    let activity: TakingActivity
    let failures: UInt32
    let hasRefreshedToken, isFirst: Bool

    init(_ operation: TakingOperation) {
      (phase, activity) = (operation.phase, operation.activity)
      // Details are requested with any number of failures.
      failures = operation.phase == .fetchingDetails ? 0 : min(operation.failures, 3)
      (hasRefreshedToken, isFirst) = (operation.hasRefreshedToken, operation.number == 0)
    }
  }

  struct Key: Hashable {
    struct Letter: Hashable {
      let kind: TakingRequest.Kind
      let hasArrived, isHeard, isAwaited: Bool
    }

    let operation: OperationKey
    let truth: Truth
    let letters: [Letter: Int]
    let journal, durable: TakingCheckpoint?
    let writes: [TakingCheckpoint]
    let readings: [TakingCheckpoint]
    let isGone: Bool
    let timers: Int
  }

  var stateKey: Key {
    Key(
      operation: OperationKey(operation), truth: truth,
      letters: Dictionary(
        messages.map {
          (
            Key.Letter(
              kind: $0.request.kind, hasArrived: $0.hasArrived, isHeard: $0.isHeard, isAwaited: $0.isAwaited), 1
          )
        }, uniquingKeysWith: +),
      journal: journal, durable: durable, writes: writes, readings: readings, isGone: isGone, timers: timers.count)
  }

  var hasPutInTransit: Bool { messages.contains { $0.request.kind == .put && !$0.hasArrived } }

  // MARK: The operation

  /// - Parameter isLate: Whether the device has slept until after the deadline.
  func after(_ event: TakingEvent, isLate: Bool = false, in model: Model) -> ModelState {
    var next = self
    let hadEnded = operation.outcome != nil
    var now = Self.start
    if isLate { now.sinceBoot += .seconds(10_000) }
    var ends = 0
    let effects = next.operation.handle(event, at: now, under: model.checker.policy)
    if !effects.isEmpty { model.transitions?.count(operation.phase, event, next.operation.phase) }
    for effect in effects {
      if hadEnded, case .report = effect {
      } else if hadEnded {
        next.wrong = "an ended operation causes the effect \(effect)"
      }
      next.perform(effect, isLate: isLate, in: model)
      if case .finish = effect { ends += 1 }
    }
    if ends > 1 || (ends == 1) != (next.operation.outcome != nil && !hadEnded) {
      next.wrong = "one event ends the operation \(ends) times, in phase \(next.operation.phase)"
    }
    next.check(model.checker.policy)
    return next
  }

  private mutating func perform(_ effect: TakingEffect, isLate: Bool, in model: Model) {
    switch effect {
    case .send(let request):
      if request.kind == .put, durable == nil { wrong = "\(request) is sent before the intent is stored" }
      if request.kind == .put, isLate { wrong = "\(request) is sent after the deadline" }
      if messages.contains(where: \.isAwaited) { wrong = "\(request) is sent while another one waits for its response" }
      messages.append(Message(request: request))
      if messages.count > model.checker.messages { messages.removeFirst() }
    case .abandon(let request):
      for index in messages.indices where messages[index].request == request { messages[index].isAwaited = false }
    case .startTimer(let timer, _):
      if !timers.insert(timer).inserted { wrong = "\(timer) is started twice" }
    case .stopTimer(let timer): timers.remove(timer)
    case .persist(let checkpoint): writes.append(checkpoint)
    case .readRecord: readings.append(operationCheckpoint)
    case .refreshToken, .abandonToken, .report, .finish: break
    }
  }

  private var operationCheckpoint: TakingCheckpoint {
    if case .ending(let outcome) = operation.phase { .ended(outcome) } else { .begun }
  }

  private mutating func check(_ policy: TakingPolicy) {
    if let outcome = operation.outcome { return check(outcome) }
    func needs(_ timer: TakingTimer, when isWanted: Bool) {
      if isWanted && !timers.contains(timer) { wrong = "waits for \(operation.activity) without \(timer)" }
    }
    let isLimited = policy.requestTimeout != nil
    switch operation.activity {
    case .none: if operation.phase != .ready { wrong = "waits for no event in phase \(operation.phase)" }
    case .request, .token: needs(.request(number: operation.number), when: isLimited)
    case .pause: needs(.pause(number: operation.number), when: true)
    case .persisting: if writes.last != operationCheckpoint { wrong = "waits for a write that was not requested" }
    case .reading: if !readings.contains(operationCheckpoint) { wrong = "waits for a record that was not requested" }
    }
    if case .ending = operation.phase {
      if !timers.isEmpty { wrong = "\(timers) still run while the outcome is stored" }
    } else if policy.deadline != nil, operation.phase != .ready {
      needs(.deadline, when: true)
    }
  }

  private mutating func check(_ outcome: TakingOutcome) {
    if !timers.isEmpty { wrong = "\(timers) still run after the end" }
    switch outcome {
    case .accepted: if truth != .accepted { wrong = "reported as accepted, but the server has \(truth)" }
    case .declined: if truth != .declined { wrong = "reported as declined, but the server has \(truth)" }
    case .rejected, .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded:
      if truth != .untouched { wrong = "reported as \(outcome), but the server has \(truth)" }
      if hasPutInTransit { wrong = "reported as \(outcome), but a PUT is in transit" }
    case .unknown: break
    }
    switch outcome {
    case .accepted, .unknown, .unrecorded: break
    default: if durable != .ended(outcome) { wrong = "reported as \(outcome), which is not stored" }
    }
  }
}
