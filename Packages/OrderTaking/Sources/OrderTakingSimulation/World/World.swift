internal import OrderTaking

/// Clients, a network and a server, in one thread and in virtual time, counted in nanoseconds.
///
/// Only the thread that called `run` is ever in it, and no method holds on to a property while another runs: checking that
/// each time would take a fifth of the time.
final class World {
  typealias Operation = TakingOperation<Int, UInt64>

  static let second: Int64 = 1_000_000_000

  /// An operation in a process of a client, from its beginning to its end or to the death of the process.
  struct Running {
    var operation: Operation
    let client: Int
    var isDead = false
    var ends = 0
  }

  /// A driver's device: what dies with the process, and what does not.
  struct Client {
    var isUp = true
    var running: [Int]  // by order; -1 for none
    var journal: [TakingRecord<Int>?]  // by order
    var patience: [Int]  // by order: how often the driver comes back to it
    var lastCursor: UInt64 = 0
  }

  /// What the server holds about one wish.
  struct Taking {
    enum State { case processing, accepted, declined }
    let client: Int
    let order: Int
    let key: UInt64
    var state: State
  }

  // The simulation:
  @exclusivity(unchecked) var simulation = Simulation(seed: 0)
  @exclusivity(unchecked) var faults = Faults.none
  @exclusivity(unchecked) var policy = TakingPolicy.standard
  @exclusivity(unchecked) var random = SimulatedChance(seed: 0)
  @exclusivity(unchecked) var trace: ((String) -> Void)?

  // The world:
  @exclusivity(unchecked) var now: Int64 = 0
  @exclusivity(unchecked) var agenda = SimulatedAgenda()
  @exclusivity(unchecked) var clients: [Client] = []
  @exclusivity(unchecked) var operations: [Running] = []
  @exclusivity(unchecked) var effects: [TakingEffect] = []

  // The server:
  @exclusivity(unchecked) var takings: [Taking] = []
  @exclusivity(unchecked) var takingOfKey: [Int] = []  // by key; -1 for none
  @exclusivity(unchecked) var takingsOfOrder: [[Int]] = []  // by order: the accepted ones
  @exclusivity(unchecked) var honoursKeys = true
  @exclusivity(unchecked) var recordsDeclines = true

  // What is seen:
  @exclusivity(unchecked) var reports: [(key: UInt64, client: Int, order: Int, outcome: TakingOutcome)] = []
  @exclusivity(unchecked) var violations: [Violation] = []
  @exclusivity(unchecked) var hash: UInt64 = 0
  @exclusivity(unchecked) var events = 0
  @exclusivity(unchecked) var crashes = 0
  @exclusivity(unchecked) var crashPoints = 0

  func run(_ simulation: Simulation, trace: ((String) -> Void)?) -> SimulationReport {
    begin(simulation, trace)
    // A world that does not come to an end is a violation too; the limit is far above what any needs.
    while events < 200_000, let entry = agenda.takeFirst() {
      now = entry.time
      events += 1
      if simulation.mode == .liveness, now > World.second * 60 { faults = .none }
      note(entry.occurrence)
      happen(entry.occurrence)
    }
    end()
    return SimulationReport(
      seed: simulation.seed, operations: operations.count, events: events, crashes: crashes,
      crashPoints: crashPoints, hash: hash,
      violations: violations,
      ends: Dictionary(reports.map { (name(of: $0.outcome), 1) }, uniquingKeysWith: +))
  }

  private func begin(_ simulation: Simulation, _ trace: ((String) -> Void)?) {
    self.simulation = simulation
    self.trace = trace
    random = SimulatedChance(seed: simulation.seed)
    faults = simulation.faults.drawn(using: &random)
    now = 0
    agenda.removeAll()
    operations.removeAll(keepingCapacity: true)
    takings.removeAll(keepingCapacity: true)
    takingOfKey.removeAll(keepingCapacity: true)
    reports.removeAll(keepingCapacity: true)
    (violations, hash, events, crashes, crashPoints) = ([], SplitMix64.mixed(simulation.seed), 0, 0, 0)
    drawPolicy()

    let orders = 1 + random.next(below: 4)
    takingsOfOrder = Array(repeating: [], count: orders)
    recordsDeclines = random.next(below: 2) == 0
    honoursKeys = random.next(below: 4) > 0
    let patience = Array(repeating: 2, count: orders)
    clients = Array(
      repeating: Client(
        running: Array(repeating: -1, count: orders), journal: Array(repeating: nil, count: orders), patience: patience),
      count: 2)
    for client in clients.indices {
      for order in 0..<orders where random.next(below: 4) > 0 {
        agenda.plan(.tap(client: client, order: order), at: time(upTo: 10))
      }
    }
  }

  private func drawPolicy() {
    policy = TakingPolicy.standard
    policy.delayBeforeFirstGet = .seconds(1 + random.next(below: 8))
    if random.next(below: 3) == 0 { policy.retries = .constant(.milliseconds(500)) }
    if random.next(below: 4) == 0 { policy.requestTimeout = .seconds(2) }
    if random.next(below: 4) == 0 { policy.attempts = 3 }
    if simulation.mode == .liveness { (policy.budget, policy.attempts) = (nil, nil) }
    if simulation.mutant == .believesEcho { policy.ambiguousDeclineReasons = [] }
    if simulation.mutant == .waitsForEver { policy.requestTimeout = nil }
    if simulation.mutant == .waitsForAnHour { policy.delayBeforeFirstGet = .seconds(3_600) }
  }

  private func happen(_ occurrence: Occurrence) {
    switch occurrence {
    case .tap(let client, let order): tap(client, order)
    case .settle(let client, let order): settle(client, order)
    case .cancel(let operation): feed(.cancel, to: operation)
    case .timer(let operation, let timer): timerFired(timer, operation)
    case .request(let operation, let request, let key, let fate): serve(request, of: operation, key, fate)
    case .answer(let operation, let request, let answer): deliver(answer, to: request, of: operation)
    case .token(let operation, let number, let succeeded):
      feed(.tokenRefreshed(number: number, succeeded: succeeded), to: operation)
    case .decide(let taking): decide(taking)
    case .push(let client, let order, let key, let isAccepted, let cursor):
      pushed(to: client, order, key, isAccepted, cursor)
    case .restart(let client): restart(client)
    }
  }

  /// A time from now on, up to a number of seconds.
  func time(upTo seconds: Int) -> Int64 { now + Int64(random.next(below: seconds * 1_000_000)) * 1_000 }
}
