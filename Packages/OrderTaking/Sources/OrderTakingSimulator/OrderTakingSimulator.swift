import Dispatch
import OrderTakingSimulation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Runs simulated worlds, from one seed on, and tells the story of the first in which something does not hold.
///
/// `Scripts/stress simulate` builds and starts it, and explains it.
@main
enum OrderTakingSimulator {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let options = Options(arguments) else {
      let line = arguments.joined(separator: " ")
      let error = Array(
        ("error: Cannot read the options `\(line)`: expected --seeds N and --from N, numbers with a sum of at most "
          + "\(Int64.max). See Scripts/stress --help.\n").utf8)
      _ = write(2, error, error.count)
      exit(64)
    }
    for mode in Simulation.Mode.allCases {
      for (name, faults) in [("network faults", Faults.network), ("all faults", .all)] {
        let start = DispatchTime.now().uptimeNanoseconds
        let summary = run(options.seeds, faults, mode)
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        print(
          "\(mode.rawValue), \(name): \(summary.worlds) worlds, \(summary.operations) operations, "
            + "\(summary.crashes) crashes, \(Int(Double(summary.operations) / seconds)) operations/s, "
            + "hash \(String(summary.hash, radix: 16))")
        guard let failure = summary.failure else { continue }
        print("\nCannot confirm the invariants: seed \(failure.seed) violates one. Find the cause in its events:\n")
        _ = Simulation(seed: failure.seed, faults: faults, mode: mode).run { print($0) }
        print("\n\(failure)\nReplay it with: Scripts/stress simulate --from \(failure.seed) --seeds 1")
        exit(1)
      }
    }
  }

  /// Runs the worlds on all processors; the same seeds give the same hash, on however many.
  private static func run(_ seeds: Range<UInt64>, _ faults: Faults, _ mode: Simulation.Mode) -> SimulationSummary {
    let parts = Parts(seeds)
    DispatchQueue.concurrentPerform(iterations: parts.ranges.count) { index in
      parts.put(Simulation.run(seeds: parts.ranges[index], faults: faults, mode: mode), at: index)
    }
    return parts.sum
  }
}

private struct Options {
  var seeds: Range<UInt64>

  init?(_ arguments: ArraySlice<String>) {
    var (count, first) = (UInt64(1_000_000), UInt64(0))
    var rest = arguments
    while let name = rest.popFirst() {
      guard let value = rest.popFirst().flatMap(UInt64.init) else { return nil }
      switch name {
      case "--seeds": count = value
      case "--from": first = value
      default: return nil
      }
    }
    let (end, overflow) = first.addingReportingOverflow(count)
    // Far from the end of numbers, so that the parts can be reckoned.
    guard !overflow, end <= UInt64(Int64.max) else { return nil }
    seeds = first..<end
  }
}

/// Seeds in parts of a thousand, and what came of each.
///
/// `@unchecked Sendable`: `summaries` is touched only on `queue`.
private final class Parts: @unchecked Sendable {
  let ranges: [Range<UInt64>]
  private let queue = DispatchQueue(label: "OrderTakingSimulator.parts")
  private var summaries: [SimulationSummary]

  init(_ seeds: Range<UInt64>) {
    ranges = stride(from: seeds.lowerBound, to: seeds.upperBound, by: 1_000).map { start in
      start..<min(start + 1_000, seeds.upperBound)
    }
    summaries = Array(repeating: SimulationSummary(), count: ranges.count)
  }

  func put(_ summary: SimulationSummary, at index: Int) { queue.sync { summaries[index] = summary } }

  var sum: SimulationSummary {
    queue.sync { summaries.reduce(into: SimulationSummary()) { $0.add($1) } }
  }
}
