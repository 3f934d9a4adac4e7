internal import Dispatch
internal import Loopback
internal import OrderTaking
internal import OrderTakingDispatch

/// A write to the store waits for the disk, so it runs on `changes` and never under the lock.
///
/// `changes` runs one change at a time: decide, write, apply, push, respond. So writes, pushes and responses follow the
/// order of the decisions. Reads only take the lock.
final class OrderServerCore: Sendable {
  struct State {
    var orders: DispatchState
    var desk: PushDesk
    var dice: FaultDice
    var limits: RequestLimits
    var connections: [Int: LineConnection] = [:]
    /// The lines that wait for the next line to the same connection.
    var held: [Int: [ServerLine]] = [:]
    var generation = 0
    var isRestarting = false
    var hasEnded = false
    /// Whether the last entry could not be recorded, so that a lasting error is reported once.
    var isAuditFailing = false
    var driversBehind: Set<String> = []
    /// The errors of orders that cannot be decoded, so that each is reported once.
    var decodingErrors: Set<OrderStoreError> = []
    var onRestart: @Sendable () -> Void = {}
  }

  let configuration: OrderServer.Configuration
  let timers: Timers
  let log: (@Sendable (OrderServerEvent) -> Void)?
  let metrics = Metrics()
  let observer: Observer
  private let audit: AuditLog?
  let state: Locked<State>
  private let store: OrderStore
  private let epoch: String
  var shared: SharedOrders? { store.shared }
  /// The steps of the push channel with a shared store, which run one at a time.
  let pushSteps: AsyncStream<@Sendable (OrderServerCore) async -> Void>.Continuation
  private let changes = DispatchQueue(label: "OrderTaking.OrderServer.changes")

  init(
    _ configuration: OrderServer.Configuration, _ store: OrderStore, _ timers: Timers,
    makeEpoch: @Sendable () -> String, log: (@Sendable (OrderServerEvent) -> Void)?, observer: Observer?,
    audit: AuditLog?
  ) throws(OrderStoreError) {
    self.configuration = configuration
    let counting = Observer.counting(in: metrics)
    self.observer = observer.map { .all(counting, $0) } ?? counting
    self.audit = audit
    self.store = store
    self.timers = timers
    self.log = log
    let contents = try store.load()
    let orders = DispatchState(configuration, contents)
    let newEpoch = contents.epoch ?? makeEpoch()
    try store.save(orders.all, newEpoch)
    // Another server can have saved its epoch first.
    epoch = store.shared == nil ? newEpoch : try store.load().epoch ?? newEpoch
    let (steps, pushSteps) = AsyncStream.makeStream(of: (@Sendable (OrderServerCore) async -> Void).self)
    self.pushSteps = pushSteps
    state = Locked(
      State(
        orders: orders, desk: PushDesk(epoch: epoch, silenceTimeout: configuration.silenceTimeout),
        dice: FaultDice(configuration.faults, seed: configuration.seed),
        limits: RequestLimits(configuration)))
    for (order, delay) in orders.undecided { scheduleDecision(order, after: delay) }
    scheduleHeartbeat()
    guard let shared = store.shared else { return }
    Task { [weak self] in
      for await step in steps {
        guard let self else { return }
        await step(self)
      }
    }
    shared.listen { [weak self] in self?.notified($0, in: shared) }
  }

  deinit { pushSteps.finish() }

  var orders: DispatchState { state.withLock { $0.orders } }

