internal import Dispatch
internal import Foundation
internal import Futures
internal import OrderTaking

/// `@unchecked Sendable`: `lock` guards `state`, `promises`, `lastTicket`, `isClosed` and `claimCount`.
final class Worker: @unchecked Sendable {
  typealias Reply = Future<TakingRow?, JournalError>

  let name = "\(hostName()):\(getpid()):\(UUID().uuidString.prefix(8))"
  private let configuration: PostgresConfiguration
  /// The time of a lease, in microseconds.
  private let lease: Parameter
  private let timers: Timers
  private let retention: JournalRetention
  private let cancel: @Sendable (TakingID) -> Void
  private let wake: @Sendable () -> Void
  private let observer: Observer?
  private let lock = NSLock()
  private var state: WorkerState
  private var promises: [Int: Promise<TakingRow?, JournalError>] = [:]
  private var lastTicket = 0
  private var isClosed = false
  private var claimCount = 0
  private let claimsEnded = Promise<Void, PostgresError>()
  /// Completes the futures, so that callbacks do not delay the connections.
  private let completions = DispatchQueue(label: "OrderTakingPostgres.completions")
  private let pool: PostgresPool
  let channels: DriverChannels

  init(
    _ configuration: PostgresConfiguration, retention: JournalRetention, timers: Timers,
    cancel: @escaping @Sendable (TakingID) -> Void, wake: @escaping @Sendable () -> Void,
    observer: Observer?
  ) {
    var configuration = configuration
    configuration.lease = max(.milliseconds(100), configuration.lease)
    configuration.claimInterval = max(.milliseconds(10), configuration.claimInterval)
    (self.configuration, self.retention, self.timers) = (configuration, retention, timers)
    lease = .integer(configuration.lease.wholeNanoseconds / 1_000)
    (self.cancel, self.wake, self.observer) = (cancel, wake, observer)
    state = WorkerState(claimTimeLimit: configuration.claimTimeLimit)
    // The pool is created before the worker is complete, and keeps no reference to it.
    let receiver = NotificationReceiver()
    pool = PostgresPool(configuration, channel: Notification.channel) { receiver.receive($0) }
    channels = DriverChannels(owner: name, lease: lease, pool: pool)
    receiver.set { [weak self] in self?.received($0) }
  }

  deinit { pool.close() }

  // MARK: Requests

  func add(_ kind: WorkerState.Request.Kind, of id: TakingID) -> Reply {
    let promise = Promise<TakingRow?, JournalError>()
    let isAccepted = change { state in
      guard !isClosed else { return false }
      lastTicket += 1
      promises[lastTicket] = promise
      state.add(lastTicket, kind, of: id, at: timers.now().sinceBoot)
      return true
    }
    return isAccepted ? promise.future : Future(error: .closed)
  }

  func claimDue(of driver: String) -> Future<[(order: String, row: TakingRow)], JournalError> {
    guard beginClaim() else { return Future(error: .closed) }
    let held = lock.withLock {
      state.holdings.keys.filter { $0.driver.utf8.elementsEqual(driver.utf8) }.map(\.order)
    }
    return pool.run(
      .claimDue, [.text(name), .text(driver), lease, .integer(Int64(configuration.claimCount)), .texts(held)]
    )
    .onFailure(immediateExecutionContext) { _ in self.endClaim([:]) }
    .mapError(immediateExecutionContext) { JournalError(.storage, $0.journalError("claim due orders").description) }
    .flatMapResult(immediateExecutionContext) { rows -> Result<[(order: String, row: TakingRow)], JournalError> in
      var claimed: [TakingID: WorkerState.Claimed] = [:]
      var orders: [(order: String, row: TakingRow)] = []
      for row in rows {
        guard let order = row.text(0), let claim = WorkerState.Claimed(row, from: 1), let record = claim.row else {
          continue
        }
        claimed[TakingID(driver: driver, order: order)] = claim
        orders.append((order, record))
      }
      self.change { $0.opened(claimed) }
      guard self.endClaim(claimed.mapValues(\.fence)) else { return .failure(.closedEarly) }
      return .success(orders.sorted { ($0.row.begunAt, $0.order) < ($1.row.begunAt, $1.order) })
    }
  }

  /// The order is not released, because a release notifies all workers, which would claim it again at once.
  func abandon(_ id: TakingID) { change { $0.abandon(id) } }

  func requestCancel(_ id: TakingID) -> Future<Bool, JournalError> {
    pool.run(.cancel, [.text(id.driver), .text(id.order)]).map(immediateExecutionContext) { !$0.isEmpty }
      .mapError(immediateExecutionContext) { $0.journalError("request the cancellation of order \(id.order)") }
  }

