internal import Futures

/// Finishes the orders of many drivers that a storage contains, until its task is cancelled.
///
/// It continues operations that an ended process has left, and delivers outcomes that were not delivered. It asks the server again for
/// an unknown outcome: a minute after it, then after twice the time, up to an hour. Any number of workers can share a PostgreSQL
/// database.
///
/// ```swift
/// let worker = OrderWorker<String>(storage: journal.storage) { driver, observer in
///   (http: .live(at: base, over: .curl(), token: tokens(driver)),
///    push: .live(host: "push.example", port: 7_001, over: .curl(), token: tokens(driver), observer: observer))
/// } deliver: { delivery in
///   try await store(delivery)
/// }
/// try await worker.run()
/// ```
///
/// **At least once.** A result, also a failure, is acknowledged when `deliver` returns. If it throws, the result is delivered again
/// after a pause. If the process ends first, another worker delivers it. An unknown outcome is delivered, and later its result.
///
/// **Stopping.** When its task is cancelled, the worker claims no more orders, waits for the operations under way, and after
/// ``WorkerPolicy/drainTime`` releases the rest, so that another worker continues them with the same keys.
public actor OrderWorker<Details: Sendable> {
  /// The connections of one driver.
  public typealias Clients = (http: OrderHTTPClient<Details>, push: PushClient)

  /// A result of an order.
  public struct Delivery: Sendable {
    public let order: OrderID
    public let driver: DriverID
    public let result: Result<AcceptedOrder<Details>, OrderTakingFailure>
  }

  private let storage: JournalStorage
  private let policy: WorkerPolicy
  private let timers: Timers
  private let makeClients: @Sendable (DriverID, Observer) -> Clients
  private let store: @Sendable (Delivery) async throws -> Void
  private let executor: (any TaskExecutor)?
  private let observer: Observer?
  private let counters = Metrics()

  private var takers: [DriverID: OrderTaker<Details>] = [:]
  private var underWay: [ListedRecord.ID: Task<Void, Never>] = [:]
  /// The driver whose orders were claimed last; the next claim begins after it.
  private var lastDriver: DriverID?
  private var isClaiming = false
  /// Whether the storage may have due orders for which there was no room.
  private var mayHaveMore = false
  /// Sends to the loop; `nil` without a run.
  private var send: AsyncStream<Signal>.Continuation?
  private var isStopping = false
  private var failureCount = 0
  private var lastError: JournalError?
  private var cancelTimer: (@Sendable () -> Void)?

  private enum Signal: Sendable {
    case mayBeDue
    case claimed([ListedRecord], JournalError?)
    case ended(ListedRecord.ID)
    case cancel(ListedRecord.ID)
    case stop
    case drained
  }

  /// Creates a worker; ``run()`` starts it.
  ///
  /// - Parameters:
  ///   - storage: The journals whose orders it finishes.
  ///   - policy: Its limits and times.
  ///   - timers: Its clock.
  ///   - observer: Receives its reports and those of its operations.
  ///   - clients: Returns the connections of a driver that has a due order. Pass the observer to the push client, so that
  ///     ``metrics()`` counts its connections.
  ///   - deliver: Stores an acceptance or a failure. It is called concurrently for different orders.
  public init(
    storage: JournalStorage, policy: WorkerPolicy = .standard, timers: Timers = .dispatch(), observer: Observer? = nil,
    clients: @escaping @Sendable (DriverID, Observer) -> Clients,
    deliver: @escaping @Sendable (Delivery) async throws -> Void
  ) {
    self.init(
      storage: storage, policy: policy, timers: timers, observer: observer, clients: clients, deliver: deliver,
      executor: nil)
  }

  /// Creates a worker whose tasks an executor runs, so that a simulation decides their order.
  package init(
    storage: JournalStorage, policy: WorkerPolicy, timers: Timers, observer: Observer? = nil,
    clients: @escaping @Sendable (DriverID, Observer) -> Clients,
    deliver: @escaping @Sendable (Delivery) async throws -> Void, executor: (any TaskExecutor)?
  ) {
    (self.storage, self.policy, self.timers, self.observer) = (storage, policy, timers, observer)
    (makeClients, store, self.executor) = (clients, deliver, executor)
  }

  /// Works until the task is cancelled; after an error of the storage, it reads the storage again after the policy's back-off.
  ///
  /// - Throws: A ``JournalError`` of the kind `foreign`, `otherServer` or `moved`, which no retry corrects, or of the kind `inUse`
  ///   if the worker runs already.
  public func run() async throws(JournalError) {
    guard send == nil else {
      throw JournalError(
        .inUse, "Cannot run the worker: it runs already. Wait until it has stopped, or create another one.")
    }
    let (signals, send) = AsyncStream.makeStream(of: Signal.self)
    (self.send, isStopping, isClaiming, lastError, failureCount) = (send, false, false, nil, 0)
    let unsubscribe = storage.subscribe { event in
      switch event {
      case .mayBeDue: send.yield(.mayBeDue)
      case .cancel(let order, let driver): send.yield(.cancel(ListedRecord.ID(driver: driver, order: order)))
      case .leases(let change, let count): self.report(.leases(change, count: count))
      }
    }
    // A task of its own, because the cancellation must not end its waits.
    let task = Task(executorPreference: executor) { await self.work(signals, send) }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      send.yield(.stop)
    }
    unsubscribe()
    self.send = nil
    if let lastError, lastError.isPermanent { throw lastError }
  }

  /// Returns the response to `GET /metrics`: the figures that show whether orders wait, and the counters of ``Metrics``.
  public func metrics() async -> String {
    var (text, isUp) = ("", lastError == nil)
    func add(_ name: String, _ help: String, _ samples: [(label: String, value: any CustomStringConvertible)]) {
      text += Metrics.metric(name, "gauge", help, samples)
    }
    do {
      let summary = try await storage.summary().value(orCancelled: .cancelled)
      add("lag_seconds", "How long the oldest due order has waited.", [("", summary.lag.secondsText)])
      add("due", "Due orders that no process works on.", [("", summary.dueCount)])
      let counts = TakingState.allCases.map { ($0, summary.counts[$0] ?? 0) }
      add("orders", "Orders by state.", counts.map { ("state=\"\($0.rawValue)\"", $1) })
    } catch { isUp = false }
    add("storage_up", "Whether the storage could be read.", [("", isUp ? 1 : 0)])
    add("under_way", "Orders that this worker works on.", [("", underWay.count)])
    return text + counters.text
  }

  private nonisolated func report(_ event: ObservedEvent) {
    observer?.receive(event)
    counters.count(event)
  }

  private func work(_ signals: AsyncStream<Signal>, _ send: AsyncStream<Signal>.Continuation) async {
    report(.worker(.started))
    claim()
    loop: for await signal in signals {
      switch signal {
      case .mayBeDue: claim()
      case .claimed(let records, let error): claimed(records, error)
      case .ended(let id): ended(id)
      case .cancel(let id): takers[id.driver]?.cancel(id.order)
      case .stop: stop()
      case .drained: break loop
      }
      if isStopping, underWay.isEmpty, !isClaiming { break }
    }
    cancelTimer?()
    report(.worker(.stopped(released: releaseRest())))
    send.finish()
    for await case .claimed(let records, _) in signals { release(records) }
  }

  // MARK: Claims

  private func claim() {
    guard !isStopping, let send else { return }
    let room = policy.maximumUnderWay - underWay.count
    guard !isClaiming, room > 0 else { return mayHaveMore = true }
    (isClaiming, mayHaveMore) = (true, false)
    let (last, orders) = (
      lastDriver, Dictionary(grouping: underWay.keys, by: \.driver).mapValues { Set($0.map(\.order)) }
    )
    Task(executorPreference: executor) { [storage, policy] in
      var (due, failure) = ([ListedRecord](), JournalError?.none)
      do throws(JournalError) {
        let drivers = try await storage.dueDrivers().get()
        let next = drivers.firstIndex { driver in last.map { driver > $0 } ?? true } ?? 0
        for driver in drivers[next...] + drivers[..<next] where due.count < room {
          let limit = min(policy.batch, room - due.count)
          let journal = storage.journal(driver)
          due += try await journal.dueRecords(limit, journal.claims.orders().union(orders[driver] ?? [])).get()
            .map { ListedRecord(driver: driver, record: $0) }
        }
      } catch { failure = error }
      if case .terminated = send.yield(.claimed(due, failure)) { self.release(due) }
    }
  }

  private func claimed(_ records: [ListedRecord], _ error: JournalError?) {
    isClaiming = false
    if let error { storageFailed(error) } else { storageRecovered() }
    if isStopping { return release(records) }
    for listed in records where underWay[listed.id] == nil { start(listed) }
    lastDriver = records.last?.driver ?? lastDriver
    // An order may have become due during the claim.
    if error == nil, !records.isEmpty || mayHaveMore { claim() }
  }

  private nonisolated func release(_ records: [ListedRecord]) {
    for listed in records { storage.journal(listed.driver).endClaim(nil, of: listed.record.intent.order) }
  }

  private func storageFailed(_ error: JournalError) {
    if error != lastError { report(.worker(.storageFailed(error))) }
    lastError = error
    failureCount += 1
    if error.isPermanent { stop() } else { wake(after: pause(after: failureCount)) }
  }

  private func storageRecovered() {
    if lastError != nil { report(.worker(.storageRecovered)) }
    (lastError, failureCount) = (nil, 0)
    wake(after: policy.pollInterval)
  }

  private func wake(after delay: Duration) {
    guard !isStopping else { return }
    cancelTimer?()
    cancelTimer = timers.schedule(delay) { [send] in send?.yield(.mayBeDue) }
  }

  private func pause(after failures: Int) -> Duration {
    let now = UInt64(bitPattern: timers.now().sinceBoot.wholeNanoseconds)
    return policy.retries.delay(after: failures, random: SplitMix64.mixed(now))
  }

  // MARK: Orders

  private func start(_ listed: ListedRecord) {
    let taker = takers[listed.driver] ?? makeTaker(of: listed.driver)
    takers[listed.driver] = taker
    let future = taker.resume(listed.record.intent)
    let isKnown = listed.record.state == .unknown && listed.record.isDelivered
    underWay[listed.id] = Task(executorPreference: executor) { [send] in
      await self.follow(future, of: listed.id, by: taker, isKnown: isKnown)
      send?.yield(.ended(listed.id))
    }
  }

  private func makeTaker(of driver: DriverID) -> OrderTaker<Details> {
    let observer = Observer { self.report($0.of(driver)) }
    let clients = makeClients(driver, observer)
    return OrderTaker(
      httpClient: clients.http, pushClient: clients.push, journal: storage.journal(driver), policy: policy.taking,
      timers: timers, deliveringOn: immediateExecutionContext, acknowledging: .explicit, worker: storage.name,
      observer: observer)
  }

  private func follow(
    _ future: OrderTaker<Details>.Outcome, of id: ListedRecord.ID, by taker: OrderTaker<Details>, isKnown: Bool
  ) async {
    let result = await withCheckedContinuation { continuation in
      future.onComplete(immediateExecutionContext) { continuation.resume(returning: $0) }
    }
    await finish(id, result, isKnown: isKnown)
    taker.release(id.order)
  }

  /// Delivers and acknowledges a result, or pauses if the order is still due, so that it is not continued at once.
  ///
  /// - Parameters:
  ///   - id: The order.
  ///   - result: The result.
  ///   - isKnown: Whether an unknown outcome of the order was delivered before.
  private func finish(
    _ id: ListedRecord.ID, _ result: Result<AcceptedOrder<Details>, OrderTakingFailure>, isKnown: Bool
  ) async {
    // Another worker or taker reports the result.
    if result.error?.outcome == .unknown(.fenced) || result.error?.journalError?.kind == .inUse { return }
    let journal = storage.journal(id.driver)
    var failure = result.error?.journalError
    do throws(JournalError) {
      // An outcome that the journal does not have is not delivered, because the order can still have another one.
      if let record = try await journal.record(id.order).value(orCancelled: .cancelled), record.isReported(by: result) {
        if !(isKnown && record.state == .unknown) {
          try await deliver(Delivery(order: id.order, driver: id.driver, result: result))
        }
        return try await journal.acknowledge(record).value(orCancelled: .cancelled)
      }
    } catch { failure = error }
    if let failure, !Task.isCancelled { storageFailed(failure) }
    try? await rest(policy.pollInterval)
  }

  /// Delivers a result until the closure returns.
  ///
  /// - Throws: If the task is cancelled.
  private func deliver(_ delivery: Delivery) async throws(JournalError) {
    var failures = 0
    while true {
      do {
        return try await store(delivery)
      } catch {
        report(.worker(.notDelivered(delivery.order, delivery.driver, error: "\(error)")))
      }
      failures += 1
      try await rest(pause(after: failures))
    }
  }

  /// - Throws: If the task is cancelled.
  private func rest(_ duration: Duration) async throws(JournalError) {
    let promise = Promise<Void, JournalError>()
    let cancel = timers.schedule(duration) { promise.success(()) }
    defer { cancel() }
    try await promise.future.value(orCancelled: .cancelled)
  }

  private func ended(_ id: ListedRecord.ID) {
    underWay[id] = nil
    if !underWay.keys.contains(where: { $0.driver == id.driver }) { takers[id.driver] = nil }
    // In batches, so that the storage is not read after each order.
    if mayHaveMore, underWay.count <= policy.maximumUnderWay / 2 { claim() }
  }

  // MARK: The stop

  private func stop() {
    guard !isStopping else { return }
    isStopping = true
    cancelTimer?()
    cancelTimer = timers.schedule(policy.drainTime) { [send] in send?.yield(.drained) }
    report(.worker(.stopping(underWay: underWay.count)))
  }

  /// Ends the remaining operations without an outcome, like a crash, and lets other processes continue them.
  private func releaseRest() -> Int {
    for (id, task) in underWay {
      takers[id.driver]?.operation(of: id.order)?.receive(.released)
      task.cancel()
      takers[id.driver]?.release(id.order)
    }
    defer { (underWay, takers) = ([:], [:]) }
    return underWay.count
  }
}

