package import OrderTaking

/// One world with real takers or a real worker, a network, a disk and the server's real decisions, in virtual time.
///
/// The same seed has the same report and the same hash on every machine.
///
/// ```swift
/// let report = Simulation(seed: 42).run()
/// report.violations.isEmpty  // true
/// ```
///
/// Two drivers of one machine take the same few orders, cancel, and ask for outcomes: with an app that has a taker of each, or by
/// records that a worker finishes. The faults end after a minute. Hours later every outcome must be known and delivered.
public struct Simulation: Sendable {
  public var seed: UInt64
  public var faults: Set<Fault>
  /// The number of the point at which a process crashes: before and after each write to a journal, from zero.
  public var crashPoint: Int?
  /// Changes what each taker uses, to test that a mistake is found.
  package var change: (@Sendable (inout TakerParts) -> Void)?

  public init(seed: UInt64, faults: Set<Fault> = .all, crashPoint: Int? = nil) {
    self.seed = seed
    self.faults = faults
    self.crashPoint = crashPoint
  }

  /// Runs the world to its end, and passes each line of its trace to a function.
  public func run(trace: ((String) -> Void)? = nil) -> SimulationReport {
    World(self, trace).run()
  }

  /// Runs one world for each seed, up to the first one in which an invariant does not hold.
  public static func run(seeds: Range<UInt64>, faults: Set<Fault> = .all) -> SimulationReport {
    var sum = SimulationReport()
    for seed in seeds where sum.violations.isEmpty { sum.add(Simulation(seed: seed, faults: faults).run()) }
    return sum
  }
}

/// The parts of a taker of one driver.
package struct TakerParts: Sendable {
  package var http: OrderHTTPClient<UInt64>
  package var push: PushClient
  package var journal: Journal
  package var timers: Timers
  package var policy: TakingPolicy
}

/// The result of one simulation, or the sum of many.
public struct SimulationReport: Hashable, Sendable, CustomStringConvertible {
  public internal(set) var worlds = 0
  public internal(set) var operations = 0
  public internal(set) var crashes = 0
  public internal(set) var crashPoints = 0
  public internal(set) var hash: UInt64 = 0
  /// The violations in the world of the first seed that has any.
  public internal(set) var violations: [Violation] = []

  public init() {}

  public mutating func add(_ other: SimulationReport) {
    worlds += other.worlds
    operations += other.operations
    crashes += other.crashes
    crashPoints += other.crashPoints
    hash = SplitMix64.mixed(hash ^ other.hash)
    if violations.isEmpty { violations = other.violations }
  }

  public var description: String {
    let verdict = violations.isEmpty ? "no violations" : violations.map(\.description).joined(separator: "; ")
    return "\(worlds) worlds, \(operations) operations, \(crashes) crashes, hash \(String(hash, radix: 16)): \(verdict)"
  }
}

public enum Fault: Int, Hashable, Sendable, CaseIterable {
  /// A request, a response or a push is lost.
  case lost
  /// A request or a push arrives twice, or a push also arrives at the other driver.
  case duplicated
  /// A message takes up to a minute instead of up to a second.
  case slow
  /// For up to a minute, all messages of the machine are lost.
  case partition
  /// A connection is refused, or TLS fails, so a request does not leave the machine.
  case refusedConnection
  /// The server rejects a request unread with 401, 429, 503 or another 4xx, or a proxy answers with 404.
  case turnedAway
  /// The server does the work, and responds with 500.
  case failedAfterWork
  /// A response or a timer arrives although it was just cancelled.
  case lateEvent
  case cancel
  /// A process crashes just before or just after a write to its journal.
  case crash
  case failedWrite
  /// A write to the journal fails, and the record may be stored, now or after a recovery.
  case ambiguousWrite
  case slowWrite
  /// The machine loses its power and the writes that were not synced, and starts again.
  case powerFailure
  /// The wall clock jumps by up to a day, forwards or backwards.
  case clockJump
  /// The machine sleeps for up to an hour.
  case sleep
  /// A second process starts, and takes over its journal.
  case takeOver
}

extension Fault {
  /// The probability per thousand.
  var chance: Int {
    switch self {
    case .refusedConnection, .failedWrite, .ambiguousWrite: 50
    case .partition, .powerFailure, .clockJump, .sleep, .takeOver: 300
    default: 100
    }
  }
}

extension Set<Fault> {
  public static let all = Set(Fault.allCases)

  /// Every fault of the network and the server, and cancellation.
  public static let network: Set = [
    .lost, .duplicated, .slow, .partition, .refusedConnection, .turnedAway, .failedAfterWork, .lateEvent, .cancel,
  ]
}
