internal import Futures

/// One operation under way: its events, its record, its requests and its callers.
///
/// A thread that delivers an event does the work, unless another thread is working on the operation. Then it leaves the event in
/// the mailbox of that thread. Effects are performed without a lock, and an effect can cause an event immediately.
///
/// `@unchecked Sendable`: the lock of the taker guards the fields of the first two groups. Only the thread that has set
/// `isWorking` uses the others, and the lock passes them to the next thread.
final class RunningTaking<Details: Sendable>: @unchecked Sendable {
  typealias Value = AcceptedOrder<Details>

  private let taker: OrderTaker<Details>
  /// The policy of this call, if it has one; a closure, because most operations share the large value of the taker.
  private let ownPolicy: (@Sendable () -> TakingPolicy)?
  private let order: OrderID
  private let claim: OrderClaims.Claim

  private var mailbox: [TakingEvent] = []
  private var isWorking = true  // until the start
  private var details: Details?

  // Callers.
  /// The body in the record, and before it is read, that of the first call.
  private(set) var body: [UInt8]?
  private(set) var hasReadRecord = false
  private var callsAfterRead: [@Sendable () -> Void] = []
  private var promises: [Promise<Value, OrderTakingFailure>] = []
  private var waiterCount = 0

  private var operation = TakingOperation(key: IdempotencyKey(high: 0, low: 0))
  /// The record as it was last written, or read at the start; a placeholder before.
  private var record: TakingRecord
  // The attempt, in fewer bytes than a copy of the record's list.
  private var startedAt = Duration.zero
  private var requestCount: Int32 = 0
  private var hasRecordedAttempt = false
  private var lastError: String?
  private var writeError: JournalError?
  private var cancelRequest: (@Sendable () -> Void)?
  /// The timer of the request or of the pause.
  private var cancelTimer: (@Sendable () -> Void)?
  private var cancelDeadline: (@Sendable () -> Void)?

  init(
    _ order: OrderID, body: [UInt8]?, under policy: TakingPolicy?, taker: OrderTaker<Details>, claim: OrderClaims.Claim
  ) {
    (self.order, self.body, self.taker, self.claim) = (order, body, taker, claim)
    ownPolicy = policy.map { policy in { @Sendable in policy } }
    record = TakingRecord(intent: TakingIntent(order: order, key: operation.key), begunAt: .zero)
  }

  private var policy: TakingPolicy { ownPolicy?() ?? taker.policy }

  /// Returns another future of the result; called with the lock.
  ///
  /// Cancelling it ends the operation only if it is the last one.
  func future() -> Future<Value, OrderTakingFailure> {
    let promise = Promise<Value, OrderTakingFailure>()
    waiterCount += 1
    promises.append(promise)
    // Its requests and timers retain the operation, which releases the promise at its end.
    promise.onCancel {
      let isLast = self.taker.running.withLock { _ in
        self.waiterCount -= 1
        return self.waiterCount == 0 && self.callsAfterRead.isEmpty
      }
      if isLast { self.receive(.cancel) }
    }
    return promise.future
  }

  /// Makes a call when the record was read, or the operation has ended without it; called with the lock.
  ///
  /// The call may have another body than the record.
  func afterRead(_ call: @escaping @Sendable () -> OrderTaker<Details>.Outcome) -> OrderTaker<Details>.Outcome {
    let promise = Promise<Value, OrderTakingFailure>()
    callsAfterRead.append {
      // Its caller has cancelled.
      if promise.future.isCompleted { return }
      let future = call().onComplete(immediateExecutionContext) { promise.complete($0) }
      promise.onCancel { future.cancel() }
    }
    return promise.future
  }

