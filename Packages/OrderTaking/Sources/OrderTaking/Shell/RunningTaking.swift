internal import Futures
internal import Synchronization

/// One operation under way, as far as its user's types are concerned: journal, requests, and those who wait.
///
/// `@unchecked Sendable`: as `TakingWorker`.
final class RunningTaking<OrderID: Hashable & Sendable, Details: Sendable>: TakingWorker, @unchecked Sendable {
  typealias Value = AcceptedOrder<OrderID, Details>
  typealias Watcher = AsyncStream<TakingProgress<OrderID>>.Continuation

  let order: OrderID
  let body: [UInt8]?
  private let core: TakingCore<OrderID, Details>

  // The lock's, as long as it is in `TakingShard.running`; then those of the one who delivers:
  @exclusivity(unchecked) private var promise: Promise<Value, OrderTakingFailure>?
  @exclusivity(unchecked) private var morePromises: [Promise<Value, OrderTakingFailure>] = []
  @exclusivity(unchecked) private var waiting = 0
  @exclusivity(unchecked) private var watchers: [Watcher] = []
  @exclusivity(unchecked) private var details: Details?

  // The worker's:
  @exclusivity(unchecked) private var record: TakingRecord<OrderID>

  /// - Parameter body: What its PUTs carry, if that is known before it is started.
  init(
    _ order: OrderID, body: [UInt8]?, under policy: TakingPolicy?, core: TakingCore<OrderID, Details>,
    lock: TakingLock
  ) {
    self.order = order
    self.body = body
    self.core = core
    // In the place of the one that it is started with.
    record = TakingRecord(intent: TakingIntent(order: order, key: IdempotencyKey(high: 0, low: 0)), begunAt: .zero)
    super.init(lock, core, policy)
  }

  /// A future of one's own: cancelling it ends the operation only when nobody else waits.
  ///
  /// To be called with the lock.
  func future() -> Future<Value, OrderTakingFailure> {
    let promise = Promise<Value, OrderTakingFailure>()
    waiting += 1
    if self.promise == nil { self.promise = promise } else { morePromises.append(promise) }
    // The operation is held by whatever keeps it going, and lets go of the promise at its end.
    promise.onCancel { self.waiterLeft() }
    return promise.future
  }

  private func waiterLeft() {
    let isLast = lock.withLock {
      waiting -= 1
      return waiting == 0
    }
    if isLast { receive(.cancel) }
  }

  /// To be called with the lock.
  func watch(_ watcher: Watcher) {
    watchers.append(watcher)
    isWatched.store(true, ordering: .relaxed)
  }

  // MARK: Starting, by the one who made it

  func startTaking(_ body: [UInt8]) {
    do throws(JournalError) {
      guard let known = try core.journal.record(order), !known.isSettled || known.isAccepted else {
        let intent = TakingIntent(order: order, key: core.makeKey(), body: body)
        return start(TakingRecord(intent: intent, begunAt: core.timers.now()), .begin)
      }
      guard known.intent.body == body else { return close(.failure(TakingCore<OrderID, Details>.otherBody(order))) }
      var renewed = known
      if !known.isAccepted, known.change != .accepted {
        // It is wanted anew: how old it is decides later whether its PUT can still be on its way.
        renewed.begunAt = core.timers.now()
        try core.journal.write(renewed)
      }
      start(renewed, .resume(last: known.change, isExpired: false, isLongPast: false))
    } catch {
      close(.failure(OrderTakingFailure(.journal, reason: "\(error)")))
    }
  }

  func startSettling() {
    do throws(JournalError) {
      guard let known = try core.journal.record(order) else {
        let reason = "Cannot reconcile order \(order): the journal has no record of it. Take it instead."
        return close(.failure(OrderTakingFailure(.journal, reason: reason)))
      }
      let isLongPast = core.policy.value.isLongPast(core.timers.now() - known.begunAt)
      start(known, .resume(last: known.change, isExpired: true, isLongPast: isLongPast))
    } catch {
      close(.failure(OrderTakingFailure(.journal, reason: "\(error)")))
    }
  }

  func startResuming() {
    do throws(JournalError) {
      // Again, because another call may have ended the order after `resume` read the records.
      guard let record = try core.journal.record(order) else {
        let reason = "Cannot resume order \(order): its record was removed from the journal. Take the order again."
        return close(.failure(OrderTakingFailure(.journal, reason: reason)))
      }
      if case .ended(let outcome) = record.change { return start(record, .announce(outcome)) }
      // A clock that was turned back makes a record younger, never older.
      let age = core.timers.now() - record.begunAt
      let policy = core.policy.value
      start(
        record,
        .resume(
          last: record.change, isExpired: policy.budget.map { age > $0 } ?? false,
          isLongPast: policy.isLongPast(age)))
    } catch {
      close(.failure(OrderTakingFailure(.journal, reason: "\(error)")))
    }
  }

