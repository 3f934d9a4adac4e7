/// The operation that takes one order: a value that turns events into effects.
///
/// Pass each event to it with its time, and perform the effects in their order. It ends once, with ``TakingEffect/finish(_:)``.
/// Every event is allowed in every phase; a late one, for example of a stopped timer, has no effect, unless it is a result. <doc:Rules>
/// lists the rules.
///
/// ```swift
/// var operation = TakingOperation(key: key)
/// operation.handle(.begin, at: now)             // start the deadline, persist begun
/// operation.handle(.persisted(.begun), at: now)  // start a timer, send PUT 1
/// operation.handle(.answered(.init(kind: .put, number: 1), .success(.accepted)), at: now)  // persist, send details 2
/// ```
///
/// Source: *Reasons to love functional programming*, the `EtherTakingOperation` and its states.
public struct TakingOperation: Hashable, Sendable {
  public private(set) var phase = TakingPhase.ready
  private var activity = Activity.none
  public private(set) var winner: TakingSource?
  /// The number of the last request or pause.
  private var number: UInt32 = 0

  /// The number of requests in this phase.
  private var requestCount = 0
  /// The number of consecutive failures.
  private var failures = 0
  /// Whether a fresh token was requested, and every response since then was a 401.
  private var hasRefreshedToken = false
  /// A time since the machine started.
  private var deadline: Duration?
  /// The time of the next PUT in the record, as a time since the machine started.
  private var recordedPutAt = Duration.zero
  let key: IdempotencyKey
  private let seed: UInt64

  /// Creates an operation in its initial state; concurrent operations should have different seeds.
  public init(key: IdempotencyKey, seed: UInt64 = 0) {
    self.key = key
    self.seed = seed
  }

  public var outcome: TakingOutcome? {
    if case .ended(let outcome) = phase { outcome } else { nil }
  }

  /// Handles an event, and returns the effects to perform; pass the same policy each time.
  @discardableResult
  public mutating func handle(
    _ event: TakingEvent, at now: Moment, under policy: TakingPolicy = .standard
  ) -> [TakingEffect] {
    var step = Step(now: now, policy: policy)
    switch event {
    case .begin where phase == .ready:
      phase = .putting(mayHaveArrived: false)
      startDeadline(&step)
      proceed(&step)
    case .resume(let record, let purpose) where phase == .ready: resume(from: record, for: purpose, &step)
    case .cancel where phase == .ready: finish(.cancelled, &step)
    case .begin, .resume: break
    case _ where phase == .ready: break
    case .persisted(let checkpoint) where activity == .persisting: persisted(checkpoint, &step)
    case .persisted: break
    case .notPersisted(let checkpoint, let error): notPersisted(checkpoint, error, &step)
    // A read before a cancellation decides nothing after it.
    case .recordRead(let checkpoint, isCurrent: true) where activity == .reading: persisted(checkpoint, &step)
    case .recordRead(let checkpoint, isCurrent: false) where activity == .reading && decides(checkpoint):
      writeFailed(isCertain: false, &step)
    case .recordRead: break
    case .answered(let request, .success(let answer)): answered(request, answer, &step)
    case .answered(let request, .failure(let error)): failed(request, error, &step)
    case .arrived(let request): arrived(request, &step)
    case .pushed(let push): pushed(push, &step)
    case .timerFired(let timer): fired(timer, &step)
    case .cancel: stop(.cancelled, &step)
    case .released: if outcome == nil { leave(&step) }
    }
    return step.effects
  }

  private enum Activity: Hashable {
    case none, persisting
    /// The record is read, after a write with an unknown outcome.
    case reading
    case request(TakingRequest.Kind)
    case pause
  }

  private struct Step {
    let now: Moment
    let policy: TakingPolicy
    var effects: [TakingEffect] = []

    mutating func callAsFunction(_ effect: TakingEffect) { effects.append(effect) }
  }

  // MARK: Start

  private mutating func resume(from record: TakingRecord, for purpose: TakingPurpose, _ step: inout Step) {
    switch (record.checkpoint, purpose) {
    case (.accepted, _), (.ended(.accepted), _):
      // The journal contains no details, so they are requested again.
      winner = .journal
      phase = .fetchingDetails
    case (.ended(let outcome), .recover) where !record.isDelivered: return finish(outcome, &step)
    case (.begun, _), (.acknowledged, _), (.ended(.unknown), _):
      let putsAgain =
        switch purpose {
        // A PUT with the same key is harmless, whether or not an earlier one has arrived.
        case .take: record.checkpoint != .acknowledged
        case .reconcile: false
        case .recover: record.checkpoint == .begun && !record.isOlder(than: step.policy.ageLimit, at: step.now)
        }
      let ifNotTaken = record.putCanStillArrive(at: step.now) ? nil : TakingOutcome.expired
      phase = putsAgain ? .putting(mayHaveArrived: true) : .polling(ifNotTaken: ifNotTaken)
    case (.ended(let outcome), _): return finish(outcome, &step)
    }
    startDeadline(&step)
    proceed(&step)
  }

