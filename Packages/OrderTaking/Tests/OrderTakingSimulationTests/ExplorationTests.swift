import OrderTaking
import Testing

@Suite("Every order of events of one operation") struct ExplorationTests {
  @Test("no answer, loss, crash, timer or failed write leads to a false outcome or a second one") func exploration() {
    let (states, violation, path) = explore(limit: 40_000) { $0.handle($1, at: $2, under: policy) }
    #expect(violation == nil, "\(path)")
    #expect(states == 40_000)
  }
}

typealias Handle = @Sendable (inout TakingOperation, TakingEvent, Moment) -> [TakingEffect]

let policy = {
  var policy = TakingPolicy()
  (policy.retries, policy.attempts) = (.constant(.seconds(1)), 3)
  return policy
}()
private let key = IdempotencyKey(high: 0, low: 1)

extension Moment {
  static let start = Moment(sinceEpoch: .zero, sinceBoot: .zero, boot: 1)
}

func explore(
  limit: Int, _ handle: Handle
) -> (states: Int, violation: String?, path: [TakingEvent?]) {
  var first = Situation()
  first.pass(.begin, handle)
  var (seen, queue, next) = (Set([first]), [(first, [TakingEvent?]())], 0)
  while next < queue.count {
    let (situation, path) = queue[next]
    next += 1
    for (change, event) in situation.moves {
      var after = situation
      change(&after)
      if let event { after.pass(event, handle) }
      if let violation = after.violation { return (seen.count, violation, path + [event]) }
      if seen.count < limit, seen.insert(after).inserted { queue.append((after, path + [event])) }
    }
  }
  return (seen.count, nil, [])
}

/// An operation with its journal, its server and its messages in transit.
private struct Situation: Hashable {
  typealias Move = (change: (inout Situation) -> Void, event: TakingEvent?)
  enum Server { case open, processing, accepted, declined }

  var operation = TakingOperation(key: key)
  var server = Server.open
  /// The number of PUTs in transit.
  var puts = 0
  var record: TakingCheckpoint?
  var writes: [TakingCheckpoint] = []
  var lastWrite = TakingCheckpoint.begun
  var isLastStored = false
  var reads: [TakingEvent] = []
  var request: TakingRequest?
  var timers: [TakingTimer] = []
  var mayPut = false
  /// Whether the deadline has passed, perhaps before its timer fires.
  var isLate = false
  var hasCrashed = false
  var outcome: TakingOutcome?
  var violation: String?

  mutating func pass(_ event: TakingEvent, _ handle: Handle) {
    let now = isLate ? Moment(sinceEpoch: .seconds(150), sinceBoot: .seconds(150), boot: 1) : .start
    for effect in handle(&operation, event, now) { perform(effect) }
    let waits = !writes.isEmpty || !reads.isEmpty || timers.contains { $0 != .deadline }
    if outcome == nil, !waits { violation = violation ?? "nothing to wait for" }
  }

  private mutating func perform(_ effect: TakingEffect) {
    switch effect {
    case .persist(let checkpoint):
      writes.append(checkpoint)
      (lastWrite, isLastStored) = (checkpoint, false)
    case .readRecord: reads.append(.recordRead(lastWrite, isCurrent: isLastStored))
    case .send(let sent):
      if outcome != nil { violation = "request after the end" }
      request = sent
      guard sent.kind == .put else { return }
      if !mayPut { violation = "PUT without a record" }
      if isLate { violation = "PUT after the deadline" }
      (puts, mayPut) = (puts + 1, false)
    case .abandon: request = nil
    case .startTimer(let timer, _): timers.append(timer)
    case .stopTimer(let timer): timers.removeAll { $0 == timer }
    case .finish(let outcome): end(outcome)
    case .report: break
    }
  }

