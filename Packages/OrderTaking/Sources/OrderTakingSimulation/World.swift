internal import OrderTaking

/// The virtual time, the future events and the machine of one simulation.
///
/// `@unchecked Sendable`: only the thread that called `run` uses a world and its processes.
final class World: @unchecked Sendable {
  static let second: Int64 = 1_000_000_000
  static let minute = 60 * second
  static let hour = 60 * minute
  static let drivers: [DriverID] = ["0", "1"]

  /// The place of an event: a timer stops while the machine sleeps; another event of the machine waits until it wakes.
  enum Place { case server, machine, timer }

  private struct Event {
    var time: Int64
    let place: Place
    let action: () -> Void
  }

  let simulation: Simulation
  private let trace: ((String) -> Void)?
  var random: SplitMix64
  /// The probability of each fault per thousand.
  private var chances: [Int] = []
  private(set) var policy = TakingPolicy.standard
  let hasWorker: Bool
  let acknowledgement: ResultAcknowledgement
  /// Whether calls of a journal end before they return.
  let hasFastDisk: Bool
  let delaysDelivery: Bool

  private(set) var now: Int64 = 0
  /// Sorted from the last event to the first.
  private var agenda: [Event] = []
  let executor = SimulatedExecutor()
  var server: SimulatedServer
  var disk = SimulatedDisk()
  private(set) var processes: [Process] = []
  private var bootAt = -5 * World.second
  /// Zero in some worlds, because some machines have no number of their boot.
  private var boot: UInt64
  private var clockError: Int64 = 0
  private var sleepsUntil: Int64 = 0
  private var isCutOffUntil: Int64 = 0
  private var lastKey: UInt64 = 0
  var checks = Checks()
  private var report = SimulationReport()
  private(set) var hasEnded = false

  init(_ simulation: Simulation, _ trace: ((String) -> Void)?) {
    (self.simulation, self.trace) = (simulation, trace)
    random = SplitMix64(seed: simulation.seed)
    hasWorker = random.next(below: 3) == 0
    acknowledgement = random.next(below: 4) == 0 ? .explicit : .automatic
    hasFastDisk = random.next(below: 3) == 0
    delaysDelivery = random.next(below: 4) == 0
    boot = UInt64(min(1, random.next(below: 8)))
    server = SimulatedServer(&random)
    policy.delayBeforeFirstGet = .seconds(random.next(below: 9))
    drawFaults()
    if random.next(below: 3) == 0 { policy.retries = .constant(.milliseconds(500)) }
    if random.next(below: 4) == 0 { policy.requestTimeout = .seconds(2) }
    if random.next(below: 4) == 0 { policy.attempts = 3 }
    if random.next(below: 4) == 0 { policy.deadline = .seconds(20) }
    if random.next(below: 3) == 0 { (policy.deadline, policy.attempts) = (nil, nil) }
  }

  /// Draws for each fault whether it is absent, as likely as usual or four times as likely.
  ///
  /// In some worlds one fault occurs alone.
  private func drawFaults() {
    let only = random.next(below: 4) == 0 ? Fault.allCases[random.next(below: Fault.allCases.count)] : nil
    chances = Fault.allCases.map { fault in
      let factors = only == nil ? [0, 1, 1, 4] : [fault == only ? 8 : fault == .cancel ? 4 : 0]
      let factor = factors[random.next(below: factors.count)]
      return simulation.faults.contains(fault) ? min(fault.chance * factor, 800) : 0
    }
  }

  func run() -> SimulationReport {
    begin()
    var count = 0
    while let event = agenda.last, event.time < World.hour * 5, count < 100_000 {
      agenda.removeLast()
      now = event.time
      count += 1
      mix(UInt64(now))
      event.action()
      executor.run()
    }
    checkTheEnd()
    report.worlds = 1
    report.operations = checks.operations.count
    report.violations = checks.violations
    release()
    return report
  }

  /// Ends all futures and tasks, because they retain the world.
  private func release() {
    hasEnded = true
    for process in processes { process.die() }
    for _ in 0..<2 {
      while let event = agenda.popLast() {
        event.action()
        executor.run()
      }
      for process in processes { process.release() }
      executor.run()
    }
  }

  // MARK: Events

  /// Plans an event behind the earlier ones of the same time.
  func plan(at time: Int64, in place: Place = .machine, _ action: @escaping () -> Void) {
    let time = place == .server ? time : max(time, sleepsUntil)
    var (low, high) = (0, agenda.count)
    while low < high {
      let middle = (low + high) / 2
      if agenda[middle].time > time { low = middle + 1 } else { high = middle }
    }
    agenda.insert(Event(time: time, place: place, action: action), at: low)
  }

