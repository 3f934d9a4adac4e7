internal import OrderTaking

/// `@unchecked Sendable`: only the thread that called `run` uses a world and its processes.
///
/// Exclusive access to its properties is not checked at run time, because the checks take a fifth of the time.
final class World: @unchecked Sendable {
  static let second: Int64 = 1_000_000_000

  struct Device {
    var disk: SimulatedDisk
    var owner: SimulatedProcess?
    var bootAt: Int64 = -5_000_000_000
    var boot: UInt64 = 1
    var clockError: Int64 = 0
    var slept: Int64 = 0
    var sleepsUntil: Int64 = 0
    /// The number of times that the driver returns to each order.
    var patience: [Int]
    var reports: [Report] = []
  }

  struct Report: Equatable {
    let key: IdempotencyKey?
    let checkpoint: TakingCheckpoint
  }

  struct Operation {
    let process: Int
    let order: Int
    var key: IdempotencyKey?
    var begunAt: Int64?
    var stored: TakingCheckpoint?
    var mayPut = false
    var hasFailedWrite = false
    var hasPut = false
    var isFenced = false
    var hasEnded = false
    var isWatched = false
    var ends = 0
    var outcome: TakingOutcome?
  }

  @exclusivity(unchecked) var simulation = Simulation(seed: 0)
  @exclusivity(unchecked) var faults = Faults.none
  @exclusivity(unchecked) var policy = TakingPolicy.standard
  @exclusivity(unchecked) var acknowledgement = ResultAcknowledgement.automatic
  @exclusivity(unchecked) var hasFastDisks = false
  @exclusivity(unchecked) var delaysDelivery = false
  @exclusivity(unchecked) var random = SplitMix64(seed: 0)
  @exclusivity(unchecked) var trace: ((String) -> Void)?
  @exclusivity(unchecked) var observe: (@Sendable (TakingPhase, TakingEvent, TakingPhase) -> Void)?

  @exclusivity(unchecked) var now: Int64 = 0
  @exclusivity(unchecked) var agenda = Agenda()
  @exclusivity(unchecked) var orders = 0
  @exclusivity(unchecked) var devices: [Device] = []
  @exclusivity(unchecked) var processes: [SimulatedProcess] = []
  @exclusivity(unchecked) var dead: [SimulatedProcess] = []
  @exclusivity(unchecked) var operations: [Operation] = []
  @exclusivity(unchecked) var timers: [(@Sendable () -> Void)?] = []
  @exclusivity(unchecked) var lastKey: UInt64 = 0
  @exclusivity(unchecked) var beginning: Int?

  @exclusivity(unchecked) var server = SimulatedServer()
  @exclusivity(unchecked) var requests: [Request] = []
  @exclusivity(unchecked) var answers: [Answer] = []
  @exclusivity(unchecked) var pushes: [PushedResult<Int>] = []
  @exclusivity(unchecked) var undecided: [String] = []

  @exclusivity(unchecked) var acceptances: [Acceptance] = []
  @exclusivity(unchecked) var failures: [(operation: Int, kind: OrderTakingFailure.Kind)] = []
  @exclusivity(unchecked) var violations: [Violation] = []
  @exclusivity(unchecked) var hash: UInt64 = 0
  @exclusivity(unchecked) var events = 0
  @exclusivity(unchecked) var crashes = 0
  @exclusivity(unchecked) var crashPoints = 0

  func run(_ simulation: Simulation, trace: ((String) -> Void)?) -> SimulationReport {
    begin(simulation, trace)
    // A world that does not end violates an invariant. The limit is far above the number of events in any other world.
    while events < 200_000, let entry = agenda.removeFirst() {
      now = entry.time
      if simulation.mode == .liveness, now > World.second * 60 { faults = .none }
      guard !isAsleep(entry.occurrence) else { continue }
      events += 1
      hash = SplitMix64.mixed(hash ^ UInt64(bitPattern: now) &+ entry.ticket << 40)
      note { describe(entry.occurrence) }
      perform(entry.occurrence)
      releaseDead()
    }
    end()
    for process in processes where process.isAlive { process.die() }
    releaseDead()
    return SimulationReport(
      seed: simulation.seed, operations: operations.count, events: events, crashes: crashes, crashPoints: crashPoints,
      hash: hash, violations: violations)
  }

