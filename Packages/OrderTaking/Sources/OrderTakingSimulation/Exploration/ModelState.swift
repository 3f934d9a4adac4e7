internal import OrderTaking

/// A state of the world around one operation: the machine, the messages under way, and what the server holds.
struct ModelState {
  typealias Operation = TakingOperation<Int, Bool>
  typealias Event = TakingEvent<Int, Bool>

  /// What the server holds.
  enum Truth: Hashable { case untouched, processing, accepted, declined }

  /// A request under way, or its answer.
  struct Message: Hashable {
    var request: TakingRequest
    /// Whether the server has got it.
    var hasArrived = false
    /// Whether somebody may still hear its answer.
    var isHeard = true
    /// Whether the operation waits for it.
    var isAwaited = true
  }

  static let order = 7
  static let intent = TakingIntent(order: order, key: IdempotencyKey(high: 0, low: 1))

  var operation = Operation(intent)
  var truth = Truth.untouched
  var messages: [Message] = []
  var timers: Set<TakingTimer> = []
  var journal: TakingChange?
  /// Whether the process is dead, with nothing in the journal.
  var isGone = false
  /// What should not be.
  var wrong: String?

  /// What makes two states different.
  struct Key: Hashable {
    struct Letter: Hashable {
      let kind: TakingRequest.Kind
      let hasArrived, isHeard, isAwaited: Bool
    }

    let phase: TakingPhase
    let activity: TakingActivity
    let failures: UInt32
    let hasOpenPut, hasAskedForToken, isDoubting: Bool
    let truth: Truth
    let letters: [Letter: Int]
    let journal: TakingChange?
    let isGone: Bool
    let timers: Int
  }

  var key: Key {
    Key(
      phase: operation.phase, activity: operation.activity,
      // Details are asked for whatever the number of failures.
      failures: operation.phase == .fetchingDetails ? 0 : min(operation.machine.failures, 3),
      hasOpenPut: operation.machine.hasOpenPut, hasAskedForToken: operation.machine.hasAskedForToken,
      isDoubting: operation.machine.doubted != nil, truth: truth,
      letters: Dictionary(
        messages.map {
          (
            Key.Letter(
              kind: $0.request.kind, hasArrived: $0.hasArrived, isHeard: $0.isHeard, isAwaited: $0.isAwaited), 1
          )
        }, uniquingKeysWith: +),
      journal: journal, isGone: isGone, timers: timers.count)
  }

  // MARK: The machine's side

  /// The state after an event, with its effects performed.
  func after(_ event: Event, in exploration: Exploration) -> ModelState {
    var next = self
    let hadEnded = operation.outcome != nil
    var ends = 0
    for effect in next.operation.handle(event, under: exploration.policy) {
      if hadEnded, case .report = effect {
      } else if hadEnded {
        next.wrong = "an ended operation causes the effect \(effect)"
      }
      next.perform(effect, in: exploration)
      if case .finish = effect { ends += 1 }
    }
    if ends > 1 || (ends == 1) != (next.operation.outcome != nil && !hadEnded) {
      next.wrong = "one event ends the operation \(ends) times, in phase \(next.operation.phase)"
    }
    next.check(exploration.policy)
    return next
  }

  private mutating func perform(_ effect: TakingEffect, in exploration: Exploration) {
    switch effect {
    case .send(let request):
      if journal == nil { wrong = "\(request) is sent before the intent is recorded" }
      if messages.contains(where: \.isAwaited) {
        wrong = "\(request) is sent while another request waits for its answer"
      }
      messages.append(Message(request: request))
      if messages.count > exploration.messages { messages.removeFirst() }
    case .abandon(let request):
      for index in messages.indices where messages[index].request == request { messages[index].isAwaited = false }
    case .startTimer(let timer, _):
      if !timers.insert(timer).inserted { wrong = "\(timer) is started twice" }
    case .stopTimer(let timer): timers.remove(timer)
    case .record(let change): journal = change
    case .refreshToken, .abandonToken, .report, .finish: break
    }
  }

  /// Looks whether the state may be.
  private mutating func check(_ policy: TakingPolicy) {
    if let outcome = operation.outcome {
      if !timers.isEmpty { wrong = "\(timers) still run after the end" }
      let mayStillArrive = messages.contains { $0.request.kind == .put && !$0.hasArrived }
      switch outcome {
      case .accepted: if truth != .accepted { wrong = "reported as accepted, but the server has \(truth)" }
      case .declined: if truth != .declined { wrong = "reported as declined, but the server has \(truth)" }
      case .rejected, .cancelled, .expired, .keyMismatch, .keyExpired, .unrecorded:
        if truth != .untouched { wrong = "reported as \(outcome), but the server has \(truth)" }
        if mayStillArrive { wrong = "reported as \(outcome), but a PUT is in flight" }
      case .unknown: break
      }
      return
    }
    func needs(_ timer: TakingTimer, when isWanted: Bool) {
      if isWanted && !timers.contains(timer) { wrong = "waits for \(operation.activity) without \(timer)" }
    }
    let isLimited = policy.requestTimeout != nil
    switch operation.activity {
    case .none: if operation.phase != .ready { wrong = "waits for no event in phase \(operation.phase)" }
    case .request, .token: needs(.request(number: operation.machine.number), when: isLimited)
    case .pause: needs(.pause(number: operation.machine.number), when: true)
    }
    let expected = (policy.budget == nil ? 0 : 1) + (operation.activity == .pause || isLimited ? 1 : 0)
    if operation.phase != .ready && timers.count > expected {
      wrong = "\(timers) run, but only \(expected) are expected"
    }
    needs(.budget, when: policy.budget != nil)
  }
}