  func start(_ record: TakingRecord<OrderID>, _ event: Event) {
    self.record = record
    start(event, record.intent.key, at: core.timers.now())
  }

  // MARK: Effects

  override func write(_ change: TakingChange) -> Bool {
    record.change = change
    record.isDelivered = false
    do throws(JournalError) { try core.journal.write(record) } catch { return false }
    return true
  }

  override func send(_ request: TakingRequest) -> Event? {
    switch request.kind {
    case .put: renewIfOld() ? follow(core.http.take(record.intent), request) : .answered(request, .failure(.notRenewed))
    case .get: follow(core.http.takingOperationStatus(record.intent), request)
    case .details: followDetails(core.http.acceptedOrderDetails(order), request)
    }
  }

  /// Makes the wish as young as its next PUT, when that is one that the taker's own rules would not send any more.
  ///
  /// By those rules another process judges whether a PUT can still be on its way.
  ///
  /// - Returns: Whether it may be sent.
  private func renewIfOld() -> Bool {
    guard let budget = core.policy.value.budget, core.timers.now() - record.begunAt > budget * 2 else { return true }
    var renewed = record
    renewed.begunAt = core.timers.now()
    do throws(JournalError) { try core.journal.write(renewed) } catch { return false }
    record = renewed
    return true
  }

  private func follow(_ future: Future<TakingAnswer, HTTPError>, _ request: TakingRequest) -> Event? {
    if let result = future.result { return .answered(request, result) }
    endRequest = { future.cancel() }
    future.onComplete(immediateExecutionContext) { self.receive(.answered(request, $0)) }
    return nil
  }

  private func followDetails(_ future: Future<Details, HTTPError>, _ request: TakingRequest) -> Event? {
    if let result = future.result { return event(request, result) }
    endRequest = { future.cancel() }
    future.onComplete(immediateExecutionContext) { self.receive(self.event(request, $0)) }
    return nil
  }

  private func event(_ request: TakingRequest, _ result: Result<Details, HTTPError>) -> Event {
    switch result {
    case .success(let details):
      lock.lock()
      if self.details == nil { self.details = details }
      lock.unlock()
      return .detailsArrived(request)
    case .failure(let error): return .detailsFailed(request, error)
    }
  }

  override func refreshToken(_ number: UInt32) -> Event? {
    let future = core.http.refreshToken()
    if let result = future.result { return .tokenRefreshed(number: number, succeeded: result.error == nil) }
    endRequest = { future.cancel() }
    future.onComplete(immediateExecutionContext) { result in
      self.receive(.tokenRefreshed(number: number, succeeded: result.error == nil))
    }
    return nil
  }

  override func tell(_ effect: TakingEffect) {
    guard let happening = TakingProgress<OrderID>.happening(effect) else { return }
    let progress = TakingProgress(order: order, at: core.timers.now(), happening: happening)
    core.log?(progress)
    guard isWatched.load(ordering: .relaxed) else { return }
    for watcher in lock.withLock({ watchers }) { watcher.yield(progress) }
  }

  override func finish(_ outcome: TakingOutcome) {
    if let failure = OrderTakingFailure(outcome) { return close(.failure(failure)) }
    lock.lock()
    let details = details
    lock.unlock()
    close(.success(AcceptedOrder(order: order, details: details)))
  }

  private func close(_ result: Result<Value, OrderTakingFailure>) {
    let shard = core.shard(of: order)
    shard.lock()
    shard.running.removeValue(forKey: OrderKey(order))
    shard.unlock()
    // Nobody can come to those who wait and watch any more.
    if isWatched.load(ordering: .relaxed) {
      for watcher in watchers { watcher.finish() }
      watchers = []
    }
    core.deliver { self.deliver(result) }
  }

  private func deliver(_ result: Result<Value, OrderTakingFailure>) {
    promise?.complete(result)
    for promise in morePromises { promise.complete(result) }
    // What cannot be noted is told once more after a restart.
    do throws(JournalError) { try core.journal.noteDelivery(record) } catch {}
  }
}

extension HTTPError {
  /// A PUT that was not sent, since the journal could not be told that one would be on its way so late.
  fileprivate static let notRenewed = HTTPError(.transport(mayHaveReachedServer: false))
}

extension TakingRecord {
  /// Whether the order is ours.
  fileprivate var isAccepted: Bool {
    if case .ended(.accepted) = change { true } else { false }
  }
}
