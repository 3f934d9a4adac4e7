package import OrderTaking

/// A simulated world: devices with real takers, a network and the server's real decisions, in virtual time, from one seed.
///
/// Two drivers request the same few orders. The seed determines everything that varies, so the same simulation has the same result
/// and the same hash.
///
/// ```swift
/// let report = Simulation(seed: 42).run()
/// report.violations.isEmpty  // true
/// ```
///
/// The server keeps its decisions, and rejects all copies of one request, or none. In some worlds it answers a second PUT with
/// `already_taken`.
public struct Simulation: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Nothing bad happens: there are faults all the time, and operations have a deadline.
    case safety
    /// Something good happens: the faults stop after a minute, and operations without a deadline end.
    case liveness
  }

  public var seed: UInt64
  public var faults: Faults
  public var mode: Mode
  /// The number of the point at which a process crashes, in addition to random crashes.
  ///
  /// Each write to a journal has a point before it and one after it. They are counted from zero over all devices.
  public var crashPoint: Int?
  /// A mistake in the takers, for a test of the invariants.
  ///
  /// Release builds ignore it.
  package var mutant: Mutant?

  public init(seed: UInt64, faults: Faults = .all, mode: Mode = .safety, crashPoint: Int? = nil) {
    self.seed = seed
    self.faults = faults
    self.mode = mode
    self.crashPoint = crashPoint
  }

  /// Runs the world to its end.
  ///
  /// The same simulation has the same trace and the same ``SimulationReport/hash`` in every process and on every
  /// machine. This reproduces a failure:
  ///
  /// ```swift
  /// let report = Simulation(seed: 4711, mode: .liveness).run { line in print(line) }
  /// print(report)                                // the counts, the hash, and the violations or "no violations"
  /// report.violations.first?.invariant.rawValue  // for example "no false failure", or nil
  /// ```
  public func run(trace: ((String) -> Void)? = nil) -> SimulationReport {
    World().run(self, trace: trace)
  }

  /// Runs one world for each seed, up to the first one in which an invariant does not hold.
  ///
  /// It is faster than calling ``run(trace:)`` for each, because the worlds share their memory.
  public static func run(
    seeds: Range<UInt64>, faults: Faults = .all, mode: Mode = .safety
  ) -> SimulationSummary {
    run(seeds: seeds, faults: faults, mode: mode, counting: nil)
  }

  package static func run(
    seeds: Range<UInt64>, faults: Faults = .all, mode: Mode = .safety, counting transitions: TransitionCounter?
  ) -> SimulationSummary {
    let world = World()
    if let transitions { world.observe = { transitions.count($0, $1, $2) } }
    var summary = SimulationSummary()
    for seed in seeds {
      let report = world.run(Simulation(seed: seed, faults: faults, mode: mode), trace: nil)
      summary.add(report)
      if !report.violations.isEmpty { break }
    }
    return summary
  }
}

public struct SimulationReport: Hashable, Sendable {
  public let seed: UInt64
  /// The number of operations that were begun, resumed and reconciled.
  public let operations: Int
  public let events: Int
  public let crashes: Int
  public let crashPoints: Int
  public let hash: UInt64
  public let violations: [Violation]
}

extension SimulationReport: CustomStringConvertible {
  public var description: String {
    let verdict =
      violations.isEmpty ? "no violations" : "VIOLATIONS: " + violations.map(\.description).joined(separator: "; ")
    let digits = String(hash, radix: 16)
    return "seed \(seed): \(operations) operations, \(events) events, \(crashes) crashes, "
      + "hash \(String(repeating: "0", count: 16 - digits.count))\(digits): \(verdict)"
  }
}

public struct SimulationSummary: Hashable, Sendable {
  public init() {}

  public private(set) var worlds = 0
  public private(set) var operations = 0
  public private(set) var crashes = 0
  public private(set) var hash: UInt64 = 0
  public private(set) var failure: SimulationReport?

  /// The hash depends on the order in which summaries are added.
  public mutating func add(_ other: SimulationSummary) {
    worlds += other.worlds
    operations += other.operations
    crashes += other.crashes
    hash = SplitMix64.mixed(hash ^ other.hash)
    if failure == nil { failure = other.failure }
  }

  mutating func add(_ report: SimulationReport) {
    worlds += 1
    operations += report.operations
    crashes += report.crashes
    hash = SplitMix64.mixed(hash ^ report.hash)
    if !report.violations.isEmpty, failure == nil { failure = report }
  }
}
