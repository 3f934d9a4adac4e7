import OrderTakingSimulation
import Testing

@Suite("In simulated worlds") struct SimulationTests {
  @Test("nothing bad happens, whatever goes wrong", arguments: Simulation.Mode.allCases)
  func invariants(mode: Simulation.Mode) {
    let summary = Simulation.run(seeds: 0..<1_000, mode: mode)
    #expect(summary.failure == nil, "seed \(summary.failure?.seed ?? 0): \(summary.failure?.violations ?? [])")
    #expect(summary.crashes > 300)
  }

  @Test("every mutant is caught by the invariant that is named for it", arguments: Mutant.allCases)
  func mutants(mutant: Mutant) {
    let mode: Simulation.Mode = mutant.caughtBy == .everyOperationEnds ? .liveness : .safety
    let caught = (0..<2_000 as Range<UInt64>).first { seed in
      Simulation(seed: seed, mode: mode, mutant: mutant).run().violations.contains { $0.invariant == mutant.caughtBy }
    }
    #expect(caught != nil)
  }
}
