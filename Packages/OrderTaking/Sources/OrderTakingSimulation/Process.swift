internal import Futures
internal import OrderTaking

/// One process of the machine: an app with a real taker of each driver, or a real worker.
///
/// The closures of a dead process do nothing. `@unchecked Sendable`: only the thread of its world uses it.
final class Process: @unchecked Sendable, CustomStringConvertible {
  unowned let world: World
  private let number: Int
  var isAlive = true
  private var takers: [DriverID: OrderTaker<UInt64>] = [:]
  private var worker: Task<Void, Never>?
  let claims = OrderClaims()
  private var receiveEvent: ((StorageEvent) -> Void)?
  private(set) var receivePush: [DriverID: (PushedResult) -> Void] = [:]
  private var timerCallbacks: [(@Sendable () -> Void)?] = []
  private(set) var operations: [TakingID: Operation] = [:]
  /// The records as this process knows them: another process can have replaced one since.
  var lastRead: [TakingID: TakingRecord] = [:]
  /// How often a driver has returned to an order.
  private var returns: [TakingID: Int] = [:]
  private(set) var watched: Set<TakingID> = []
  var callCount = 0
  var lastCallAt: Int64 = 0

  var description: String { "process \(number)" }

  init(_ world: World, number: Int) { (self.world, self.number) = (world, number) }

  func start() {
    guard !world.hasWorker else { return startWorker() }
    for driver in World.drivers {
      let parts = parts(of: driver)
      takers[driver] = OrderTaker(
        httpClient: parts.http, pushClient: parts.push, journal: parts.journal, policy: parts.policy,
        timers: parts.timers, deliveringOn: { self.deliver($0) }, acknowledging: world.acknowledgement,
        makeKey: { self.world.makeKey() }, observer: Observer { self.note($0, driver) })
    }
    resume()
  }

  private func startWorker() {
    let parts = parts(of: World.drivers[0])
    var storage = JournalStorage.inMemory()
    storage.journal = { self.parts(of: $0).journal }
    storage.dueDrivers = { self.dueDrivers }
    storage.subscribe = { receive in
      self.receiveEvent = receive
      return {}
    }
    var policy = WorkerPolicy()
    (policy.taking, policy.pollInterval) = (parts.policy, .seconds(600))
    let worker = OrderWorker<UInt64>(
      storage: storage, policy: policy, timers: parts.timers,
      observer: Observer { self.note($0) },
      clients: { driver, _ in
        let parts = self.parts(of: driver)
        return (parts.http, parts.push)
      },
      deliver: { delivery in
        if self.isAlive, self.world.happens(.failedWrite) { throw Self.failure }
        if self.isAlive { _ = self.world.crashes(self) }
        self.receive(delivery.result, of: TakingID(driver: delivery.driver, order: delivery.order))
      },
      executor: world.executor)
    self.worker = Task(executorPreference: world.executor) { try? await worker.run() }
  }

  private func parts(of driver: DriverID) -> TakerParts {
    let push = PushClient { receive in
      self.receivePush[driver] = receive
      return {}
    }
    var parts = TakerParts(
      http: http(of: driver), push: push, journal: journal(of: driver), timers: timers, policy: world.policy)
    world.simulation.change?(&parts)
    return parts
  }

  /// Lets the calls under way fail, and a worker stop.
  func die() {
    isAlive = false
    worker?.cancel()
  }

  /// Ends the operations without effects, because their closures retain the process.
  func release() {
    // Those of a dead process have not fired, and its operations and its worker wait for them.
    for callback in timerCallbacks { callback?() }
    for taker in takers.values { for order in world.server.orders { taker.cancel(order) } }
    (takers, receivePush, receiveEvent, operations, timerCallbacks) = ([:], [:], nil, [:], [])
  }

  private var timers: Timers {
    Timers(
      schedule: { delay, callback in
        guard self.isAlive else {
          // A worker that stops waits for a timer.
          if self.world.hasEnded { self.world.plan(at: self.world.now, callback) }
          return {}
        }
        let number = self.timerCallbacks.count
        self.timerCallbacks.append(callback)
        let (seconds, attoseconds) = delay.components
        self.world.plan(at: self.world.now + seconds * World.second + attoseconds / World.second, in: .timer) {
          guard self.isAlive, let callback = self.timerCallbacks[number] else { return }
          self.timerCallbacks[number] = nil
          callback()
        }
        // A timer that is just firing cannot be stopped.
        return { if self.isAlive, !self.world.happens(.lateEvent) { self.timerCallbacks[number] = nil } }
      },
      now: { self.world.moment })
  }

