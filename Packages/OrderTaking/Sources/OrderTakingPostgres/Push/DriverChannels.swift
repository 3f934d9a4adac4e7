internal import Dispatch
internal import Futures
internal import OrderTaking

/// `@unchecked Sendable`: all variables are used only on `queue`.
final class DriverChannels: @unchecked Sendable {
  typealias Connect =
    @Sendable (PushCheckpoint?, _ receive: @escaping @Sendable (ReceivedPush) -> Void) -> @Sendable () -> Void
  typealias Receive = @Sendable (_ order: String, StoredPush) -> Void

  private struct Subscriber {
    let number: Int
    let connect: Connect
    let receive: Receive
  }

  private let queue = DispatchQueue(label: "OrderTakingPostgres.channels")
  private let owner: String
  private let lease: Parameter
  private let pool: PostgresPool
  private var state = DriverState()
  private var subscribers: [DriverID: [Subscriber]] = [:]
  private var lastNumber = 0
  private var stops: [DriverID: @Sendable () -> Void] = [:]
  private var isClosed = false
  private var statementCount = 0
  private let closed = Promise<Void, Never>()

  init(owner: String, lease: Parameter, pool: PostgresPool) {
    (self.owner, self.lease, self.pool) = (owner, lease, pool)
  }

  deinit { for stop in stops.values { stop() } }

  /// A failed claim is not reported, so without this check, pushes would be missing without an error.
  static func checkPermissions(_ pool: PostgresPool) -> Future<Void, JournalError> {
    pool.run(.driverPermissions).mapError(immediateExecutionContext) {
      $0.journalError("read the permissions of the database")
    }.flatMapResult(immediateExecutionContext) { rows -> Result<Void, JournalError> in
      guard let row = rows.first, !row.flag(0), let role = row.text(1) else { return .success(()) }
      return .failure(
        JournalError(
          .storage,
          "Cannot use the database: the role \(role) may not read and write taking_drivers, so no push would arrive. "
            + "Run GRANT SELECT, INSERT, UPDATE ON taking_drivers TO \(role)."))
    }
  }

  func subscribe(_ driver: DriverID, _ connect: @escaping Connect, _ receive: @escaping Receive) -> @Sendable () -> Void
  {
    let number = Locked<Int?>(nil)
    queue.async {
      guard !self.isClosed else { return }
      self.lastNumber += 1
      number.withLock { [lastNumber = self.lastNumber] in $0 = lastNumber }
      self.subscribers[driver, default: []].append(
        Subscriber(number: self.lastNumber, connect: connect, receive: receive))
      self.change { $0.subscribe(driver) }
    }
    return { [weak self] in
      guard let self else { return }
      queue.async {
        self.subscribers[driver]?.removeAll { $0.number == number.withLock { $0 } }
        guard self.subscribers[driver]?.isEmpty == true else { return }
        self.subscribers[driver] = nil
        self.change { $0.unsubscribe(driver) }
      }
    }
  }

  func claim() { queue.async { self.change { $0.claim() } } }

  func deliver(_ push: StoredPush, of id: TakingID) {
    queue.async {
      for subscriber in self.subscribers[DriverID(id.driver)] ?? [] { subscriber.receive(id.order, push) }
    }
  }

  func close() -> Future<Void, Never> {
    queue.async {
      for driver in self.subscribers.keys { self.change { $0.unsubscribe(driver) } }
      (self.isClosed, self.subscribers) = (true, [:])
      if self.statementCount == 0 { self.closed.trySuccess(()) }
    }
    return closed.future
  }

  /// Closes the channels without releasing a driver, as the end of the process would.
  func crash() {
    queue.async {
      for stop in self.stops.values { stop() }
      (self.isClosed, self.subscribers, self.stops, self.state) = (true, [:], [:], DriverState())
    }
  }

  // MARK: On the queue

  private func change(_ body: (inout DriverState) -> Void) {
    body(&state)
    for effect in state.takeEffects() { perform(effect) }
  }

  private func perform(_ effect: DriverState.Effect) {
    switch effect {
    case .claim(let claims): claim(claims)
    case .open(let driver, let fence, let checkpoint):
      stops[driver] = subscribers[driver]?.first?.connect(checkpoint) { [weak self] push in
        guard let self else { return }
        queue.async { self.change { $0.received(push, of: driver, fence: fence) } }
      }
    case .close(let driver): stops.removeValue(forKey: driver)?()
    case .store(let push, let driver, let fence): store(push, driver, fence)
    case .release(let driver, let fence):
      run(.releaseDriver, [.text(owner), .text(driver.text), .integer(fence)]) { rows in
        if rows?.isEmpty == false { self.notify(.driverReleased) }
      }
    }
  }

  private func claim(_ claims: [DriverState.Claim]) {
    run(
      .claimDrivers, [.text(owner), lease, .texts(claims.map(\.driver.text)), .integers(claims.map(\.fence))]
    ) { rows in
      let owned = rows?.reduce(into: [DriverID: DriverState.Claimed]()) { owned, row in
        guard let driver = row.text(0), let fence = row.integer(1) else { return }
        let checkpoint = row.text(2).map { PushCheckpoint(epoch: $0, cursor: UInt64(clamping: row.integer(3) ?? 0)) }
        owned[DriverID(driver)] = DriverState.Claimed(fence: fence, checkpoint: checkpoint)
      }
      self.change { $0.claimed(claims, owned) }
    }
  }

  private func store(_ push: ReceivedPush, _ driver: DriverID, _ fence: Int64) {
    let reason: String? = if case .declined(let reason) = push.result { reason } else { nil }
    run(
      .storePush,
      [
        .text(owner), lease, .text(driver.text), .integer(fence), .flag(push.checkpoint != nil),
        .text(push.checkpoint?.epoch ?? ""), .integer(Int64(clamping: push.checkpoint?.cursor ?? 0)),
        .text(push.order), .text(push.key?.description ?? ""), .flag(reason != nil), .text(reason ?? ""),
      ]
    ) { rows in
      if rows?.first?.flag(0) == true { self.notify(.pushed(TakingID(driver: driver.text, order: push.order))) }
      self.change { $0.stored(driver, fence: fence, isStored: rows?.isEmpty == false) }
    }
  }

  private func notify(_ notification: Notification) { run(.notify, [.texts([notification.payload])]) { _ in } }

  private func run(_ statement: Statement, _ parameters: [Parameter], _ handle: @escaping @Sendable ([Row]?) -> Void) {
    statementCount += 1
    pool.run(statement, parameters).onComplete(immediateExecutionContext) { result in
      self.queue.async {
        handle(try? result.get())
        self.statementCount -= 1
        if self.isClosed, self.statementCount == 0 { self.closed.trySuccess(()) }
      }
    }
  }
}