  private mutating func end(_ outcome: TakingOutcome) {
    if self.outcome != nil { violation = "second end" }
    self.outcome = outcome
    switch outcome {
    case .unknown: break
    case .accepted: if server != .accepted { violation = "false acceptance" }
    default:
      if server == .accepted || server == .processing || server == .open && puts > 0 { violation = "false failure" }
      if outcome != .unrecorded, record != .ended(outcome) { violation = violation ?? "outcome without a record" }
    }
  }

  /// All that can happen next: a change around the operation, and the event that it receives.
  var moves: [Move] {
    var moves: [Move] = [({ _ in }, .cancel)]
    if let written = writes.first {
      let store: (inout Situation) -> Void = {
        ($0.record, $0.mayPut) = (written, written == .begun)
        $0.writes.removeFirst()
        $0.isLastStored = $0.writes.isEmpty
      }
      moves.append((store, .persisted(written)))
      func failure(_ kind: JournalError.Kind) -> TakingEvent { .notPersisted(written, JournalError(kind, "")) }
      moves.append((store, failure(.unknownOutcome)))
      moves += [.storage, .unknownOutcome].map { ({ $0.writes.removeFirst() }, failure($0)) }
      moves.append(({ $0.writes = [] }, failure(.fenced)))
    }
    if let read = reads.first { moves.append(({ $0.reads.removeFirst() }, read)) }
    for timer in timers {
      moves.append(
        (
          {
            $0.timers.removeAll { $0 == timer }
            if timer == .deadline { $0.isLate = true }
          }, .timerFired(timer)
        ))
    }
    if !isLate { moves.append(({ $0.isLate = true }, nil)) }
    if puts > 0 {
      let verdicts: [Server] = server == .open ? [.open, .processing, .accepted, .declined] : [server]
      moves += verdicts.map { verdict in ({ ($0.server, $0.puts) = (verdict, $0.puts - 1) }, nil) }
    }
    if server == .processing { moves += [.accepted, .declined].map { verdict in ({ $0.server = verdict }, nil) } }
    func push(_ result: TakingResult) -> Move {
      ({ _ in }, .pushed(PushedResult(order: "7", key: key, result: result)))
    }
    if server == .accepted { moves.append(push(.accepted)) }
    if server == .declined { moves.append(push(.declined("gone"))) }
    if !hasCrashed, outcome == nil, let record {
      for purpose in [TakingPurpose.take, .reconcile, .recover] {
        let intent = TakingIntent(order: "7", key: key)
        let left = TakingRecord(intent: intent, begunAt: .zero, lastPutAt: .start, checkpoint: record)
        moves.append(({ $0 = $0.afterCrash }, .resume(left, purpose)))
      }
    }
    return moves + answers
  }

  private var afterCrash: Situation {
    var after = Situation()
    (after.server, after.puts, after.record, after.hasCrashed) = (server, puts, record, true)
    return after
  }

  private var answers: [Move] {
    guard let request else { return [] }
    func answer(_ result: Result<TakingAnswer, HTTPError>, isRejected: Bool = false) -> Move {
      (
        {
          $0.request = nil
          if isRejected { $0.puts -= 1 }
        }, .answered(request, result)
      )
    }
    var answers = [answer(.failure(.connectionLost))]
    if request.kind == .put, puts > 0 {
      answers += [.status(400), .status(401), .notConnected].map { answer(.failure($0), isRejected: true) }
    }
    if request.kind == .details || request.kind == .token {
      let arrives = request.kind == .token || server == .accepted
      return arrives ? answers + [({ $0.request = nil }, .arrived(request))] : answers
    }
    if request.kind == .get {
      answers.append(answer(.failure(.status(404))))
    } else if server == .processing || server == .accepted {
      answers.append(answer(.failure(.status(422, declineReason: "already_taken"))))
    }
    switch server {
    case .open where request.kind == .get: answers.append(answer(.failure(.status(404, problem: .noSuchTaking))))
    case .open: break
    case .processing: answers.append(answer(.success(.processing)))
    case .accepted: answers.append(answer(.success(.accepted)))
    case .declined: answers.append(answer(.success(.declined("gone"))))
    }
    return answers
  }
}