  private func deliver(_ work: @escaping @Sendable () -> Void) {
    if isAlive, world.delaysDelivery { world.plan(within: 1, work) } else { work() }
  }

  // MARK: The drivers

  /// Takes an order again, or for the first time.
  func take(_ id: TakingID, reconciles: Bool = false) {
    guard isAlive, !isUnderWay(id) else { return }
    if let taker = takers[id.driver] {
      watch(reconciles ? taker.reconcile(id.order) : taker.take(id.order, body: [1]), id)
    } else {
      add(id)
    }
    planCancellation(of: id)
  }

  /// Leaves an order to the worker, unless an intent for it is not known to have failed.
  private func add(_ id: TakingID) {
    let known = world.disk.records[id]
    guard known.map({ $0.state == .failed && $0.isDelivered }) ?? true else { return }
    let intent = TakingIntent(order: id.order, key: world.makeKey(), body: [1])
    write(TakingRecord(intent: intent, begunAt: world.moment.sinceEpoch), of: id)
      .onSuccess(immediateExecutionContext) { self.receiveEvent?(.mayBeDue) }
  }

  func resume() {
    guard isAlive else { return }
    receiveEvent?(.mayBeDue)
    for driver in World.drivers {
      takers[driver]?.resume().onComplete(immediateExecutionContext) { result in
        guard self.isAlive else { return }
        if result.error != nil { self.world.plan(within: 10) { self.resume() } }
        for order in result.value ?? [] {
          let id = TakingID(driver: driver, order: order.order)
          self.watch(order.future, id)
          if self.world.random.next(below: 4) == 0 { self.planCancellation(of: id) }
        }
      }
    }
  }

  private func planCancellation(of id: TakingID) {
    guard world.happens(.cancel) else { return }
    world.plan(within: world.random.next(below: 2) == 0 ? 3 : 20) {
      guard self.isAlive else { return }
      self.world.note { "\(self), \(id.text): the driver cancels" }
      // The app may resume its orders at any time, also while an operation ends.
      if self.world.random.next(below: 4) == 0 { self.resume() }
      self.receiveEvent?(.cancel(id.order, id.driver))
      self.takers[id.driver]?.cancel(id.order)
    }
  }

  private func isUnderWay(_ id: TakingID) -> Bool { operations[id].map { $0.outcome == nil } ?? false }

  private func watch(_ future: OrderTaker<UInt64>.Outcome, _ id: TakingID) {
    watched.insert(id)
    future.onComplete(immediateExecutionContext) { self.receive($0, of: id) }
  }

  private func receive(_ result: Result<AcceptedOrder<UInt64>, OrderTakingFailure>, of id: TakingID) {
    guard isAlive else { return }
    watched.remove(id)
    world.check(result, of: id, by: self)
    // Another process may have recorded another outcome since then.
    if world.acknowledgement == .explicit { takers[id.driver]?.acknowledge(result, of: id.order) }
    // After the faults, a driver returns until the outcome is known.
    let isUnknown = result.error.map { $0.kind == .unknown || $0.kind == .journal } ?? false
    returns[id, default: 0] += 1
    let mayReturn = returns[id, default: 0] < 3 && (isUnknown || world.random.next(below: 4) == 0)
    guard isAlive, mayReturn || isUnknown && world.now > World.minute else { return }
    let reconciles = isUnknown && world.random.next(below: 2) == 0
    world.plan(within: world.now > World.minute ? 900 : 60) { self.world.process.take(id, reconciles: reconciles) }
  }

  // MARK: Operations

  /// Returns the operation under way, or a new one.
  func operation(of id: TakingID) -> Operation {
    if let operation = operations[id], operation.outcome == nil { return operation }
    let operation = Operation(
      number: world.checks.operations.count, id: id, process: self, at: world.now, after: lastRead[id])
    operations[id] = operation
    world.checks.operations.append(operation)
    return operation
  }

  private func note(_ event: ObservedEvent, _ driver: DriverID? = nil) {
    guard isAlive, case .progress(let progress) = event, let driver = driver ?? progress.driver else { return }
    let id = TakingID(driver: driver, order: progress.order)
    // A notice can follow the end.
    if case .report = progress.step, !isUnderWay(id) { return }
    let operation = operation(of: id)
    switch progress.step {
    case .send, .report, .finish: world.note { "\(operation): \(progress.step)" }
    default: break
    }
    if case .finish(let outcome) = progress.step { world.checkEnd(of: operation, as: outcome) }
  }
}