  /// Reads the record, also for an order that is resumed: another call may have ended it since its record was listed.
  func start(for purpose: TakingPurpose) {
    startedAt = taker.timers.now().sinceEpoch
    taker.journal.record(order).onComplete(immediateExecutionContext) { [self] result in
      let event: TakingEvent
      switch (result, purpose) {
      case (.success(let known), .take) where known.map { $0.hasKnownOutcome && !$0.isAccepted } ?? true:
        let intent = TakingIntent(order: order, key: taker.makeKey(), body: body ?? [])
        record = TakingRecord(intent: intent, begunAt: startedAt, attempts: known?.attempts ?? [])
        event = .begin
      case (.success(let known?), .take) where known.intent.body != body ?? []:
        return close(.failure(OrderTakingFailure(kind: .keyMismatch)))
      // Another taker or worker has delivered the outcome since the order was listed.
      case (.success(let known?), .recover) where !known.needsResuming:
        return close(.failure(OrderTakingFailure(kind: .unknown, journalError: .claimed(order))))
      case (.success(let known?), _):
        record = known
        // The age limit counts from this call, so that a restart may put the order again.
        if purpose == .take, !known.isAccepted { record.begunAt = startedAt }
        event = .resume(known, purpose)
      case (.success(nil), _): return close(.failure(OrderTakingFailure(kind: .journal)))
      case (.failure(let error), .take):
        return close(.failure(OrderTakingFailure(kind: .journal, journalError: error)))
      // An earlier operation may have sent a request.
      case (.failure(let error), _):
        return close(.failure(OrderTakingFailure(kind: .unknown, journalError: error)))
      }
      operation = TakingOperation(key: record.intent.key, seed: record.intent.key.low)
      let calls = taker.running.withLock { _ in
        (body, hasReadRecord) = (record.intent.body, true)
        return callsAfterRead
      }
      for call in calls { call() }
      let isAbandoned = taker.running.withLock { _ in
        callsAfterRead = []
        return waiterCount == 0
      }
      // All callers have cancelled, and no call has joined.
      if isAbandoned { receive(.cancel) }
      work(event)
    }
  }

  // MARK: Events and effects

  func receive(_ event: TakingEvent) {
    let isBusy = taker.running.withLock { _ in
      if isWorking { mailbox.append(event) }
      defer { isWorking = true }
      return isWorking
    }
    if !isBusy { work(event) }
  }

  private func work(_ first: TakingEvent) {
    var next: TakingEvent? = first
    while let event = next {
      let now = taker.timers.now()
      for effect in operation.handle(event, at: now, under: policy) { perform(effect, at: now) }
      next = taker.running.withLock { _ in
        isWorking = !mailbox.isEmpty
        if isWorking { return mailbox.removeFirst() }
        // A waiting operation needs no buffer, so its memory is released.
        mailbox = []
        return nil
      }
    }
  }

  private func perform(_ effect: TakingEffect, at now: Moment) {
    if let observer = taker.observer {
      observer.receive(.progress(TakingProgress(order: order, at: now.sinceEpoch, step: effect)))
    }
    switch effect {
    case .persist(let checkpoint):
      record.note(checkpoint, at: now)
      let attempt = TakingAttempt(
        worker: taker.worker, startedAt: startedAt, lastChangeAt: now.sinceEpoch, requestCount: Int(requestCount),
        lastError: lastError)
      record.note(attempt, isNew: !hasRecordedAttempt)
      hasRecordedAttempt = true
      taker.journal.write(record).onComplete(immediateExecutionContext) { result in
        self.receive(result.error.map { .notPersisted(checkpoint, $0) } ?? .persisted(checkpoint))
      }
    case .readRecord:
      let written = record
      taker.journal.record(order).onComplete(immediateExecutionContext) { result in
        self.receive(.recordRead(written.checkpoint, isCurrent: result == .success(written)))
      }
    case .send(let request): send(request)
    case .abandon:
      cancelRequest?()
      cancelRequest = nil
    case .startTimer(let timer, let delay):
      // A pause follows a request that has ended.
      if case .pause = timer { cancelRequest = nil }
      let cancel = taker.timers.schedule(delay) { self.receive(.timerFired(timer)) }
      if timer == .deadline { cancelDeadline = cancel } else { cancelTimer = cancel }
    case .stopTimer(.deadline):
      cancelDeadline?()
      cancelDeadline = nil
    case .stopTimer:
      cancelTimer?()
      cancelTimer = nil
    case .report(.failed(_, let error)): lastError = "\(error)"
    case .report(.notPersisted(_, let error)): (lastError, writeError) = ("\(error)", error)
    case .report: break
    case .finish(let outcome): finish(outcome)
    }
  }