  private mutating func startDeadline(_ step: inout Step) {
    guard let limit = step.policy.deadline else { return }
    deadline = step.now.sinceBoot + limit
    step(.startTimer(.deadline, after: limit))
  }

  private func stopDeadline(_ step: inout Step) {
    if step.policy.deadline != nil { step(.stopTimer(.deadline)) }
  }

  // MARK: Requests and pauses

  /// Sends the next request; a PUT only after the journal has recorded it.
  private mutating func proceed(_ step: inout Step, isRecorded: Bool = false) {
    // The deadline may have passed although its timer has not fired, because timers stop while a machine sleeps.
    if let deadline, step.now.sinceBoot >= deadline { return stop(.expired, &step) }
    if case .putting = phase, !isRecorded {
      activity = .persisting
      recordedPutAt = step.now.sinceBoot
      return step(.persist(.begun))
    }
    requestCount += 1
    switch phase {
    case .ready, .putting, .ending, .ended: sendRequest(.put, &step)
    case .acknowledged, .polling: sendRequest(.get, &step)
    case .fetchingDetails: sendRequest(.details, &step)
    }
  }

  private mutating func sendRequest(_ kind: TakingRequest.Kind, _ step: inout Step) {
    number &+= 1
    activity = .request(kind)
    if let timeout = step.policy.requestTimeout { step(.startTimer(.request(number: number), after: timeout)) }
    step(.send(TakingRequest(kind: kind, number: number)))
  }

  private mutating func pause(for duration: Duration, _ step: inout Step) {
    number &+= 1
    activity = .pause
    step(.startTimer(.pause(number: number), after: duration))
  }

  private mutating func retry(notBefore: Duration, _ step: inout Step) {
    if let attempts = step.policy.attempts, failures >= attempts, phase != .fetchingDetails {
      return stop(.expired, &step)
    }
    // After a PUT that may have arrived, a push can still bring the result.
    if let deadline, step.now.sinceBoot + notBefore >= deadline, notBefore > .zero,
      phase == .putting(mayHaveArrived: false) || phase == .fetchingDetails
    {
      return stop(.expired, &step)
    }
    let delay = max(notBefore, step.policy.retries.delay(after: failures, random: random))
    step(.report(.retrying(after: delay)))
    pause(for: delay, &step)
  }

  private mutating func cancelPending(_ step: inout Step) {
    switch activity {
    // A write cannot be cancelled. The next one follows it.
    case .none, .persisting, .reading: break
    case .request(let kind):
      step(.abandon(TakingRequest(kind: kind, number: number)))
      requestEnded(&step)
    case .pause: step(.stopTimer(.pause(number: number)))
    }
    activity = .none
  }

  private mutating func enter(_ next: TakingPhase) {
    (phase, requestCount, failures, hasRefreshedToken) = (next, 0, 0, false)
  }

