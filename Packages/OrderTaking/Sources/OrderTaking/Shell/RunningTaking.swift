internal import Futures

/// One operation under way: feeds events to the machine, one at a time, and performs what it asks for.
///
/// Whoever brings an event when nobody is at work does the work; everybody else leaves the event in the mailbox. So no
/// lock is held while effects are performed, they may bring events at once, and an operation that polls for ever uses no
/// stack.
///
/// `@unchecked Sendable`: `shared` has a lock of its own. What is marked *the worker's* is touched only by the thread that
/// has set `isAtWork`, which passes from one thread to the next under that lock.
final class RunningTaking<OrderID: Hashable & Sendable, Details: Sendable>: @unchecked Sendable {
  typealias Operation = TakingOperation<OrderID, Details>
  typealias Event = TakingEvent<OrderID, Details>

  struct Shared {
    var mailbox: [Event] = []
    /// At first the one who made it is at work, until it has been started.
    var isAtWork = true
    var hasEnded = false
    var watchers: [AsyncStream<TakingProgress<OrderID>>.Continuation] = []
  }

  let order: OrderID
  let body: [UInt8]?
  private let begunAt: Duration
  private let core: TakingCore<OrderID, Details>
  private let policy: TakingPolicy
  private let promise = Promise<AcceptedOrder<OrderID, Details>, OrderTakingFailure>()
  private let shared = Locked(Shared())

  // The worker's:
  private var operation: Operation?
  private var record: TakingRecord<OrderID>?
  private var pauseTimer: (@Sendable () -> Void)?
  private var requestTimer: (@Sendable () -> Void)?
  private var budgetTimer: (@Sendable () -> Void)?
  private var endRequest: (@Sendable () -> Void)?

  init(_ order: OrderID, body: [UInt8]?, under policy: TakingPolicy, core: TakingCore<OrderID, Details>) {
    self.order = order
    self.body = body
    self.policy = policy
    self.core = core
    begunAt = core.timers.now()
    // Weakly: the promise is the operation's own, and whatever keeps the operation going holds it.
    promise.onCancel { [weak self] in self?.receive(.cancel) }
  }

  /// A future of one's own: cancelling it ends the operation only when nobody else waits.
  var future: Future<AcceptedOrder<OrderID, Details>, OrderTakingFailure> {
    promise.future.map(immediateExecutionContext) { $0 }
  }

  func watch(_ continuation: AsyncStream<TakingProgress<OrderID>>.Continuation) {
    let isLate = shared.withLock { shared in
      if !shared.hasEnded { shared.watchers.append(continuation) }
      return shared.hasEnded
    }
    if isLate { continuation.finish() }
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
    operation = Operation(record.intent, seed: record.intent.key.low)
    shared.withLock { $0.mailbox.insert(event, at: 0) }
    work()
  }

  // MARK: Events and effects

  func receive(_ event: Event) {
    let isMine = shared.withLock { shared in
      shared.mailbox.append(event)
      defer { shared.isAtWork = true }
      return !shared.isAtWork
    }
    if isMine { work() }
  }

  private func work() {
    var effects: [TakingEffect] = []
    while let events = takeEvents() {
      for event in events { handle(event, &effects) }
    }
  }

  private func takeEvents() -> [Event]? {
    shared.withLock { shared in
      guard !shared.mailbox.isEmpty else {
        shared.isAtWork = false
        return nil
      }
      defer { shared.mailbox = [] }
      return shared.mailbox
    }
  }

  private func handle(_ event: Event, _ effects: inout [TakingEffect]) {
    var event: Event? = event
    while let next = event {
      event = nil
      operation?.handle(next, under: policy, into: &effects)
      for effect in effects {
        guard case .record(let change) = effect else {
          perform(effect)
          continue
        }
        if !write(change) {
          event = .recordingFailed(change)
          if change == .begun { break }
        }
      }
      effects.removeAll(keepingCapacity: true)
    }
  }

  private func write(_ change: TakingChange) -> Bool {
    record?.change = change
    guard let record else { return true }
    do {
      try core.journal.write(record)
      return true
    } catch {
      return false
    }
  }

  private func perform(_ effect: TakingEffect) {
    if let happening = TakingProgress<OrderID>.happening(effect) { tell(happening) }
    switch effect {
    case .send(let request): send(request)
    case .abandon:
      endRequest?()
      endRequest = nil
    case .record, .report: break
    case .refreshToken(let number):
      core.http.refreshToken().onComplete(immediateExecutionContext) { result in
        self.receive(.tokenRefreshed(number: number, succeeded: result.error == nil))
      }
    case .startTimer(let timer, let delay):
      let cancel = core.timers.schedule(delay) { self.receive(.timerFired(timer)) }
      keep(cancel, for: timer)
    case .stopTimer(let timer): keep(nil, for: timer)
    case .finish(let outcome):
      let details = operation?.details
      close(
        OrderTakingFailure(outcome).map { .failure($0) } ?? .success(AcceptedOrder(order: order, details: details)))
    }
  }

  private func send(_ request: TakingRequest) {
    guard let intent = record?.intent else { return }
    switch request.kind {
    case .put: follow(core.http.take(intent)) { .answered(request, $0) }
    case .get: follow(core.http.takingOperationStatus(intent)) { .answered(request, $0) }
    case .details: follow(core.http.acceptedOrderDetails(order)) { .detailsAnswered(request, $0) }
    }
  }

  /// Reports how a request ended, and can end it.
  private func follow<Value>(
    _ future: Future<Value, HTTPError>, _ event: @escaping @Sendable (Result<Value, HTTPError>) -> Event
  ) {
    endRequest = { future.cancel() }
    future.onComplete(immediateExecutionContext) { self.receive(event($0)) }
  }

  private func keep(_ cancel: (@Sendable () -> Void)?, for timer: TakingTimer) {
    switch timer {
    case .pause:
      if cancel == nil { pauseTimer?() }
      pauseTimer = cancel
    case .request:
      if cancel == nil { requestTimer?() }
      requestTimer = cancel
    case .budget:
      if cancel == nil { budgetTimer?() }
      budgetTimer = cancel
    }
  }

  private func tell(_ happening: TakingProgress<OrderID>.Happening) {
    let now = core.timers.now()
    core.counters.withLock { $0.count(happening, age: now - begunAt) }
    let watchers = shared.withLock { $0.watchers }
    guard core.log != nil || !watchers.isEmpty else { return }
    let progress = TakingProgress(order: order, at: now, happening: happening)
    core.log?(progress)
    for watcher in watchers { watcher.yield(progress) }
  }

  private func close(_ result: Result<AcceptedOrder<OrderID, Details>, OrderTakingFailure>) {
    core.remove(self)
    let watchers = shared.withLock { shared in
      shared.hasEnded = true
      defer { shared.watchers = [] }
      return shared.watchers
    }
    for watcher in watchers { watcher.finish() }
    let promise = promise
    core.deliver { promise.complete(result) }
  }
}

extension TakingRecord {
  /// Whether the order is ours.
  fileprivate var isAccepted: Bool {
    if case .ended(.accepted) = change { true } else { false }
  }
}