  func close() -> Future<Void, JournalError> {
    let (acknowledgements, waiting): ([Acknowledgement], [Promise<TakingRow?, JournalError>]) = lock.withLock {
      guard !isClosed else { return ([], []) }
      isClosed = true
      defer { (promises, state) = ([:], WorkerState(claimTimeLimit: configuration.claimTimeLimit)) }
      return (
        state.holdings.map { Acknowledgement(id: $0.key, fence: $0.value.fence, isReleased: true) },
        Array(promises.values)
      )
    }
    completions.async { for promise in waiting { promise.failure(.closedEarly) } }
    completeClaims()
    let released = acknowledge(acknowledgements)
    let closed: Future<Void, PostgresError> = channels.close().promoteError()
    return claimsEnded.future.flatMap(immediateExecutionContext) { closed }
      .flatMap(immediateExecutionContext) { released }
      .map(immediateExecutionContext) { _ in }
      .andThen(immediateExecutionContext) { _ in self.pool.close() }
      .mapError(immediateExecutionContext) {
        $0.journalError("release the orders of this worker", "Other workers can take them over when the leases end.")
      }
  }

  private func beginClaim() -> Bool {
    lock.withLock {
      if !isClosed { claimCount += 1 }
      return !isClosed
    }
  }

  /// The end of the worker has not released the orders of a late answer, so this releases them.
  @discardableResult
  private func endClaim(_ claimed: [TakingID: Int64]) -> Bool {
    let isClosed = lock.withLock { self.isClosed }
    let late = isClosed ? claimed.map { Acknowledgement(id: $0.key, fence: $0.value, isReleased: true) } : []
    acknowledge(late).onComplete(immediateExecutionContext) { _ in
      self.lock.withLock { self.claimCount -= 1 }
      self.completeClaims()
    }
    return !isClosed
  }

  private func completeClaims() {
    if lock.withLock({ isClosed && claimCount == 0 }) { claimsEnded.tryComplete(.success(())) }
  }

  func crash() {
    lock.withLock { isClosed = true }
    channels.crash()
    pool.close()
  }

  // MARK: Times and notifications

  func start() {
    _ = timers.schedule(configuration.lease / 3) { [weak self] in
      guard let self, !self.lock.withLock({ self.isClosed }) else { return }
      self.change { $0.renewalIsDue() }
      self.channels.claim()
      self.removeOld()
      self.start()
    }
  }

  func startWakeUps() {
    _ = timers.schedule(configuration.claimInterval) { [weak self] in
      guard let self, !self.lock.withLock({ self.isClosed }) else { return }
      self.completions.async { self.wake() }
      self.startWakeUps()
    }
  }

  func dueDrivers() -> Future<[String], JournalError> {
    pool.run(.dueDrivers).map(immediateExecutionContext) { $0.compactMap { $0.text(0) } }
      .mapError(immediateExecutionContext) { $0.journalError("list the drivers with due orders") }
  }

  func removeOld() {
    // Without a limit, only placeholders are removed.
    let age = retention.deliveredRecords.map(\.wholeNanoseconds) ?? .max / 2
    pool.run(.remove, [.integer(age), .integer(Int64(WorkerState.batch))])
      .onSuccess(immediateExecutionContext) { [weak self] rows in
        if rows.count >= WorkerState.batch { self?.removeOld() }
      }
  }

  private func received(_ payload: String?) {
    guard let payload else {
      // Any order may have been released in the gap.
      change { $0.released("") }
      channels.claim()
      return completions.async { self.wake() }
    }
    switch Notification(payload) {
    case .released(let prefix): change { $0.released(prefix) }
    case .due: completions.async { self.wake() }
    case .cancel(name): change { $0.renewalIsDue() }
    case .pushed(let prefixes): change { $0.pushed(prefixes) }
    case .driverReleased: channels.claim()
    case .cancel, nil: break
    }
  }

  // MARK: Effects

  @discardableResult
  private func change<Value>(_ body: (inout WorkerState) -> Value) -> Value {
    let (value, effects): (Value, [WorkerState.Effect]) = lock.withLock {
      let value = body(&state)
      // Results that arrive after the end change nothing.
      guard !isClosed else { return (value, []) }
      let effects = state.takeEffects()
      // With the lock, so that results of one order are delivered in their order.
      for case .complete(let ticket, let result) in effects {
        guard let promise = promises.removeValue(forKey: ticket) else { continue }
        completions.async { promise.complete(result) }
      }
      return (value, effects)
    }
    for effect in effects { perform(effect) }
    return value
  }

