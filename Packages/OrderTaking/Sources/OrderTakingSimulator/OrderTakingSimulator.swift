import Dispatch
import OrderTakingSimulation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs simulated worlds, and prints the events of the first violation.
///
/// With `--coverage` it also runs the model checker.
///
/// `Scripts/simulate` builds and starts it, and explains it.
@main
enum OrderTakingSimulator {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let options = Options(arguments) else {
      let line = arguments.joined(separator: " ")
      let error = Array(
        ("error: Cannot read the options `\(line)`: expected --seeds N and --from N, numbers with a sum of at most "
          + "\(Int64.max) and --coverage. See Scripts/simulate --help.\n").utf8)
      _ = write(2, error, error.count)
      exit(64)
    }
    let transitions = options.countsTransitions ? TransitionCounter() : nil
    for mode in Simulation.Mode.allCases {
      for (name, faults) in [("network faults", Faults.network), ("all faults", .all)] {
        let start = DispatchTime.now().uptimeNanoseconds
        let summary = run(options.seeds, faults, mode, counting: transitions)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        print(
          "\(mode.rawValue), \(name): \(summary.worlds) worlds, \(summary.operations) operations, "
            + "\(summary.crashes) crashes, \(Int(Double(summary.operations) / seconds)) operations/s, "
            + "hash \(String(summary.hash, radix: 16))")
        guard let failure = summary.failure else { continue }
        print("\nCannot confirm the invariants: seed \(failure.seed) violates one. Find the cause in its events:\n")
        _ = Simulation(seed: failure.seed, faults: faults, mode: mode).run { print($0) }
        print("\n\(failure)\nReplay it with: Scripts/simulate --from \(failure.seed) --seeds 1")
        exit(1)
      }
    }
    if let transitions { report(transitions) }
  }

  /// The same seeds have the same hash on any number of processors.
  private static func run(
    _ seeds: Range<UInt64>, _ faults: Faults, _ mode: Simulation.Mode, counting transitions: TransitionCounter?
  ) -> SimulationSummary {
    let parts = Parts(seeds)
    DispatchQueue.concurrentPerform(iterations: parts.ranges.count) { index in
      let counter = transitions == nil ? nil : TransitionCounter()
      let summary = Simulation.run(seeds: parts.ranges[index], faults: faults, mode: mode, counting: counter)
      parts.put(summary, counter, at: index)
    }
    return parts.sum(counting: transitions)
  }

  private static func report(_ transitions: TransitionCounter) {
    let checked = TransitionCounter()
    for honoursKeys in [true, false] {
      let report = ModelChecker(honoursKeys: honoursKeys).run(counting: checked)
      print("model checker, the server \(honoursKeys ? "honours" : "ignores") keys: \(report.states) states")
      guard report.violations.isEmpty, report.isComplete else {
        print("\nCannot confirm the model. Find the cause in these steps:\n")
        for violation in report.violations { print(violation) }
        exit(1)
      }
    }
    print("\nTransitions, with their numbers in the worlds and in the model checker:\n")
    for line in TransitionTable.report(transitions, checked) { print(line) }
    let missing = TransitionTable.missing(transitions)
    guard !missing.isEmpty else { return }
    print("\nCannot confirm the coverage: no world takes these transitions. Run more seeds, or add a fault:\n")
    for transition in missing { print(transition) }
    exit(1)
  }
}

private struct Options {
  var seeds: Range<UInt64>
  var countsTransitions = false

  init?(_ arguments: ArraySlice<String>) {
    var (count, first) = (UInt64(1_000_000), UInt64(0))
    var rest = arguments
    while let name = rest.popFirst() {
      switch name {
      case "--coverage": countsTransitions = true
      case "--seeds", "--from":
        guard let value = rest.popFirst().flatMap(UInt64.init) else { return nil }
        if name == "--seeds" { count = value } else { first = value }
      default: return nil
      }
    }
    let (end, overflow) = first.addingReportingOverflow(count)
    // Far from the largest number, so that the parts can be computed.
    guard !overflow, end <= UInt64(Int64.max) else { return nil }
    seeds = first..<end
  }
}

/// `@unchecked Sendable`: `queue` guards `results`.
private final class Parts: @unchecked Sendable {
  let ranges: [Range<UInt64>]
  private let queue = DispatchQueue(label: "OrderTakingSimulator.parts")
  private var results: [(summary: SimulationSummary, counter: TransitionCounter?)]

  init(_ seeds: Range<UInt64>) {
    ranges = stride(from: seeds.lowerBound, to: seeds.upperBound, by: 1_000).map { start in
      start..<min(start + 1_000, seeds.upperBound)
    }
    results = Array(repeating: (SimulationSummary(), nil), count: ranges.count)
  }

  func put(_ summary: SimulationSummary, _ counter: TransitionCounter?, at index: Int) {
    queue.sync { results[index] = (summary, counter) }
  }

  func sum(counting transitions: TransitionCounter?) -> SimulationSummary {
    queue.sync {
      for case let counter? in results.map(\.counter) { transitions?.add(counter) }
      return results.reduce(into: SimulationSummary()) { $0.add($1.summary) }
    }
  }
}
