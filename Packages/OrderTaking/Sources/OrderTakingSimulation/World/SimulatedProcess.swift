internal import Futures
internal import OrderTaking

/// `@unchecked Sendable`: only the thread that runs the world uses it.
final class SimulatedProcess: @unchecked Sendable {
  enum Call {
    case write(TakingRecord<Int>, operation: Int, Promise<Void, JournalError>)
    case acknowledge(TakingRecord<Int>, Promise<Void, JournalError>)
    case read(order: Int, operation: Int?, Promise<TakingRecord<Int>?, JournalError>)
    case open(Promise<[TakingRecord<Int>], JournalError>)
  }

  unowned let world: World
  let device: Int
  let number: Int
  @exclusivity(unchecked) private(set) var isAlive = true
  @exclusivity(unchecked) private(set) var taker: OrderTaker<Int, UInt64>?
  @exclusivity(unchecked) var operations: [Int?]
  @exclusivity(unchecked) private(set) var receivePush: ((PushedResult<Int>) -> Void)?
  @exclusivity(unchecked) var calls: [Call] = []
  @exclusivity(unchecked) var answers: [Int: () -> Void] = [:]
  @exclusivity(unchecked) var performedCalls = 0
  @exclusivity(unchecked) var deliveries: [() -> Void] = []
  @exclusivity(unchecked) private var isAcknowledging = false

  init(_ world: World, device: Int, number: Int) {
    self.world = world
    self.device = device
    self.number = number
    operations = Array(repeating: nil, count: world.orders)
    let taker = OrderTaker(
      httpClient: httpClient, pushClient: pushClient, journal: journal, policy: world.policy, timers: timers,
      deliveringOn: { self.deliver($0) }, acknowledging: world.acknowledgement,
      makeKey: { self.world.makeKey(for: self) },
      log: { if self.isAlive { self.world.log($0, of: self) } })
    if let observe = world.observe { taker.observe { if self.isAlive { observe($0, $1, $2) } } }
    self.taker = taker
  }

  func acknowledge(_ result: Result<AcceptedOrder<Int, UInt64>, OrderTakingFailure>, of order: Int) {
    isAcknowledging = true
    taker?.acknowledge(result, of: order)
    isAcknowledging = false
  }

  /// The closures of a dead process do nothing.
  func die() {
    isAlive = false
    world.dead.append(self)
  }

  /// Releases the memory of a dead process: ends its operations without effects, because their closures retain them.
  func release() {
    while let call = calls.popLast() {
      switch call {
      case .write(_, _, let promise), .acknowledge(_, let promise): promise.failure(Self.failure)
      case .read(_, _, let promise): promise.failure(Self.failure)
      case .open(let promise): promise.failure(Self.failure)
      }
    }
    for answer in answers.sorted(by: { $0.key < $1.key }) { answer.value() }
    answers = [:]
    for order in operations.indices { taker?.cancel(order) }
    while let delivery = deliveries.popLast() { delivery() }
    taker = nil
    receivePush = nil
  }

  static let failure = JournalError(.storage, "")

  // MARK: The dependencies of the taker

  private var httpClient: OrderHTTPClient<Int, UInt64> {
    OrderHTTPClient(
      take: { self.taking(.put, $0) },
      takingOperationStatus: { self.taking(.get, $0) },
      acceptedOrderDetails: { order in
        let promise = Promise<UInt64, HTTPError>()
        if self.isAlive { self.world.send(.details, order, key: nil, from: self, .details(promise)) }
        return promise.future
      },
      refreshToken: {
        let promise = Promise<Void, HTTPError>()
        if self.isAlive { self.world.refreshToken(for: self, promise) }
        return promise.future
      })
  }

  private func taking(_ kind: TakingRequest.Kind, _ intent: TakingIntent<Int>) -> Future<TakingAnswer, HTTPError> {
    let promise = Promise<TakingAnswer, HTTPError>()
    if isAlive { world.send(kind, intent.order, key: intent.key, from: self, .taking(promise)) }
    return promise.future
  }

  private var pushClient: PushClient<Int> {
    PushClient { receive in
      self.receivePush = receive
      return {}
    }
  }

  private var timers: Timers {
    Timers(
      schedule: { delay, callback in
        guard self.isAlive else { return {} }
        return self.world.startTimer(of: self, after: delay, callback)
      },
      now: { self.world.moment(of: self.device) })
  }

  private func deliver(_ work: @escaping @Sendable () -> Void) {
    guard isAlive, world.delaysDelivery else { return work() }
    deliveries.append(work)
    world.plan(.delivery(process: number), within: 1)
  }

  private var journal: Journal<Int> {
    Journal(
      write: { self.write($0) }, record: { self.read($0) }, openRecords: { self.open() },
      acknowledge: { self.noteDelivery($0) })
  }

  private func write(_ record: TakingRecord<Int>) -> Future<Void, JournalError> {
    guard isAlive else { return Future(value: ()) }
    let promise = Promise<Void, JournalError>()
    call(.write(record, operation: world.operation(record.intent.order, of: self), promise))
    return promise.future
  }

  private func read(_ order: Int) -> Future<TakingRecord<Int>?, JournalError> {
    guard isAlive else { return Future(error: Self.failure) }
    let promise = Promise<TakingRecord<Int>?, JournalError>()
    call(.read(order: order, operation: isAcknowledging ? nil : world.operation(order, of: self), promise))
    return promise.future
  }

  private func open() -> Future<[TakingRecord<Int>], JournalError> {
    guard isAlive else { return Future(error: Self.failure) }
    let promise = Promise<[TakingRecord<Int>], JournalError>()
    call(.open(promise))
    return promise.future
  }

  private func noteDelivery(_ record: TakingRecord<Int>) -> Future<Void, JournalError> {
    guard isAlive else { return Future(value: ()) }
    world.acknowledges(record, self)
    let promise = Promise<Void, JournalError>()
    call(.acknowledge(record, promise))
    return promise.future
  }

  private func call(_ call: Call) {
    calls.append(call)
    let isSlow = world.random.happens(world.faults[.slowWrite])
    if world.hasFastDisks, !isSlow, calls.count == 1 { return world.performJournalCall(of: self) }
    world.plan(.journalCall(process: number), within: isSlow ? 20 : 1)
  }
}