  func plan(within seconds: Int, in place: Place = .machine, _ action: @escaping () -> Void) {
    plan(at: now + Int64(random.next(below: seconds * 1_000_000)) * 1_000, in: place, action)
  }

  func happens(_ fault: Fault, outOf parts: Int = 1) -> Bool {
    chances[fault.rawValue] > 0 && random.next(below: 1_000 * parts) < chances[fault.rawValue]
  }

  func mix(_ number: UInt64) { report.hash = SplitMix64.mixed(report.hash ^ number) }

  func makeKey() -> IdempotencyKey {
    lastKey += 1
    return IdempotencyKey(high: 0, low: lastKey)
  }

  func note(_ line: () -> String) {
    guard let trace else { return }
    let milliseconds = String(now / 1_000_000)
    // Swift prints the module before a nested case.
    let line = line().replacing("OrderTaking.", with: "")
    trace("\(String(repeating: " ", count: max(0, 8 - milliseconds.count)))\(milliseconds) ms  \(line)")
  }

  // MARK: The machine

  private func begin() {
    for driver in World.drivers {
      for order in server.orders where random.next(below: 4) > 0 {
        plan(within: 10) { self.process.take(ListedRecord.ID(driver: driver, order: order)) }
      }
    }
    if random.next(below: 4) == 0 { plan(within: 30) { self.process.resume() } }
    let mishaps: [(Fault, () -> Void)] = [
      (.partition, { self.isCutOffUntil = self.now + self.seconds(60) }), (.powerFailure, losePower), (.sleep, sleep),
      (.takeOver, start),
      (.clockJump, { self.clockError += self.seconds(86_400) * (self.random.next(below: 2) == 0 ? 1 : -1) }),
    ]
    for (fault, action) in mishaps where happens(fault) {
      plan(within: 60) {
        self.note { "the machine: \(fault)" }
        action()
      }
    }
    plan(at: World.minute, in: .server) { self.chances = self.chances.map { _ in 0 } }
    // The next processes deliver and reconcile what this one has left, if necessary an hour after a clock was set back.
    for time in [World.hour * 3 / 2, World.hour * 3] {
      plan(at: time) {
        self.checkOperations()
        self.start()
      }
    }
    start()
  }

  private func seconds(_ limit: Int) -> Int64 { Int64(1 + random.next(below: limit)) * World.second }

  /// The process that a driver uses: the newest one, or sometimes the oldest one.
  var process: Process {
    let living = processes.filter(\.isAlive)
    return (random.next(below: 4) == 0 ? living.first : living.last) ?? processes[processes.count - 1]
  }

  /// Starts a process, which takes over the journal of any earlier one.
  func start() {
    disk.recover()
    let process = Process(self, number: processes.count)
    processes.append(process)
    note { "\(process) starts" }
    process.start()
  }

  /// Returns whether a process crashes at this point.
  func crashes(_ process: Process) -> Bool {
    report.crashPoints += 1
    guard happens(.crash) || simulation.crashPoint == report.crashPoints else { return false }
    crash(process)
    return true
  }

  private func crash(_ process: Process) {
    note { "\(process) CRASHES" }
    report.crashes += 1
    process.isAlive = false
    plan(within: random.next(below: 4) == 0 ? 300 : 10) {
      if self.processes.last?.isAlive != true { self.start() }
    }
  }

  private func losePower() {
    for process in processes where process.isAlive { crash(process) }
    disk.losePower(keeping: &random)
    bootAt = now
    if boot > 0 { boot += 1 }
  }

  func sleep() {
    // A sleep that was planned during another one does not follow it, so the machine is awake long before the end.
    guard now < World.minute else { return }
    let time = seconds(random.next(below: 2) == 0 ? 60 : 3_600)
    sleepsUntil = now + time
    let events = agenda.reversed()
    agenda = []
    for event in events { plan(at: event.time + (event.place == .timer ? time : 0), in: event.place, event.action) }
  }

  var losesMessage: Bool { now < isCutOffUntil || happens(.lost) }

  var moment: Moment {
    Moment(
      sinceEpoch: .seconds(1_700_000_000) + .nanoseconds(now + clockError), sinceBoot: .nanoseconds(now - bootAt),
      boot: boot)
  }
}

extension SplitMix64 {
  mutating func next(below limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }
}

/// Runs the tasks of a worker on the thread of its world, in the order in which they become ready.
///
/// `@unchecked Sendable`: only that thread uses it.
final class SimulatedExecutor: TaskExecutor, @unchecked Sendable {
  private var jobs: [UnownedJob] = []

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  func run() {
    while !jobs.isEmpty { jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