  /// 64 bits that depend on the seed and on the number of the request or pause.
  private var random: UInt64 {
    var bits = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9_7F4A_7C15)
    return bits.next()
  }

  // MARK: Events

  private mutating func answered(_ request: TakingRequest, _ answer: TakingAnswer, _ step: inout Step) {
    guard request.kind == .put || request.kind == .get else { return }
    // A result counts even if its request was cancelled.
    let isAwaited = isAwaited(request)
    if isAwaited { requestEnded(&step) }
    switch (answer, phase) {
    case (.accepted, _): decide(.accepted, from: request.kind == .put ? .put : .get, &step)
    case (.declined(let reason), _): declined(reason, by: request, &step)
    case (.processing, .putting):
      cancelPending(&step)
      enter(.acknowledged)
      step(.persist(.acknowledged))
      step(.report(.acknowledged))
      pause(for: step.policy.delayBeforeFirstGet, &step)
    case (.processing, _) where isAwaited:
      failures = 0
      hasRefreshedToken = false
      pause(for: step.policy.polls.delay(after: requestCount, random: random), &step)
    case (.processing, _): break
    }
  }

  private mutating func failed(_ request: TakingRequest, _ error: HTTPError, _ step: inout Step) {
    let disposition = step.policy.disposition(of: error)
    guard isAwaited(request) else {
      let hasResult = request.kind == .put || request.kind == .get
      if hasResult, case .decline(let reason) = disposition { declined(reason, by: request, &step) }
      return
    }
    requestEnded(&step)
    step(.report(.failed(request, error)))
    if request.kind == .token { return hasNoToken(disposition, &step) }
    failures += 1
    if disposition != .refreshToken { hasRefreshedToken = false }
    if case .putting = phase, error.mayHaveReachedServer { phase = .putting(mayHaveArrived: true) }
    switch disposition {
    case .refreshToken where !hasRefreshedToken:
      hasRefreshedToken = true
      sendRequest(.token, &step)
    case .retry(let notBefore): retry(notBefore: notBefore, &step)
    case .stop: stop(.expired, &step)
    case _ where request.kind == .details: retry(notBefore: error.retryAfter ?? .zero, &step)
    case .decline(let reason): declined(reason, by: request, &step)
    case .refreshToken: refused(.rejected(status: 401), status: 401, nil, &step)
    case .refuse(let status): refused(.rejected(status: status), status: status, error.problem, &step)
    case .redirect(let status, let location): refused(.redirected(to: location), status: status, nil, &step)
    case .keyMismatch: refused(.keyMismatch, status: error.status ?? 422, nil, &step)
    case .keyExpired: refused(.keyExpired, status: error.status ?? 422, nil, &step)
    }
  }

  private mutating func hasNoToken(_ disposition: Disposition, _ step: inout Step) {
    if case .retry(let notBefore) = disposition {
      // The log-in service has refused no token, and may respond to the next refresh.
      hasRefreshedToken = false
      retry(notBefore: notBefore, &step)
    } else if phase == .fetchingDetails {
      retry(notBefore: .zero, &step)
    } else {
      refused(.rejected(status: 401), status: 401, nil, &step)
    }
  }

  private mutating func arrived(_ request: TakingRequest, _ step: inout Step) {
    switch request.kind {
    case .token where isAwaited(request):
      requestEnded(&step)
      proceed(&step)
    // The details of a cancelled request count too.
    case .details where phase == .fetchingDetails:
      if isAwaited(request) { requestEnded(&step) } else { cancelPending(&step) }
      end(.accepted(hasDetails: true), &step)
    default: break
    }
  }

  private mutating func pushed(_ push: PushedResult, _ step: inout Step) {
    guard push.key == nil || push.key == key else { return step(.report(.foreignPush)) }
    decide(push.result, from: .push, &step)
  }

  private mutating func fired(_ timer: TakingTimer, _ step: inout Step) {
    switch timer {
    case .pause(number) where activity == .pause:
      activity = .none
      if phase == .acknowledged { phase = .polling(ifNotTaken: nil) }
      proceed(&step)
    case .request(number):
      guard case .request(let kind) = activity else { return }
      let request = TakingRequest(kind: kind, number: number)
      step(.abandon(request))
      failed(request, .timedOut, &step)
    case .deadline: stop(.expired, &step)
    default: break
    }
  }

  private func isAwaited(_ request: TakingRequest) -> Bool {
    activity == .request(request.kind) && request.number == number
  }

  private mutating func requestEnded(_ step: inout Step) {
    if step.policy.requestTimeout != nil { step(.stopTimer(.request(number: number))) }
    activity = .none
  }

  // MARK: Decisions

  /// Accepts a decline as the result, unless a PUT of this operation may be its reason, also the first, which the network may have sent
  /// twice.
  private mutating func declined(_ reason: String, by request: TakingRequest, _ step: inout Step) {
    guard request.kind == .put, step.policy.ambiguousDeclineReasons.contains(reason) else {
      return decide(.declined(reason), from: request.kind == .put ? .put : .get, &step)
    }
    step(.report(.doubtful(reason: reason)))
    // If the server then has recorded no PUT of ours, another driver has the order.
    if case .putting = phase { poll(ifNotTaken: .declined(reason: reason), &step) }
  }

  private mutating func refused(
    _ outcome: TakingOutcome, status: Int, _ problem: HTTPError.Problem?, _ step: inout Step
  ) {
    switch phase {
    // The server knows the result of the earlier PUT. A PUT with an expired key that arrives later is refused.
    case .putting(mayHaveArrived: true): poll(ifNotTaken: outcome == .keyExpired ? .keyExpired : nil, &step)
    case .putting(mayHaveArrived: false): end(outcome, &step)
    // Only with this problem: any other 404 may come from a proxy.
    case .polling(let ifNotTaken?) where status == 404 && problem == .noSuchTaking: end(ifNotTaken, &step)
    default: end(.unknown(.refused(status: status)), &step)
    }
  }

  /// Sends GET at once, and no PUT from now on.
  private mutating func poll(ifNotTaken: TakingOutcome?, _ step: inout Step) {
    cancelPending(&step)
    enter(.polling(ifNotTaken: ifNotTaken))
    proceed(&step)
  }

  /// The first one counts.
  private mutating func decide(_ result: TakingResult, from source: TakingSource, _ step: inout Step) {
    switch phase {
    case .putting, .acknowledged, .polling:
      cancelPending(&step)
      winner = source
      switch result {
      case .accepted:
        enter(.fetchingDetails)
        step(.persist(.accepted))
        step(.report(.won(result, by: source)))
        proceed(&step)
      case .declined(let reason):
        step(.report(.won(result, by: source)))
        end(.declined(reason: reason), &step)
      }
    case .ending(.declined(let reason)), .ended(.declined(let reason)):
      guard result == .accepted else { return }
      step(.report(.contradiction(.declined(reason), by: winner ?? .journal, with: result, from: source)))
    case .fetchingDetails, .ending(.accepted), .ended(.accepted):
      guard result != .accepted else { return }
      step(.report(.contradiction(.accepted, by: winner ?? .journal, with: result, from: source)))
    case .ending, .ended: step(.report(.late(result, from: source)))
    case .ready: break
    }
  }

  // MARK: The end

  /// Ends the operation without a result: as unknown, or as expired or cancelled if no PUT can have arrived.
  private mutating func stop(_ cause: TakingOutcome.UnknownCause, _ step: inout Step) {
    switch phase {
    case .putting, .acknowledged, .polling:
      let isOpen = phase != .putting(mayHaveArrived: false) || activity == .request(.put)
      cancelPending(&step)
      end(isOpen ? .unknown(cause) : cause == .cancelled ? .cancelled : .expired, &step)
    case .fetchingDetails:
      cancelPending(&step)
      end(.accepted(hasDetails: false), &step)
    case .ready, .ending, .ended: break
    }
  }

  private mutating func end(_ outcome: TakingOutcome, _ step: inout Step) {
    stopDeadline(&step)
    phase = .ending(outcome)
    activity = .persisting
    step(.persist(.ended(outcome)))
  }

  /// Reports an outcome that the journal contains already, or that needs no record.
  private mutating func finish(_ outcome: TakingOutcome, _ step: inout Step) {
    phase = .ended(outcome)
    activity = .none
    step(.finish(outcome))
  }

  /// Continues after a write of this checkpoint.
  private mutating func persisted(_ checkpoint: TakingCheckpoint, _ step: inout Step) {
    switch (checkpoint, phase) {
    // The machine may have slept during the write. The next process takes the recorded time for that of the PUT, so a record from
    // long ago is written again before one is sent.
    case (.begun, .putting): proceed(&step, isRecorded: step.now.sinceBoot - recordedPutAt <= .seconds(60))
    case (.ended, .ending(let outcome)): finish(outcome, &step)
    default: break
    }
  }

  /// Whether a PUT or the end waits for this checkpoint; any other lost write only costs requests after a restart.
  private func decides(_ checkpoint: TakingCheckpoint) -> Bool {
    switch (checkpoint, phase) {
    case (.begun, .putting), (.ended, .ending): true
    default: false
    }
  }

  private mutating func notPersisted(_ checkpoint: TakingCheckpoint, _ error: JournalError, _ step: inout Step) {
    if outcome != nil { return }
    step(.report(.notPersisted(checkpoint, error)))
    if error.kind == .fenced { return leave(&step) }
    guard activity == .persisting, decides(checkpoint) else { return }
    guard error.kind == .unknownOutcome else {
      return writeFailed(isCertain: true, canRetry: !error.isPermanent, &step)
    }
    activity = .reading
    step(.readRecord)
  }

  private mutating func writeFailed(isCertain: Bool, canRetry: Bool = true, _ step: inout Step) {
    switch phase {
    case .putting(mayHaveArrived: false) where number == 0 && isCertain:
      stopDeadline(&step)
      finish(.unrecorded, &step)
    case .putting(mayHaveArrived: false) where number == 0: end(.unknown(.journal), &step)
    case .putting where !canRetry:
      stopDeadline(&step)
      finish(.unknown(.journal), &step)
    case .putting:
      // The journal has the intent, so the PUT can wait.
      activity = .none
      failures += 1
      retry(notBefore: .zero, &step)
    case .ending(.accepted(let hasDetails)): finish(.accepted(hasDetails: hasDetails), &step)
    case .ending(.unknown(let cause)): finish(.unknown(cause), &step)
    // After a restart, an earlier checkpoint could lead to a PUT that the server accepts, so no failure can be reported.
    case .ending: finish(.unknown(.journal), &step)
    default: break
    }
  }

  /// Ends the operation, because another process takes it over and reports the outcome.
  private mutating func leave(_ step: inout Step) {
    if case .ending = phase {} else { stopDeadline(&step) }
    cancelPending(&step)
    finish(.unknown(.fenced), &step)
  }
}