  private func releaseDead() {
    while let process = dead.popLast() { process.release() }
  }

  private func begin(_ simulation: Simulation, _ trace: ((String) -> Void)?) {
    self.simulation = simulation
    self.trace = trace
    random = SplitMix64(seed: simulation.seed)
    faults = simulation.faults.drawn(using: &random)
    (now, lastKey, hash, events, crashes, crashPoints) = (0, 0, SplitMix64.mixed(simulation.seed), 0, 0, 0)
    agenda.removeAll()
    processes.removeAll(keepingCapacity: true)
    operations.removeAll(keepingCapacity: true)
    timers.removeAll(keepingCapacity: true)
    requests.removeAll(keepingCapacity: true)
    answers.removeAll(keepingCapacity: true)
    pushes.removeAll(keepingCapacity: true)
    undecided.removeAll(keepingCapacity: true)
    acceptances.removeAll(keepingCapacity: true)
    failures.removeAll(keepingCapacity: true)
    violations.removeAll()
    drawPolicy()
    orders = 1 + random.next(below: 4)
    hasFastDisks = random.next(below: 3) == 0
    delaysDelivery = random.next(below: 4) == 0
    acknowledgement = random.next(below: 4) == 0 ? .explicit : .automatic
    server.reset(orders: orders, using: &random, seed: simulation.seed)
    let device = Device(
      disk: SimulatedDisk(orders: orders), patience: Array(repeating: 2, count: orders))
    devices = [device, device]
    for device in devices.indices { begin(device) }
  }

  private func begin(_ device: Int) {
    if random.next(below: 8) == 0 { devices[device].boot = 0 }
    for order in 0..<orders where random.next(below: 4) > 0 { plan(.take(device: device, order: order), within: 10) }
    if random.next(below: 4) == 0 { plan(.resume(device: device), within: 30) }
    for fault in [Fault.powerFailure, .clockJump, .suspension, .duplicateProcess] where random.happens(faults[fault]) {
      plan(.mishap(device: device, fault), within: 60)
    }
    start(device)
  }

  private func drawPolicy() {
    policy = TakingPolicy.standard
    policy.delayBeforeFirstGet = .seconds(random.next(below: 9))
    if random.next(below: 3) == 0 { policy.retries = .constant(.milliseconds(500)) }
    if random.next(below: 4) == 0 { policy.requestTimeout = .seconds(2) }
    if random.next(below: 4) == 0 { policy.attempts = 3 }
    if random.next(below: 4) == 0 { policy.deadline = .seconds(20) }
    if simulation.mode == .liveness { (policy.deadline, policy.attempts) = (nil, nil) }
    #if DEBUG
      policy.mutant = simulation.mutant
    #endif
  }

  private func perform(_ occurrence: Occurrence) {
    switch occurrence {
    case .take(let device, let order): take(device, order)
    case .reconcile(let device, let order): reconcile(device, order)
    case .cancel(let operation): cancel(operation)
    case .resume(let device): if let owner = devices[device].owner { resume(owner) }
    case .start(let device): if devices[device].owner?.isAlive != true { start(device) }
    case .timer(let process, let number, _):
      guard processes[process].isAlive, let callback = timers[number] else { return }
      timers[number] = nil
      callback()
    case .journalCall(let process): performJournalCall(of: processes[process])
    case .journalAnswer(let process, let number): answerJournalCall(of: processes[process], number)
    case .delivery(let process):
      let process = processes[process]
      if process.isAlive, !process.deliveries.isEmpty { process.deliveries.removeFirst()() }
    case .request(let number): serve(number)
    case .answer(let request, let answer): deliver(answers[answer], to: request)
    case .push(let device, let number):
      for process in processes where process.device == device && process.isAlive {
        process.receivePush?(pushes[number])
      }
    case .decision(let number): apply(server.decide(undecided[number]))
    case .mishap(let device, let fault): if faults[fault] > 0 { perform(fault, of: device) }
    }
  }

  func plan(_ occurrence: Occurrence, within seconds: Int) {
    agenda.insert(occurrence, at: now + Int64(random.next(below: seconds * 1_000_000)) * 1_000)
  }
}
