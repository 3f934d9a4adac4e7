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

  // The lock's; as long as it is in `TakingShard.running`, those who wait and watch may become more:
  @exclusivity(unchecked) private var promise: Promise<Value, OrderTakingFailure>?
  @exclusivity(unchecked) private var morePromises: [Promise<Value, OrderTakingFailure>] = []
  @exclusivity(unchecked) private var waiting = 0
  @exclusivity(unchecked) private var watchers: [Watcher] = []
  @exclusivity(unchecked) private var details: Details?

  // The worker's:
  @exclusivity(unchecked) private var record: TakingRecord<OrderID>?

  init(
    _ order: OrderID, body: [UInt8]?, under policy: TakingPolicy?, core: TakingCore<OrderID, Details>,
    lock: TakingLock
  ) {
    self.order = order
    self.body = body
    self.core = core
    super.init(lock, core, policy)
  }

  /// A future of one's own: cancelling it ends the operation only when nobody else waits. To be called with the lock.
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
    startFromJournal { record in
      guard let record, !record.isSettled || record.isAccepted else {
        let intent = TakingIntent(order: order, key: core.makeKey(), body: body)
        return .success((TakingRecord(intent: intent, begunAt: core.timers.now()), .begin))
      }
      guard record.intent.body == body else { return .failure(TakingCore<OrderID, Details>.otherBody(order)) }
      return .success((record, .resume(last: record.change, isExpired: false)))
    }
  }

  func startSettling() {
    startFromJournal { record in
      guard let record else {
        return .failure(
          OrderTakingFailure(.journal, reason: "The journal has no record of order \(order). Take it instead."))
      }
      return .success((record, .resume(last: record.change, isExpired: true)))
    }
  }

  private func startFromJournal(
    _ choose: (TakingRecord<OrderID>?) -> Result<(TakingRecord<OrderID>, Event), OrderTakingFailure>
  ) {
    let chosen: Result<(TakingRecord<OrderID>, Event), OrderTakingFailure>
    do {
      chosen = choose(try core.journal.record(order))
    } catch {
      chosen = .failure(OrderTakingFailure(.journal, reason: "\(error)"))
    }
    switch chosen {
    case .success(let (record, event)): start(record, event)
    case .failure(let failure): close(.failure(failure))
    }
  }

  func start(_ record: TakingRecord<OrderID>, _ event: Event) {
    self.record = record
    start(event, record.intent.key, at: event.isBegin ? record.begunAt : core.timers.now())
  }

  // MARK: Effects

  override func write(_ change: TakingChange) -> Bool {
    record?.change = change
    record?.isDelivered = false
    guard let record else { return true }
    do {
      try core.journal.write(record)
      return true
    } catch {
      return false
    }
  }

  override func send(_ request: TakingRequest) -> Event? {
    guard let record else { return nil }
    switch request.kind {
    case .put: return follow(core.http.take(record.intent), request)
    case .get: return follow(core.http.takingOperationStatus(record.intent), request)
    case .details: return followDetails(core.http.acceptedOrderDetails(order), request)
    }
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
      lock.withLock { if self.details == nil { self.details = details } }
      return .detailsArrived(request)
    case .failure(let error): return .detailsFailed(request, error)
    }
  }

  override func refreshToken(_ number: UInt32) -> Event? {
    let future = core.http.refreshToken()
    if let result = future.result { return .tokenRefreshed(number: number, succeeded: result.error == nil) }
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
    close(.success(AcceptedOrder(order: order, details: lock.withLock { details })))
  }

  private func close(_ result: Result<Value, OrderTakingFailure>) {
    let (promise, more, watchers) = lock.withLock {
      core.shard(of: order).running[order] = nil
      defer { (self.promise, morePromises, self.watchers) = (nil, [], []) }
      return (self.promise, morePromises, self.watchers)
    }
    for watcher in watchers { watcher.finish() }
    let (record, journal) = (record, core.journal)
    core.deliver {
      promise?.complete(result)
      for promise in more { promise.complete(result) }
      // What cannot be noted is told again after a restart.
      if let record { try? journal.noteDelivery(record) }
    }
  }
}

extension TakingMachine.Event {
  fileprivate var isBegin: Bool {
    if case .begin = self { true } else { false }
  }
}

extension TakingRecord {
  /// Whether the order is ours.
  fileprivate var isAccepted: Bool {
    if case .ended(.accepted) = change { true } else { false }
  }
}