  func whenRestartIsDue(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onRestart = body } }

  /// Call it on `changes` only.
  ///
  /// - Returns: `false` if the change could not be stored. Then it is not applied.
  func make(_ change: DispatchState.Entry, recording entry: AuditEntry?) -> Bool {
    do throws(OrderStoreError) { try store.save([change], epoch) } catch {
      report(.storingFailed(error))
      return false
    }
    if let entry { record(entry) }
    state.withLock { state in
      state.orders.apply(change)
      if let push = OrderPush(change) {
        perform(state.desk.handle(.decided(push), state.orders, at: timers.now()), &state)
      }
    }
    return true
  }

  /// Call it on `changes` only.
  func record(_ entry: AuditEntry) {
    do throws(OrderStoreError) {
      try audit?.record(entry)
      state.withLock { $0.isAuditFailing = false }
    } catch {
      let isFirst = state.withLock { state in
        defer { state.isAuditFailing = true }
        return !state.isAuditFailing
      }
      if isFirst { report(.auditFailed(error)) }
    }
  }

  func report(_ event: OrderServerEvent) {
    state.withLock { _ in log?(event) }
  }

  func afterChanges<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in changes.async { continuation.resume(returning: body()) } }
  }

  // MARK: Time

  func scheduleDecision(_ order: String, after delay: Duration) {
    later(delay) { core in
      if let shared = core.shared {
        Task { await core.decide(order, in: shared) }
        return
      }
      core.changes.async {
        let change = core.state.withLock { $0.hasEnded ? nil : $0.orders.decide(order) }
        guard let change else { return }
        let entry = AuditEntry(decided: change, at: core.timers.now().sinceEpoch)
        if !core.make(change, recording: entry) { core.scheduleDecision(order, after: .seconds(1)) }
      }
    }
  }

  func scheduleHeartbeat() {
    later(max(configuration.heartbeat, .milliseconds(1))) { core in
      if let shared = core.shared { return core.tick(in: shared) }
      core.tick()
      if !core.state.withLock({ $0.hasEnded }) { core.scheduleHeartbeat() }
    }
  }

  func tick() {
    state.withLock { state in perform(state.desk.handle(.tick, state.orders, at: timers.now()), &state) }
  }

  func later(_ delay: Duration, _ body: @escaping @Sendable (OrderServerCore) -> Void) {
    _ = timers.schedule(delay) { [weak self] in
      if let self { body(self) }
    }
  }

  func pause(_ duration: Duration) async {
    await withCheckedContinuation { continuation in _ = timers.schedule(duration) { continuation.resume() } }
  }
}

// MARK: Restart and stop

extension OrderServerCore {
  func reload() async {
    await afterChanges { [self] in
      let orders: DispatchState
      do throws(OrderStoreError) { orders = DispatchState(configuration, try store.load()) } catch {
        // Every change is stored before it is applied, so the state in memory is the stored one.
        report(.storingFailed(error))
        orders = self.orders
      }
      state.withLock { state in
        state.orders = orders
        state.desk = PushDesk(epoch: epoch, silenceTimeout: configuration.silenceTimeout)
        state.connections = [:]
        state.held = [:]
      }
    }
  }

  func restarted() {
    state.withLock { $0.isRestarting = false }
    report(.restarted)
  }

  func stopping() {
    state.withLock { state in perform(state.desk.handle(.stopping, state.orders, at: timers.now()), &state) }
  }

  /// Closes the store after all earlier changes, and returns after that.
  func end() async { await afterChanges { self.close() } }

  /// Closes the store after all earlier changes, and returns at once.
  func endSoon() { changes.async { self.close() } }

  private func close() {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    guard isFirst else { return }
    pushSteps.finish()
    store.close()
  }
}

extension DispatchState {
  fileprivate init(_ configuration: OrderServer.Configuration, _ contents: OrderStore.Contents) {
    self.init(configuration, offers: configuration.offers, contents.entries)
  }

  init(_ configuration: OrderServer.Configuration, offers: [OfferedOrder] = [], _ entries: [Entry]) {
    self.init(
      offers, credentials: configuration.credentials, keyLifetime: configuration.keyLifetime,
      pushHistory: configuration.pushHistory)
    let cursor = { (entry: Entry) in entry.taking?.cursor ?? 0 }
    for entry in entries.sorted(by: { cursor($0) < cursor($1) }) { apply(entry) }
  }
}
