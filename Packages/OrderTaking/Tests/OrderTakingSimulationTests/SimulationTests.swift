import Dispatch
import Foundation
import OrderTaking
import OrderTakingSimulation
import Synchronization
import Testing

/// The number of simulated worlds.
///
/// The variable `SIMULATION_SEEDS` overrides it.
private let worlds = ProcessInfo.processInfo.environment["SIMULATION_SEEDS"].flatMap(UInt64.init) ?? 400

@Suite("The simulation") struct SimulationTests {
  @Test("every invariant holds in every world", arguments: [Set<Fault>.all, .network, []])
  func invariants(faults: Set<Fault>) {
    // In parts, which use all processors.
    let parts = stride(from: 0, to: worlds, by: 100).map { $0..<min($0 + 100, worlds) }
    let reports = Mutex<[SimulationReport]>([])
    DispatchQueue.concurrentPerform(iterations: parts.count) { part in
      let report = Simulation.run(seeds: parts[part], faults: faults)
      reports.withLock { $0.append(report) }
    }
    #expect(reports.withLock { $0.flatMap(\.violations) } == [])
    #expect(reports.withLock { $0.reduce(0) { $0 + $1.worlds } } == Int(worlds))
  }

  @Test("every invariant holds if a process crashes just before or just after any write to its journal")
  func everyCrashPoint() {
    var crashes = 0
    for seed in 0..<20 as Range<UInt64> {
      for point in 1...Simulation(seed: seed, faults: .network).run().crashPoints + 1 {
        let report = Simulation(seed: seed, faults: .network, crashPoint: point).run()
        #expect(report.violations == [], "crash point \(point)")
        crashes += report.crashes
      }
    }
    #expect(crashes > 100)
  }

  @Test("a world is the same for the same seed, with and without a trace, and different for another seed")
  func repeatable() {
    let seeds = 0..<50 as Range<UInt64>
    let reports = seeds.map { Simulation(seed: $0).run() }
    #expect(reports == seeds.map { Simulation(seed: $0).run { _ in } })
    #expect(Set(reports.map(\.hash)).count == 50)
  }
}
