internal import Futures

/// One operation under way: its events, its record, its requests and its callers.
///
/// `@unchecked Sendable`: the shard's lock guards `mailbox`, `isWorking`, the callers, the body, the details and the
/// error of a write. The thread that removes the operation from the shard uses the callers after that. Only the thread
/// that has set `isWorking` uses the other fields. The lock passes them to the next thread.
final class RunningTaking<OrderID: Hashable & Sendable, Details: Sendable>: @unchecked Sendable {
  typealias Value = AcceptedOrder<OrderID, Details>

  let taker: OrderTaker<OrderID, Details>
  let shard: TakingShard<OrderID, Details>
  let policy: SharedPolicy

  @exclusivity(unchecked) var mailbox: [TakingEvent] = []
  @exclusivity(unchecked) var operation = TakingOperation(key: IdempotencyKey(high: 0, low: 0))
  @exclusivity(unchecked) var cancelPause: (@Sendable () -> Void)?
  @exclusivity(unchecked) var cancelTimeout: (@Sendable () -> Void)?
  @exclusivity(unchecked) var cancelDeadline: (@Sendable () -> Void)?
  @exclusivity(unchecked) var isWorking = true  // until the start

  let order: OrderID

  @exclusivity(unchecked) private(set) var body: [UInt8]?
  @exclusivity(unchecked) private var promise: Promise<Value, OrderTakingFailure>?
  @exclusivity(unchecked) private var morePromises: [Promise<Value, OrderTakingFailure>] = []
  @exclusivity(unchecked) private var details: Details?

  @exclusivity(unchecked) private var record: TakingRecord<OrderID>
  /// Whether the reported outcome is that of the record.
  ///
  /// Otherwise the record can contain an outcome that only another process knows.
  @exclusivity(unchecked) private var isReportedAsRecorded = false
  @exclusivity(unchecked) private var isRetrying = false
  @exclusivity(unchecked) private var waiterCount: UInt32 = 0
  /// The error of the last write, of type `any Error` because that needs least memory.
  @exclusivity(unchecked) private var writeError: (any Error)?
  @exclusivity(unchecked) private var cancelCurrentRequest: (@Sendable () -> Void)?

  init(
    _ order: OrderID, body: [UInt8]?, under policy: TakingPolicy?, taker: OrderTaker<OrderID, Details>,
    shard: TakingShard<OrderID, Details>
  ) {
    self.order = order
    self.body = body
    self.taker = taker
    self.shard = shard
    // A placeholder until the start.
    record = TakingRecord(intent: TakingIntent(order: order, key: IdempotencyKey(high: 0, low: 0)), begunAt: .zero)
    self.policy = policy.map { SharedPolicy($0) } ?? taker.environment.policy
  }

  func has(_ mistake: Mutant) -> Bool { policy.value.has(mistake) }

  func start(_ record: TakingRecord<OrderID>, _ event: TakingEvent) {
    self.record = record
    shard.withLock { if body == nil { body = record.intent.body } }
    operation = TakingOperation(key: record.intent.key, seed: record.intent.key.low)
    work(event)
  }

  // MARK: Callers. The shard's lock is held.

  /// Returns another future of the result.
  ///
  /// Cancelling it ends the operation only if it is the last one.
  func future() -> Future<Value, OrderTakingFailure> {
    let promise = Promise<Value, OrderTakingFailure>()
    waiterCount += 1
    if self.promise == nil { self.promise = promise } else { morePromises.append(promise) }
    // Its requests and timers retain the operation, which releases the promise at its end.
    promise.onCancel { self.waiterLeft() }
    return promise.future
  }

  private func waiterLeft() {
    let isLast = shard.withLock {
      waiterCount -= 1
      return waiterCount == 0
    }
    if isLast { receive(.cancel) }
  }

  // MARK: The journal

  func persist(_ checkpoint: TakingCheckpoint, at now: Moment) {
    record.checkpoint = checkpoint
    record.isDelivered = false
    if checkpoint == .begun { record.lastPutAt = now }
    taker.journal.write(record).onComplete(immediateExecutionContext) { result in
      switch result {
      case .success: self.receive(.persisted(checkpoint))
      case .failure(let error):
        self.shard.withLock { self.writeError = error }
        self.receive(.notPersisted(checkpoint, PersistenceFailure(error)))
      }
    }
  }

  func readRecord() {
    let written = record
    taker.journal.record(order).onComplete(immediateExecutionContext) { result in
      self.receive(.recordRead(written.checkpoint, isCurrent: result == .success(written)))
    }
  }

  // MARK: Requests