/// The limits and times of an ``OrderWorker``.
public struct WorkerPolicy: Hashable, Sendable {
  public var taking = TakingPolicy.standard
  /// The maximum number of one driver's orders that start before those of the next driver.
  public var batch = 32
  /// The maximum number of orders under way, including results that are not delivered.
  public var maximumUnderWay = 256
  /// Between two reads of the storage.
  public var pollInterval = Duration.seconds(10)
  /// The time that a stopping worker waits for the operations under way.
  public var drainTime = Duration.seconds(20)
  /// The wait after an error of the storage or of the closure that receives results.
  public var retries = Backoff.exponential(from: .seconds(1), atMost: .seconds(60))

  public init() {}

  public static let standard = WorkerPolicy()
}

extension JournalError {
  static let cancelled = JournalError(.storage, "The read of the storage was cancelled.")

  /// Whether no retry corrects it.
  var isPermanent: Bool { [.foreign, .otherServer, .moved].contains(kind) }
}

extension ObservedEvent {
  /// Returns the event with its driver.
  fileprivate func of(_ driver: DriverID) -> ObservedEvent {
    switch self {
    case .progress(var progress):
      progress.driver = driver
      return .progress(progress)
    case .request(var request):
      request.driver = driver.text
      return .request(request)
    case .connection(var connection):
      connection.driver = driver.text
      return .connection(connection)
    case .leases, .worker: return self
    }
  }
}