  private func perform(_ effect: WorkerState.Effect) {
    switch effect {
    case .complete: break
    case .claim(let id, let isOwned): claim(id, isOwned: isOwned)
    case .write(let writes): write(writes)
    case .acknowledge(let acknowledgements):
      acknowledge(acknowledgements).onComplete(immediateExecutionContext) { result in
        self.change { $0.acknowledged(acknowledgements, result) }
      }
    case .renew(let held): renew(held)
    case .cancel(let id): completions.async { self.cancel(id) }
    case .push(let id, let push): channels.deliver(push, of: id)
    case .observe(let leases): observer?.leasesChanged(leases)
    case .startPolling:
      _ = timers.schedule(configuration.claimInterval) { [weak self] in
        guard let self else { return }
        let now = self.timers.now().sinceBoot
        self.change { $0.poll(at: now) }
      }
    }
  }

  private func claim(_ id: TakingID, isOwned: Bool) {
    guard beginClaim() else { return }
    pool.run(isOwned ? .claimOwned : .claim, [.text(name), .text(id.driver), .text(id.order), lease])
      .map(immediateExecutionContext) { rows in rows.first.flatMap { WorkerState.Claimed($0, from: 0) } }
      .onComplete(immediateExecutionContext) { result in
        self.change { $0.claimed(id, isOwned: isOwned, result) }
        let claimed = (try? result.get()).flatMap(\.self)
        self.endClaim(claimed.map { [id: $0.fence] } ?? [:])
      }
  }

  private func write(_ writes: [Write]) {
    let rows = writes.map(\.row)
    let put = { (index: Int) in Parameter.integers(rows.map { $0.lastPut.isEmpty ? nil : $0.lastPut[index] }) }
    pool.run(
      .write,
      [
        .text(name), lease, .texts(writes.map(\.id.driver)), .texts(writes.map(\.id.order)),
        .integers(writes.map(\.fence)), .texts(rows.map(\.key)), .blobs(rows.map(\.body)), .texts(rows.map(\.change)),
        .texts(rows.map(\.detail)), .integers(rows.map(\.begunAt)), put(0), put(1), put(2),
        .flags(rows.map(\.isDelivered)),
      ]
    ).onComplete(immediateExecutionContext) { result in
      self.change { $0.wrote(writes, result.map { Set($0.compactMap(TakingID.init)) }) }
    }
  }

  private func acknowledge(_ acknowledgements: [Acknowledgement]) -> Future<Set<TakingID>, PostgresError> {
    guard !acknowledgements.isEmpty else { return Future(value: []) }
    return pool.run(
      .acknowledge,
      [
        .text(name), .texts(acknowledgements.map(\.id.driver)), .texts(acknowledgements.map(\.id.order)),
        .integers(acknowledgements.map(\.fence)), .texts(acknowledgements.map { $0.delivered?.key ?? "" }),
        .texts(acknowledgements.map { $0.delivered?.change ?? "" }),
        .texts(acknowledgements.map { $0.delivered?.detail ?? "" }),
        .flags(acknowledgements.map(\.isReleased)),
      ]
    ).map(immediateExecutionContext) { rows in
      let released = rows.filter { $0.flag(2) }
      if !released.isEmpty {
        var notes = released.compactMap { $0.text(1) }.map {
          Notification.released(prefix: Notification.prefix(of: $0))
        }
        if released.contains(where: { $0.flag(3) }) { notes.append(.due) }
        _ = self.pool.run(.notify, [.texts(notes.map(\.payload))])
      }
      return Set(rows.compactMap(TakingID.init))
    }
  }

  private func renew(_ held: [TakingID: Int64]) {
    let held = Array(held)
    pool.run(
      .renew,
      [
        .text(name), lease, .texts(held.map(\.key.driver)), .texts(held.map(\.key.order)), .integers(held.map(\.value)),
      ]
    ).onComplete(immediateExecutionContext) { result in
      let owned = result.map { rows in
        rows.reduce(into: [TakingID: WorkerState.Renewed]()) { owned, row in
          guard let id = TakingID(row) else { return }
          owned[id] = WorkerState.Renewed(isCancelRequested: row.flag(2), push: StoredPush(row, from: 3))
        }
      }
      self.change { $0.renewed(Dictionary(uniqueKeysWithValues: held.map { ($0.key, $0.value) }), owned) }
    }
  }
}

private func hostName() -> String {
  var bytes = [CChar](repeating: 0, count: 256)
  gethostname(&bytes, bytes.count - 1)
  return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension TakingID {
  fileprivate init?(_ row: Row) {
    guard let driver = row.text(0), let order = row.text(1) else { return nil }
    self.init(driver: driver, order: order)
  }
}

extension JournalError {
  fileprivate static let closed = JournalError(.storage, "Cannot use the journal: it is closed. Open it again.")

  fileprivate static let closedEarly = JournalError(
    .unknownOutcome, "Cannot finish a call of the journal: it was closed. Open it again, and read the record.")
}