  func send(_ request: TakingRequest) {
    switch request.kind {
    case .put where has(.freshKeyForEachPut):
      follow(taker.http.take(TakingIntent(order: order, key: taker.makeKey(), body: record.intent.body)), request)
    case .put: follow(taker.http.take(record.intent), request)
    case .get: follow(taker.http.takingOperationStatus(record.intent), request)
    case .details: followDetails(taker.http.acceptedOrderDetails(order), request)
    }
  }

  private func follow(_ future: Future<TakingAnswer, HTTPError>, _ request: TakingRequest) {
    cancelCurrentRequest = { future.cancel() }
    observe(future, request)
    future.onComplete(immediateExecutionContext) { self.receive(.answered(request, $0)) }
  }

  private func followDetails(_ future: Future<Details, HTTPError>, _ request: TakingRequest) {
    cancelCurrentRequest = { future.cancel() }
    observe(future, request)
    future.onComplete(immediateExecutionContext) { result in
      switch result {
      case .success(let details):
        self.keep(details)
        self.receive(.detailsArrived(request))
      case .failure(let error): self.receive(.answered(request, .failure(error)))
      }
    }
  }

  private func observe<Answer>(_ future: Future<Answer, HTTPError>, _ request: TakingRequest) {
    guard let observer = taker.observer else { return }
    let (order, timers, timeout) = ("\(order)", taker.environment.timers, policy.value.requestTimeout)
    let start = timers.now().sinceBoot
    future.onComplete(immediateExecutionContext) { result in
      let duration = timers.now().sinceBoot - start
      let end: ObservedRequest.Result =
        switch result {
        case .success: .status(200)
        // The operation itself ends a request that takes too long.
        case .failure(.cancellation) where timeout.map { duration >= $0 } ?? false: .failed(.timedOut)
        case .failure(.cancellation): .cancelled
        case .failure(let error): .failed(error.kind)
        }
      observer.requestEnded(
        ObservedRequest(
          side: .client, route: request.kind.route, order: order, result: end, duration: duration))
    }
  }

  func refreshToken(_ number: UInt32) {
    let future = taker.http.refreshToken()
    cancelCurrentRequest = { future.cancel() }
    future.onComplete(immediateExecutionContext) { result in
      self.receive(.tokenRefreshed(number: number, failure: result.error))
    }
  }

  func cancelRequest() {
    cancelCurrentRequest?()
    releaseRequest()
  }

  func releaseRequest() {
    cancelCurrentRequest = nil
  }

  // MARK: Reports and the end

  func report(_ effect: TakingEffect, at now: Duration) {
    observeRetry(effect)
    guard let step = TakingProgress<OrderID>.step(effect) else { return }
    taker.log?(TakingProgress(order: order, at: now, step: step))
  }

  private func observeRetry(_ effect: TakingEffect) {
    switch effect {
    case .report(.failed): isRetrying = true
    case .send: isRetrying = false
    case .startTimer(.pause, let pause) where isRetrying:
      isRetrying = false
      taker.observer?.retryScheduled(ObservedRetry(order: "\(order)", pause: pause))
    default: break
    }
  }

  private func keep(_ details: Details) {
    shard.lock()
    if self.details == nil { self.details = details }
    shard.unlock()
  }

  func finish(_ outcome: TakingOutcome) {
    releaseRequest()
    isReportedAsRecorded = record.isEnd(with: outcome)
    shard.lock()
    let (details, writeError) = (details, writeError)
    shard.unlock()
    if let failure = OrderTakingFailure(outcome) { return close(.failure(failure.because(of: writeError))) }
    close(.success(AcceptedOrder(order: order, details: details)))
  }

  func close(_ result: Result<Value, OrderTakingFailure>) {
    shard.lock()
    shard.running.removeValue(forKey: OrderKey(order))
    shard.unlock()
    taker.deliver { self.deliver(result) }
  }

  private func deliver(_ result: Result<Value, OrderTakingFailure>) {
    if has(.acknowledgesBeforeDelivery) { _ = taker.journal.acknowledge(record) }
    promise?.complete(result)
    for promise in morePromises { promise.complete(result) }
    // If the acknowledgement fails, the outcome is delivered again after a restart.
    if taker.acknowledgement == .automatic, isReportedAsRecorded { _ = taker.journal.acknowledge(record) }
    // With explicit acknowledgement, the outcome stays with this process until the caller has it.
    if taker.acknowledgement == .automatic || !isReportedAsRecorded { taker.releaseIfIdle(order) }
  }
}

extension PersistenceFailure {
  fileprivate init(_ error: JournalError) {
    switch error.kind {
    case .unknownOutcome: self = .unknown
    case .fenced: self = .fenced
    default: self = .failed
    }
  }
}