  // MARK: Requests

  private func send(_ request: TakingRequest) {
    if request.kind != .token { requestCount += 1 }
    switch request.kind {
    case .put: follow(taker.http.take(record.intent), request) { .answered($0, $1) }
    case .get: follow(taker.http.takingOperationStatus(record.intent), request) { .answered($0, $1) }
    case .details:
      follow(taker.http.acceptedOrderDetails(order), request) { request, result in
        switch result {
        case .success(let details):
          self.taker.running.withLock { _ in if self.details == nil { self.details = details } }
          return .arrived(request)
        case .failure(let error): return .answered(request, .failure(error))
        }
      }
    case .token:
      follow(taker.http.refreshToken(), request) { request, result in
        result.error.map { .answered(request, .failure($0)) } ?? .arrived(request)
      }
    }
  }

  private func follow<Answer>(
    _ future: Future<Answer, HTTPError>, _ request: TakingRequest,
    _ event: @escaping @Sendable (TakingRequest, Result<Answer, HTTPError>) -> TakingEvent
  ) {
    cancelRequest = { future.cancel() }
    let start = taker.observer == nil ? .zero : taker.timers.now().sinceBoot
    future.onComplete(immediateExecutionContext) { result in
      if let observer = self.taker.observer { self.report(result.error, of: request, since: start, to: observer) }
      self.receive(event(request, result))
    }
  }

  private func report(_ error: HTTPError?, of request: TakingRequest, since start: Duration, to observer: Observer) {
    let duration = taker.timers.now().sinceBoot - start
    let result: ObservedRequest.Result =
      switch error {
      case nil: .status(200)
      // The operation itself ends a request that takes too long.
      case .cancellation? where policy.requestTimeout.map { duration >= $0 } ?? false: .failed(.timedOut)
      case .cancellation?: .cancelled
      case let error?: .failed(error.kind)
      }
    observer.receive(
      .request(
        ObservedRequest(
          side: .client, route: request.kind.rawValue, order: order.text, result: result, duration: duration)))
  }

  // MARK: The end

  private func finish(_ outcome: TakingOutcome) {
    cancelRequest = nil
    let details = taker.running.withLock { _ in self.details }
    // An earlier error of the journal does not explain another outcome.
    let isOfJournal = outcome == .unrecorded || outcome == .unknown(.journal)
    let failure = OrderTakingFailure(
      outcome, key: record.intent.key, journalError: isOfJournal ? writeError : nil,
      lastError: isOfJournal ? nil : record.attempts.last?.lastError)
    // Otherwise the record can contain an outcome that only another process knows.
    let isRecorded = record.checkpoint == .ended(outcome)
    close(
      failure.map { .failure($0) } ?? .success(AcceptedOrder(order: order, details: details)),
      toAcknowledge: isRecorded ? record : nil)
  }

  private func close(_ result: Result<Value, OrderTakingFailure>, toAcknowledge record: TakingRecord? = nil) {
    let isExplicit = taker.acknowledgement == .explicit
    let (promises, calls, record) = taker.running.withLock { running in
      running[order] = nil
      // Callers that have cancelled do not have the outcome, so it is delivered later.
      let record = waiterCount > 0 ? record : nil
      taker.journal.claims.operationEnded(claim, of: order, unacknowledged: isExplicit ? record : nil)
      return (self.promises, callsAfterRead, record)
    }
    taker.context { [self] in
      let isAwaited = taker.running.withLock { _ in waiterCount > 0 }
      let isReceived = promises.count { $0.tryComplete(result) } > 0 && isAwaited
      // All callers may have cancelled since the end.
      let record = isReceived ? record : nil
      // If the acknowledgement fails, the outcome is delivered again after a restart.
      if !isExplicit, let record { _ = taker.journal.acknowledge(record) }
      if !isExplicit || record == nil { taker.journal.endClaim(claim, of: order) }
    }
    for call in calls { call() }
  }
}
