internal import OrderTaking

/// One simulated world: clients, a network and a server, in virtual time, from one seed.
///
/// Two drivers want the same few orders. Everything that varies is drawn from the seed, so the same simulation comes
/// out the same, with the same hash.
///
/// ```swift
/// let report = Simulation(seed: 42).run()
/// report.violations.isEmpty  // true
/// ```
///
/// What is assumed of the server: it keeps what it has decided; it turns away all copies of one request, or none; and
/// it answers a second PUT as the first, or, in some worlds, with `already_taken`.
public struct Simulation: Hashable, Sendable {
  /// What is looked for.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Nothing bad happens: faults all the time, and a budget for each operation.
    case safety
    /// Something good happens: faults for a minute, then none; operations have no budget, and must end all the same.
    case liveness
  }

  /// Where all chances come from.
  public var seed: UInt64
  /// What goes wrong.
  public var faults: Faults
  /// What is looked for.
  public var mode: Mode
  /// A mistake in the clients, for a test of the invariants.
  public var mutant: Mutant?
  /// A point at which a process dies, besides those that chance finds; each write to a journal has one before it and one
  /// after it, counted from zero over all clients.
  public var crashPoint: Int?

  /// Creates a world.
  public init(
    seed: UInt64, faults: Faults = .all, mode: Mode = .safety, mutant: Mutant? = nil, crashPoint: Int? = nil
  ) {
    self.seed = seed
    self.faults = faults
    self.mode = mode
    self.mutant = mutant
    self.crashPoint = crashPoint
  }

  /// Lets the world run to its end.
  ///
  /// The same simulation comes out the same each time, in every process and on every machine: the same lines, the same
  /// ``SimulationReport/hash``. That is how a failure is brought back:
  ///
  /// ```swift
  /// let report = Simulation(seed: 4711, mode: .liveness).run { line in print(line) }
  /// print(report)                  // seed 4711: 8 operations, 61 events, 2 crashes, hash 5c01…: no violations
  /// report.violations.first?.invariant.rawValue  // nil, or "no false failure"
  /// ```
  ///
  /// - Parameter trace: Called with a line for each thing that happens, in order, with the time in milliseconds in front;
  ///   what does not hold is a line that begins with `VIOLATION`. Lines are only made when it is given.
  /// - Returns: The hash of what happened, and which invariants did not hold.
  public func run(trace: ((String) -> Void)? = nil) -> SimulationReport {
    World().run(self, trace: trace)
  }

  /// Runs one world for each seed, up to the first in which an invariant does not hold.
  ///
  /// Faster than calling ``run(trace:)`` for each, since the worlds share their memory.
  ///
  /// - Returns: The sum of what happened, and the report of the world that failed.
  public static func run(
    seeds: Range<UInt64>, faults: Faults = .all, mode: Mode = .safety, mutant: Mutant? = nil
  ) -> SimulationSummary {
    let world = World()
    var summary = SimulationSummary()
    for seed in seeds {
      let report = world.run(Simulation(seed: seed, faults: faults, mode: mode, mutant: mutant), trace: nil)
      summary.add(report)
      if !report.violations.isEmpty { break }
    }
    return summary
  }
}

/// What happened in a world.
public struct SimulationReport: Hashable, Sendable {
  /// The seed that brings it back.
  public let seed: UInt64
  /// How many operations were begun, resumed and settled.
  public let operations: Int
  /// How many things happened.
  public let events: Int
  /// How many times a process died.
  public let crashes: Int
  /// How many points there were at which a process could have died.
  public let crashPoints: Int
  /// A hash of everything that happened, in order.
  public let hash: UInt64
  /// What did not hold; empty when all is well.
  public let violations: [Violation]
  /// How often operations ended in which way.
  public let ends: [String: Int]
}

extension SimulationReport: CustomStringConvertible {
  /// What happened, in a line, with the names of the invariants that did not hold.
  public var description: String {
    let verdict =
      violations.isEmpty ? "no violations" : "VIOLATIONS: " + violations.map(\.description).joined(separator: "; ")
    let digits = String(hash, radix: 16)
    return "seed \(seed): \(operations) operations, \(events) events, \(crashes) crashes, "
      + "hash \(String(repeating: "0", count: 16 - digits.count))\(digits): \(verdict)"
  }
}

/// What happened in many worlds.
public struct SimulationSummary: Hashable, Sendable {
  /// Nothing has happened yet.
  public init() {}

  /// How many worlds.
  public private(set) var worlds = 0
  /// How many operations were begun, resumed and settled in them.
  public private(set) var operations = 0
  /// How many things happened in them.
  public private(set) var events = 0
  /// How many times a process died in them.
  public private(set) var crashes = 0
  /// The hashes of all worlds in one.
  public private(set) var hash: UInt64 = 0
  /// How often operations ended in which way.
  public private(set) var ends: [String: Int] = [:]
  /// The first world in which an invariant did not hold.
  public private(set) var failure: SimulationReport?

  /// Adds what happened in other worlds; the hash depends on the order in which they are added.
  public mutating func add(_ other: SimulationSummary) {
    worlds += other.worlds
    operations += other.operations
    events += other.events
    crashes += other.crashes
    hash = SplitMix64.mixed(hash ^ other.hash)
    ends.merge(other.ends, uniquingKeysWith: +)
    if failure == nil { failure = other.failure }
  }

  mutating func add(_ report: SimulationReport) {
    worlds += 1
    operations += report.operations
    events += report.events
    crashes += report.crashes
    hash = SplitMix64.mixed(hash ^ report.hash)
    ends.merge(report.ends, uniquingKeysWith: +)
    if !report.violations.isEmpty, failure == nil { failure = report }
  }
}
